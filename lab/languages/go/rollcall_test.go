// A suite of a team that writes Go. What it tests is readAll, which stands for the team's own client.
package suite

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"
)

// get sends a request to the API.
func get(account *Account, target string) (status int, header http.Header, body []byte, err error) {
	request, err := http.NewRequest(http.MethodGet, account.URL+target, nil)
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+account.Key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, response.Header, body, err
}

func five() (automations []M, names []string) {
	for number := 1; number <= 5; number++ {
		name := fmt.Sprint("Name ", number)
		automations, names = append(automations, Automation(M{"name": name})), append(names, name)
	}
	return automations, names
}

type item struct{ ID, Name string }

// readAll reads the whole list, page by page. It returns the names, and the seconds that it was told to wait.
func readAll(account *Account) (names, waits []string, err error) {
	var page []item
	for {
		after := ""
		if len(page) > 0 {
			after = "&after=" + page[len(page)-1].ID
		}
		status, header, text, err := get(account, "/automations?limit=2"+after)
		switch {
		case err != nil:
			return names, waits, err
		case status == 429:
			waits = append(waits, header.Get("Retry-After")) // Here a client sleeps. Then it repeats the request.
		case status == 404:
			page = page[:len(page)-1] // The record of the cursor has been removed: go on from its neighbour.
		case status == 200:
			var body struct {
				HasMore bool `json:"has_more"`
				Data    []item
			}
			if err := json.Unmarshal(text, &body); err != nil {
				return names, waits, err
			}
			page = body.Data
			for _, it := range page {
				names = append(names, it.Name)
			}
			if !body.HasMore {
				return names, waits, nil
			}
		default:
			return names, waits, fmt.Errorf("status %d", status)
		}
	}
}

func assertEqual(t *testing.T, want, got any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("want %v, got %v", want, got)
	}
}

func assertList(t *testing.T, account *Account, wantNames, wantWaits []string) {
	t.Helper()
	names, waits, err := readAll(account)
	if err != nil {
		t.Fatal(err)
	}
	assertEqual(t, wantNames, names)
	assertEqual(t, wantWaits, waits)
}

func statuses(account *Account) string {
	values := []any{}
	for _, it := range account.Requests("") {
		values = append(values, it["status"])
	}
	return fmt.Sprint(values...)
}

func TestTheAPIReturnsWhatWasBuilt(t *testing.T) {
	t.Parallel()
	imports := []M{}
	for _, status := range []string{"queued", "in_progress", "completed", "failed"} {
		imports = append(imports, ContactImport(M{"status": status}))
	}
	properties := []M{ContactProperty(nil), ContactProperty(M{"type": "number"}), ContactProperty(M{"type": "number", "fallback_value": 3})}
	automations := []M{Automation(M{"status": "disabled"})}
	account := NewAccount(t, M{"automations": automations, "contactProperties": properties, "contactImports": imports})
	for path, want := range map[string][]M{"/automations": automations, "/contact-properties": properties, "/contacts/imports": imports} {
		_, _, text, err := get(account, path)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Data any }
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		wanted, _ := json.Marshal(want) // Both with sorted keys.
		returned, _ := json.Marshal(got.Data)
		assertEqual(t, string(wanted), string(returned))
	}
}

func TestACursorThatIsRemoved(t *testing.T) {
	t.Parallel()
	automations, names := five()
	account := NewAccount(t, M{"automations": automations})
	cue := account.Scenario("cursor-removed", M{"limit": 2})
	assertList(t, account, names, nil)
	assertEqual(t, "200 404 200 200", statuses(account))
	assertEqual(t, 1, cue.Fired())
}

func TestA429Midway(t *testing.T) {
	t.Parallel()
	automations, names := five()
	account := NewAccount(t, M{"automations": automations})
	limited := M{"fail": M{"status": 429, "retryAfter": 7}}
	account.Cue(M{"when": M{"operation": "listAutomations", "nth": 2}, "then": []M{limited}})
	assertList(t, account, names, []string{"7"})
	assertEqual(t, "200 429 200 200", statuses(account))
	assertEqual(t, 1, len(account.Requests("status=429")))
}

func TestAnActionThatFails(t *testing.T) {
	if os.Getenv("ACTION_FAILS") == "" { // The test below must fail, which only another process can see.
		t.Parallel()
		suite := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		suite.Env = append(os.Environ(), "ACTION_FAILS=1")
		output, err := suite.CombinedOutput()
		if want := "cue 1 has fired, but its actions failed: There is no contact import "; err == nil || !strings.Contains(string(output), want) {
			t.Fatalf("want %q, got %v %s", want, err, output)
		}
		return
	}
	account := NewAccount(t, nil)
	id := ContactImport(nil)["id"]
	cue := account.Cue(M{"when": M{}, "then": []M{{"moveImport": M{"id": id}}}})
	assertEqual(t, 0, cue.Fired())
	assertList(t, account, nil, nil)
	assertEqual(t, []string{fmt.Sprintf("There is no contact import %s.", id)}, cue.Errors())
	cue.Fired()
}

func TestInParallel(t *testing.T) {
	for number := 1; number <= 20; number++ {
		number := number // Before Go 1.22 all turns of a loop share one variable.
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			t.Parallel()
			first, second := fmt.Sprint("First of ", number), fmt.Sprint("Second of ", number)
			automation := Automation(M{"name": first})
			account := NewAccount(t, M{"automations": []M{automation}})
			account.Fail(M{"error": "rate_limit_exceeded", "retryAfter": number}, 1)
			remove := M{"remove": M{"collection": "automations", "ids": []any{automation["id"]}}}
			cue := account.Cue(M{"when": M{"operation": "listAutomations", "nth": 3}, "then": []M{remove}})
			assertList(t, account, []string{first}, []string{fmt.Sprint(number)})
			account.Post("put", M{"collection": "automations", "records": []M{Automation(M{"name": second})}})
			assertList(t, account, []string{second}, nil)
			assertEqual(t, "429 200 200", statuses(account))
			assertEqual(t, 1, cue.Fired())
		})
	}
}

func TestTheServerEndsWithASuiteThatIsKilled(t *testing.T) {
	if os.Getenv("TO_BE_KILLED") != "" { // It is that suite.
		if err := start(); err != nil {
			t.Fatal(err)
		}
		fmt.Println(server.URL)
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	t.Parallel()
	suite := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	suite.Env = append(os.Environ(), "TO_BE_KILLED=1")
	_, inputErr := suite.StdinPipe() // Open until the suite has ended.
	output, outputErr := suite.StdoutPipe()
	messages, messagesErr := suite.StderrPipe()
	for _, err := range []error{inputErr, outputErr, messagesErr, suite.Start()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	late := time.AfterFunc(deadline, func() { _, _ = suite.Process.Kill(), messages.Close() })
	defer late.Stop()
	url, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url = strings.TrimSpace(url) + "/automations"
	status, _, err := send(http.MethodGet, url, "unknown", nil)
	if err != nil {
		t.Fatal(err)
	}
	assertEqual(t, 401, status)
	if err := suite.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, messages) // The server has the same standard error: that ends with both.
	_ = suite.Wait()
	if status, _, err := send(http.MethodGet, url, "unknown", nil); err == nil {
		t.Fatalf("it still responds with %d", status)
	}
}
