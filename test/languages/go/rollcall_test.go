package suite

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"
)

type page struct {
	HasMore bool `json:"has_more"`
	Data    []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"data"`
}

func demandStatus(t *testing.T, want int, got Answer) {
	t.Helper()
	if got.Err != nil || got.Status != want {
		t.Fatalf("want status %d, got %d %v %s", want, got.Status, got.Err, got.Body)
	}
}

func TestPagesHoldEveryRecordOnce(t *testing.T) {
	server := Start(t, "go-suite")
	var names []string
	for after := ""; ; {
		answer := server.Get("/automations?limit=2" + after)
		demandStatus(t, 200, answer)
		var it page
		if err := json.Unmarshal(answer.Body, &it); err != nil {
			t.Fatal(err)
		}
		for _, automation := range it.Data {
			names = append(names, automation.Name)
		}
		if !it.HasMore {
			break
		}
		after = "&after=" + it.Data[len(it.Data)-1].ID
	}
	want := []string{"Welcome", "Review request", "Cart left", "Win back", "Birthday"}
	if !reflect.DeepEqual(want, names) {
		t.Fatalf("want %q, got %q", want, names)
	}
}

func TestAFaultIsMetAsOftenAsWasAsked(t *testing.T) {
	server := Start(t, "go-suite")
	demandStatus(t, 204, server.Fail(`{"status": 429, "retryAfter": 7, "operation": "listAutomations", "times": 2}`))
	for range [2]int{} {
		answer := server.Get("/automations")
		demandStatus(t, 429, answer)
		if seconds := answer.Header.Get("Retry-After"); seconds != "7" {
			t.Fatalf("want 7 seconds, got %q", seconds)
		}
	}
	demandStatus(t, 200, server.Get("/automations"))
}

func TestABodyThatIsCutOff(t *testing.T) {
	server := Start(t, "go-suite")
	server.Fail(`{"body": "cut"}`)
	if answer := server.Get("/automations"); !errors.Is(answer.Err, io.ErrUnexpectedEOF) {
		t.Fatalf("want a body that ends too early, got %v", answer.Err)
	}
}

func TestFaultsAreClearedAndChecked(t *testing.T) {
	server := Start(t, "go-suite")
	server.Fail(`{"error": "service_unavailable", "times": "always"}`)
	demandStatus(t, 503, server.Get("/automations"))
	server.NoFaults()
	demandStatus(t, 200, server.Get("/automations"))
	refused := server.Fail(`{"status": 418}`)
	demandStatus(t, 422, refused)
	if !strings.Contains(string(refused.Body), "There is no error of status 418.") {
		t.Fatalf("it does not say why: %s", refused.Body)
	}
}

func TestItEndsWithASuiteThatIsKilled(t *testing.T) {
	if os.Getenv("TO_BE_KILLED") != "" { // It is that suite.
		fmt.Println(Start(t, "go-suite").URL)
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	suite := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	suite.Env = append(os.Environ(), "TO_BE_KILLED=1")
	_, inputErr := suite.StdinPipe()
	output, outputErr := suite.StdoutPipe()
	faults, faultsErr := suite.StderrPipe()
	if err := errors.Join(inputErr, outputErr, faultsErr, suite.Start()); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(startTime, func() { _, _ = suite.Process.Kill(), faults.Close() })
	defer late.Stop()
	url, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	server := &Rollcall{URL: strings.TrimSpace(url)}
	demandStatus(t, 401, server.Get("/automations"))
	if err := suite.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, faults) // The server has the same standard error: that ends with both.
	_ = suite.Wait()
	if answer := server.Get("/automations"); answer.Err == nil {
		t.Fatal("it still answers")
	}
}

func TestItStops(t *testing.T) {
	server := Start(t, "go-suite")
	if code := server.Stop(); code != 0 {
		t.Fatalf("want exit code 0, got %d", code)
	}
	if answer := server.Get("/automations"); answer.Err == nil {
		t.Fatal("it still answers")
	}
}
