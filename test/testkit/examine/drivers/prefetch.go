// A driver in Go that requests the next page while it prints one, retries as Retry-After says, and has typed records. It keeps to Go 1.19.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"
)

var paths = map[string]string{
	"automations":        "/automations",
	"contact-properties": "/contact-properties",
	"contact-imports":    "/contacts/imports",
}
var client = &http.Client{Timeout: 10 * time.Second}

type contactImport struct {
	Object      string           `json:"object"`
	ID          string           `json:"id"`
	Status      string           `json:"status"`
	CreatedAt   string           `json:"created_at"`
	CompletedAt *string          `json:"completed_at"`
	Counts      map[string]int64 `json:"counts"`
}

// item is an automation, a contact property or a contact import: an empty field is one that the record does not have.
type item struct {
	Object        string           `json:"object,omitempty"`
	ID            string           `json:"id"`
	Name          *string          `json:"name,omitempty"`
	Key           *string          `json:"key,omitempty"`
	Type          *string          `json:"type,omitempty"`
	FallbackValue *json.RawMessage `json:"fallback_value"`
	Status        *string          `json:"status,omitempty"`
	CreatedAt     string           `json:"created_at"`
	UpdatedAt     *string          `json:"updated_at,omitempty"`
	CompletedAt   *string          `json:"completed_at"`
	Counts        map[string]int64 `json:"counts,omitempty"`
}

type page struct {
	Data    []item `json:"data"`
	HasMore *bool  `json:"has_more"`
}

type failure struct {
	status int
	name   string
}

// once sends one request. It returns the delay after which a retry may succeed, or -1.
func once(path string, value interface{}) (time.Duration, *failure) {
	request, err := http.NewRequest("GET", os.Getenv("ROLLCALL_BASE_URL")+path, nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ROLLCALL_API_KEY"))
	response, err := client.Do(request)
	if err != nil {
		return 0, &failure{0, "network"}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, &failure{response.StatusCode, "unreadable"}
	}
	if response.StatusCode == http.StatusOK {
		if json.Unmarshal(body, value) != nil {
			return -1, &failure{200, "unreadable"}
		}
		return 0, nil
	}
	var problem struct{ Name string }
	if json.Unmarshal(body, &problem) != nil || problem.Name == "" {
		problem.Name = "unreadable"
	}
	delay := time.Duration(-1)
	if response.StatusCode == 429 || response.StatusCode >= 500 {
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		delay = time.Duration(seconds) * time.Second
	}
	return delay, &failure{response.StatusCode, problem.Name}
}

func get(path string, value interface{}) *failure {
	backoff := 30 * time.Millisecond
	for attempt := 0; ; attempt++ {
		delay, failed := once(path, value)
		if failed == nil || delay < 0 || delay > 10*time.Second || attempt == 3 {
			return failed
		}
		time.Sleep(delay + backoff)
		backoff *= 2
	}
}

func exit(failed *failure) {
	if failed != nil {
		fmt.Printf("error %d %s\n", failed.status, failed.name)
		os.Exit(10)
	}
}

type result struct {
	page   page
	failed *failure
}

func fetch(path string, query url.Values) <-chan result {
	results, target := make(chan result, 1), path+"?"+query.Encode()
	go func() {
		var it result
		it.failed = get(target, &it.page)
		results <- it
	}()
	return results
}

func main() {
	task, name := os.Args[1], os.Args[2]
	path, isKnown := paths[name]
	if task == "get" {
		var record contactImport
		exit(get("/contacts/imports/"+url.PathEscape(name), &record))
		line, _ := json.Marshal(record)
		fmt.Println(string(line))
		return
	}
	if !isKnown {
		fmt.Println("unsupported")
		return
	}
	query, cursor := url.Values{}, "after"
	for at := 3; at+1 < len(os.Args); at += 2 {
		query.Set(os.Args[at][2:], os.Args[at+1])
	}
	if query.Has("before") {
		cursor = "before"
	}
	for next := fetch(path, query); next != nil; {
		it := <-next
		exit(it.failed)
		if it.page.HasMore == nil || it.page.Data == nil {
			exit(&failure{200, "unreadable"}) // It is no page.
		}
		next = nil
		var stalled *failure
		if data := it.page.Data; task == "list-all" && *it.page.HasMore {
			at := len(data) - 1
			if cursor == "before" {
				at = 0
			}
			if len(data) > 0 && data[at].ID != query.Get(cursor) {
				query.Set(cursor, data[at].ID)
				next = fetch(path, query)
			} else {
				stalled = &failure{200, "unreadable"} // The server does not move on.
			}
		}
		for _, item := range it.page.Data {
			if task == "records" {
				line, _ := json.Marshal(item)
				fmt.Println(string(line))
			} else {
				fmt.Println(item.ID)
			}
		}
		exit(stalled)
	}
}
