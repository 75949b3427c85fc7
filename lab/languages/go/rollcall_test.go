// A suite of a team that writes Go. What it tests is readAll and poll, which stand for the team's own client.
package suite

import (
	"bufio"
	"encoding/json"
	"errors"
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

const importID = "00000000-0000-4000-9000-000000000001"

var names = []string{"Welcome", "Review request", "Cart left", "Win back", "Birthday"}

func idOf(number int) string {
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", number)
}

// automation returns an automation: the larger the number, the newer.
func automation(number int, name string) M {
	at := fmt.Sprintf("2026-04-%d 08:00:00+00", 10+number)
	return M{"id": idOf(number), "name": name, "status": "enabled", "created_at": at, "updated_at": at}
}

func five() M {
	return M{"automations": []M{
		automation(1, "Birthday"),
		automation(2, "Win back"),
		automation(3, "Cart left"),
		automation(4, "Review request"),
		automation(5, "Welcome"),
	}}
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
		response := account.Get("/automations?limit=2" + after)
		switch {
		case response.Err != nil:
			return names, waits, response.Err
		case response.Status == 429:
			waits = append(waits, response.Header.Get("Retry-After")) // Here a client sleeps. Then it repeats the request.
		case response.Status == 404:
			page = page[:len(page)-1] // The record of the cursor has been removed: go on from its neighbour.
		case response.Status == 200:
			var body struct {
				HasMore bool `json:"has_more"`
				Data    []item
			}
			if err := json.Unmarshal(response.Body, &body); err != nil {
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
			return names, waits, fmt.Errorf("status %d", response.Status)
		}
	}
}

// poll polls the import until it has ended, or so many times. It returns the status and the total of each time.
func poll(account *Account, times int) (seen []string, err error) {
	for len(seen) < times {
		response := account.Get("/contacts/imports/" + importID)
		var body struct {
			Status string
			Counts struct{ Total int }
		}
		if err := json.Unmarshal(response.Body, &body); err != nil || response.Status != 200 {
			return seen, fmt.Errorf("status %d: %v", response.Status, err)
		}
		seen = append(seen, fmt.Sprintf("%s %d", body.Status, body.Counts.Total))
		if body.Status == "completed" || body.Status == "failed" {
			break
		}
	}
	return seen, nil
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

// valuesOf returns a property of each cue or request of an account, as text.
func valuesOf(account *Account, path, property string) string {
	values := []any{}
	for _, it := range account.List(path) {
		values = append(values, it[property])
	}
	return fmt.Sprint(values...)
}

func TestAnImportThatMoves(t *testing.T) {
	t.Parallel()
	counts := M{"total": 0, "created": 0, "updated": 0, "skipped": 0, "failed": 0}
	queued := M{"object": "contact_import", "id": importID, "status": "queued", "counts": counts}
	queued["created_at"], queued["completed_at"] = "2026-04-16 08:00:00+00", nil
	account := NewAccount(t, M{"contactImports": []M{queued}})
	move := M{"moveImport": M{"id": importID, "total": 100}}
	account.Post("cues", M{"when": M{"operation": "getContactImport", "nth": 2}, "then": []M{move}, "times": 2})
	seen, err := poll(account, 5)
	if err != nil {
		t.Fatal(err)
	}
	assertEqual(t, []string{"queued 0", "in_progress 100", "completed 100"}, seen)
	assertEqual(t, "2", valuesOf(account, "cues", "fired"))
}

func TestACursorThatIsRemoved(t *testing.T) {
	t.Parallel()
	account := NewAccount(t, five())
	remove := M{"remove": M{"collection": "automations", "ids": []string{idOf(4)}}}
	account.Post("cues", M{"when": M{"cursor": idOf(4)}, "then": []M{remove}})
	assertList(t, account, names, nil)
	assertEqual(t, "200 404 200 200", valuesOf(account, "requests", "status"))
}

func TestA429Midway(t *testing.T) {
	t.Parallel()
	account := NewAccount(t, five())
	limited := M{"fail": M{"status": 429, "retryAfter": 7}}
	account.Post("cues", M{"when": M{"operation": "listAutomations", "nth": 2}, "then": []M{limited}})
	assertList(t, account, names, []string{"7"})
	assertEqual(t, "200 429 200 200", valuesOf(account, "requests", "status"))
}

func TestATruncatedBody(t *testing.T) {
	t.Parallel()
	account := NewAccount(t, five())
	account.Post("faults", M{"fault": M{"body": "cut"}})
	if _, _, err := readAll(account); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("want a body that ends too early, got %v", err)
	}
	assertList(t, account, names, nil)
}

func TestInParallel(t *testing.T) {
	for number := 1; number <= 20; number++ {
		number := number // Before Go 1.22 all turns of a loop share one variable.
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			t.Parallel()
			first, second := fmt.Sprint("First of ", number), fmt.Sprint("Second of ", number)
			account := NewAccount(t, M{"automations": []M{automation(1, first)}})
			account.Post("faults", M{"fault": M{"error": "rate_limit_exceeded", "retryAfter": number}})
			remove := M{"remove": M{"collection": "automations", "ids": []string{idOf(1)}}}
			account.Post("cues", M{"when": M{"operation": "listAutomations", "nth": 3}, "then": []M{remove}})
			assertEqual(t, fmt.Sprint(number), account.Get("/automations").Header.Get("Retry-After"))
			assertList(t, account, []string{first}, nil)
			account.Post("put", M{"collection": "automations", "records": []M{automation(2, second)}})
			assertList(t, account, []string{second}, nil)
			assertEqual(t, "429 200 200", valuesOf(account, "requests", "status"))
			assertEqual(t, "1", valuesOf(account, "cues", "fired"))
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
	assertEqual(t, 401, send(http.MethodGet, url, "unknown", nil).Status)
	if err := suite.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, messages) // The server has the same standard error: that ends with both.
	_ = suite.Wait()
	if response := send(http.MethodGet, url, "unknown", nil); response.Err == nil {
		t.Fatalf("it still responds with %d", response.Status)
	}
}
