// Package suite has Rollcall for tests in Go: a server that starts with the first test of a package that needs it, and an account for each
// test. Copy this file. It needs Rollcall's command: `rollcall`, or the executable that the variable ROLLCALL names.
package suite

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// For the start, and for a response: a machine may be busy.
const deadline = 60 * time.Second

// M is a JSON object.
type M = map[string]any

var (
	started sync.Once
	server  struct {
		URL     string `json:"url"`
		Control struct {
			URL string `json:"url"`
			Key string `json:"key"`
		} `json:"control"`
	}
	startErr error
	built    atomic.Int64
	// The server stops when this ends, which the system closes when this process is gone, however that ends.
	input io.WriteCloser
)

// Account is an account of the server. The client that is tested gets URL and Key. Faults and cues are those of control.yaml.
type Account struct {
	URL, Key string
	t        *testing.T
	path     string
}

// NewAccount creates an account with records, such as M{"automations": []M{Automation(nil)}}, and deletes it after the test.
func NewAccount(t *testing.T, records M) *Account {
	t.Helper()
	if started.Do(func() { startErr = start() }); startErr != nil {
		t.Fatal(startErr)
	}
	account := &Account{URL: server.URL, t: t, path: "/accounts"}
	var created struct{ Name, APIKey string }
	account.send(http.MethodPost, "", M{"records": with(M{}, records)}, &created)
	account.Key, account.path = created.APIKey, "/accounts/"+created.Name
	t.Cleanup(func() { account.send(http.MethodDelete, "", nil, nil) })
	return account
}

// Automation builds an automation with these properties. Each record is a second older than the one before, so the first is listed first.
// Its id is smaller too, so records that get the same time stay in this order.
func Automation(properties M) M {
	id, at := next()
	return with(M{"id": id, "name": "Automation " + id, "status": "enabled", "created_at": at, "updated_at": at}, properties)
}

// ContactProperty builds a contact property. One of another type than string has no fallback.
func ContactProperty(properties M) M {
	id, at := next()
	usual := M{"id": id, "key": "property " + id, "type": "string", "fallback_value": "none", "created_at": at}
	if kind, isSet := properties["type"]; isSet && kind != "string" {
		usual["fallback_value"] = nil
	}
	return with(usual, properties)
}

// ContactImport builds a contact import whose counts match its status. It is completed by default.
func ContactImport(properties M) M {
	id, at := next()
	usual := M{"object": "contact_import", "id": id, "status": "completed", "created_at": at, "completed_at": at}
	total, created := 100, 100
	switch properties["status"] {
	case "queued":
		total, created, usual["completed_at"] = 0, 0, nil
	case "in_progress":
		created, usual["completed_at"] = 50, nil
	case "failed":
		created = 50
	}
	usual["counts"] = M{"total": total, "created": created, "updated": 0, "skipped": 0, "failed": 0}
	return with(usual, properties)
}

func next() (id, createdAt string) {
	number := built.Add(1)
	at := time.Date(2026, 4, 16, 8, 0, 0, 0, time.UTC).Add(-time.Duration(number) * time.Second)
	return fmt.Sprintf("00000000-0000-4000-8000-%d", 1e12-number), at.Format("2006-01-02 15:04:05+00")
}

func with(usual, properties M) M {
	for name, value := range properties {
		usual[name] = value
	}
	return usual
}

// Fail makes the next requests fail so many times, such as Fail(M{"status": 503, "retryAfter": 1}, 2).
func (account *Account) Fail(fault M, times int) {
	account.t.Helper()
	account.Post("faults", M{"fault": fault, "times": times})
}

// Cue changes the records when a request arrives, such as Cue(M{"when": M{"nth": 2}, "then": []M{{"revokeKey": true}}}).
func (account *Account) Cue(cue M) Cue {
	account.t.Helper()
	return account.addCue("/cues", cue)
}

// Scenario adds the cue of a scenario, such as Scenario("cursor-removed", M{"limit": 2}).
func (account *Account) Scenario(name string, options M) Cue {
	account.t.Helper()
	return account.addCue("/scenarios", with(M{"name": name}, options))
}

func (account *Account) addCue(path string, body M) Cue {
	account.t.Helper()
	var created cueState
	account.send(http.MethodPost, path, body, &created)
	return Cue{account, created.Number}
}

// Requests returns the requests of the account, or some, such as Requests("status=429").
func (account *Account) Requests(query string) []M {
	account.t.Helper()
	var list struct{ Data []M }
	account.send(http.MethodGet, "/requests?"+query, nil, &list)
	return list.Data
}

// Post sends everything else that control.yaml has for an account, such as Post("put", M{"collection": "automations", "records": []M{...}}).
func (account *Account) Post(path string, body M) (result M) {
	account.t.Helper()
	account.send(http.MethodPost, "/"+path, body, &result)
	return result
}

// Cue is a cue of an account.
type Cue struct {
	account *Account
	number  int
}

// Fired returns how often it has fired. A cue with 0 has changed nothing. The test fails if one of its actions has failed.
func (cue Cue) Fired() int {
	cue.account.t.Helper()
	now := cue.now()
	if len(now.Errors) > 0 {
		cue.account.t.Fatalf("cue %d has fired, but its actions failed: %s", cue.number, strings.Join(now.Errors, " "))
	}
	return now.Fired
}

// Errors returns the messages of its actions that failed.
func (cue Cue) Errors() []string {
	cue.account.t.Helper()
	return cue.now().Errors
}

type cueState struct {
	Number, Fired int
	Errors        []string
}

func (cue Cue) now() cueState {
	cue.account.t.Helper()
	var list struct{ Data []cueState }
	cue.account.send(http.MethodGet, "/cues", nil, &list)
	for _, it := range list.Data {
		if it.Number == cue.number {
			return it
		}
	}
	cue.account.t.Fatalf("there is no cue %d", cue.number)
	return cueState{}
}

func (account *Account) send(method, path string, body M, result any) {
	account.t.Helper()
	status, text, err := send(method, server.Control.URL+account.path+path, server.Control.Key, body)
	if err != nil || status >= 400 {
		account.t.Fatalf("%s %s: %v %s", method, path, err, text)
	}
	if result == nil || len(text) == 0 {
		return
	}
	if err := json.Unmarshal(text, result); err != nil {
		account.t.Fatal(err)
	}
}

func send(method, url, key string, body M) (status int, text []byte, err error) {
	var content io.Reader
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return 0, nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, url, content)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	response, err := (&http.Client{Timeout: deadline}).Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

func start() error {
	command := os.Getenv("ROLLCALL")
	if command == "" {
		command = "rollcall"
	}
	if _, err := exec.LookPath(command); err != nil {
		return fmt.Errorf("%w: install Rollcall (see its docs/install.md), or set the variable ROLLCALL to the path of its executable, without arguments", err)
	}
	process := exec.Command(command, "demo", "--control", "--json", "--exit-with-parent", "--port", "0", "--key", "demo")
	process.Stderr = os.Stderr
	output, err := process.StdoutPipe()
	if err != nil {
		return err
	}
	if input, err = process.StdinPipe(); err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	late := time.AfterFunc(deadline, func() { _ = process.Process.Kill() })
	defer late.Stop()
	line, err := bufio.NewReader(output).ReadBytes('\n') // One line of JSON, when it listens.
	if err != nil {
		return fmt.Errorf("%s demo has ended before it listened (%v); its message is above", command, process.Wait())
	}
	return json.Unmarshal(line, &server)
}
