// Package suite has Rollcall for tests in Go: one server for all tests of a package, and an account for each. Copy this file. It
// needs nothing but the standard library, and Rollcall's command: `rollcall`, or what the variable ROLLCALL names.
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
	"sync"
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
	// The server stops when this ends, which the system closes when this process is gone, however that ends.
	input io.WriteCloser
)

// Account is an account of the server. Paths and bodies of the control API are those of control.yaml.
type Account struct {
	t         *testing.T
	key, path string
}

// Response is a response of the API. Err says why it is not complete.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	Err    error
}

// NewAccount creates an account with records, such as M{"automations": []M{...}}, and deletes it after the test.
func NewAccount(t *testing.T, records M) *Account {
	t.Helper()
	if started.Do(func() { startErr = start() }); startErr != nil {
		t.Fatalf("rollcall does not start: %v", startErr)
	}
	account := &Account{t: t, path: "/accounts"}
	var created struct{ Name, APIKey string }
	account.control(http.MethodPost, "", M{"records": records}, &created)
	account.key, account.path = created.APIKey, "/accounts/"+created.Name
	t.Cleanup(func() { account.control(http.MethodDelete, "", nil, nil) })
	return account
}

// Get sends a request to the API.
func (account *Account) Get(target string) Response {
	return send(http.MethodGet, server.URL+target, account.key, nil)
}

// Post is such as Post("faults", M{"fault": M{"status": 503}, "times": 2}).
func (account *Account) Post(path string, body M) {
	account.t.Helper()
	account.control(http.MethodPost, "/"+path, body, nil)
}

// List returns the cues, List("cues"), or the requests, List("requests?status=429").
func (account *Account) List(path string) []M {
	account.t.Helper()
	var list struct{ Data []M }
	account.control(http.MethodGet, "/"+path, nil, &list)
	return list.Data
}

func (account *Account) control(method, path string, body, result any) {
	account.t.Helper()
	response := send(method, server.Control.URL+account.path+path, server.Control.Key, body)
	if response.Err != nil || response.Status >= 400 {
		account.t.Fatalf("%s %s: %v %s", method, path, response.Err, response.Body)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(response.Body, result); err != nil {
		account.t.Fatal(err)
	}
}

func send(method, url, key string, body any) Response {
	text, err := json.Marshal(body)
	if err != nil {
		return Response{Err: err}
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(text))
	if err != nil {
		return Response{Err: err}
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	response, err := (&http.Client{Timeout: deadline}).Do(request)
	if err != nil {
		return Response{Err: err}
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	return Response{response.StatusCode, response.Header, text, err}
}

func start() error {
	command := os.Getenv("ROLLCALL")
	if command == "" {
		command = "rollcall"
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
		return fmt.Errorf("it has ended: %w", process.Wait())
	}
	return json.Unmarshal(line, &server)
}
