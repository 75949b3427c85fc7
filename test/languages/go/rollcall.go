// Package suite starts a Rollcall server for a test suite, with the standard library alone.
package suite

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	startTime  = 60 * time.Second
	answerTime = 10 * time.Second
)

// Rollcall is a server that runs.
type Rollcall struct {
	URL    string `json:"url"`
	Key    string `json:"key"`
	Faults string `json:"faults"`

	t       *testing.T
	process *exec.Cmd
	// The server stops when its end of this pipe does. The system closes it when this process is gone, however that ends.
	input io.WriteCloser
}

// Answer is what a request was answered with.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	// Err says why the answer did not come whole.
	Err error
}

// Start starts a server, and stops it when the test has ended.
func Start(t *testing.T, key string) *Rollcall {
	t.Helper()
	process := exec.Command(os.Getenv("ROLLCALL"), "demo",
		"--seed", os.Getenv("SEED"), "--key", key, "--port", "0", "--faults", "--json", "--exit-with-parent")
	process.Stderr = os.Stderr
	output, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	input, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(startTime, func() { _ = process.Process.Kill() })
	line, err := bufio.NewReader(output).ReadString('\n') // One line of JSON, once it listens.
	late.Stop()
	server := &Rollcall{t: t, process: process, input: input}
	if err == nil {
		err = json.Unmarshal([]byte(line), server)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	if err != nil {
		t.Fatalf("rollcall does not start: %v", err)
	}
	return server
}

// Get asks the API for something.
func (server *Rollcall) Get(target string) Answer {
	return server.send(http.MethodGet, server.URL+target, "")
}

// Fail has the next requests meet with a fault, such as {"status": 503, "times": 2}.
func (server *Rollcall) Fail(fault string) Answer {
	return server.send(http.MethodPost, server.Faults, fault)
}

// NoFaults clears all faults.
func (server *Rollcall) NoFaults() Answer {
	return server.send(http.MethodDelete, server.Faults, "")
}

// Stop stops the server, and returns its exit code.
func (server *Rollcall) Stop() int {
	server.t.Helper()
	if err := server.process.Process.Signal(syscall.SIGTERM); err != nil {
		server.t.Fatal(err)
	}
	_ = server.process.Wait()
	return server.process.ProcessState.ExitCode()
}

func (server *Rollcall) send(method, url, body string) Answer {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return Answer{Err: err}
	}
	request.Header.Set("Authorization", "Bearer "+server.Key)
	response, err := (&http.Client{Timeout: answerTime}).Do(request)
	if err != nil {
		return Answer{Err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return Answer{response.StatusCode, response.Header, text, err}
}
