// A driver in Go, on the standard library: no retries, and records as raw JSON. It keeps to Go 1.19.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"
)

var paths = map[string]string{
	"automations":        "/automations",
	"contact-properties": "/contact-properties",
	"contact-imports":    "/contacts/imports",
}
var client = &http.Client{Timeout: 10 * time.Second}

type item struct {
	ID     string
	record json.RawMessage
}

// UnmarshalJSON keeps an item as it was received.
func (it *item) UnmarshalJSON(record []byte) error {
	it.record = append(it.record, record...)
	var read struct {
		ID string `json:"id"`
	}
	err := json.Unmarshal(record, &read)
	it.ID = read.ID
	return err
}

type page struct {
	Data    []item `json:"data"`
	HasMore *bool  `json:"has_more"`
}

func fail(status int, name string) {
	fmt.Printf("error %d %s\n", status, name)
	os.Exit(10)
}

// get reads the body of a response into a value, or ends the program with an error.
func get(path string, value interface{}) {
	request, err := http.NewRequest("GET", os.Getenv("ROLLCALL_BASE_URL")+path, nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ROLLCALL_API_KEY"))
	response, err := client.Do(request)
	if err != nil {
		fail(0, "network")
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		fail(response.StatusCode, "unreadable")
	}
	if response.StatusCode != http.StatusOK {
		var problem struct{ Name string }
		if json.Unmarshal(body, &problem) != nil || problem.Name == "" {
			problem.Name = "unreadable"
		}
		fail(response.StatusCode, problem.Name)
	}
	if json.Unmarshal(body, value) != nil {
		fail(response.StatusCode, "unreadable")
	}
}

func printRecord(record json.RawMessage) {
	var line bytes.Buffer
	if json.Compact(&line, record) != nil {
		fail(200, "unreadable")
	}
	fmt.Println(line.String())
}

func main() {
	task, name := os.Args[1], os.Args[2]
	if task == "get" {
		var record json.RawMessage
		get("/contacts/imports/"+url.PathEscape(name), &record)
		printRecord(record)
		return
	}
	path, isKnown := paths[name]
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
	for {
		var it page
		get(path+"?"+query.Encode(), &it)
		if it.HasMore == nil || it.Data == nil {
			fail(200, "unreadable") // It is no page.
		}
		for _, item := range it.Data {
			if task == "records" {
				printRecord(item.record)
			} else {
				fmt.Println(item.ID)
			}
		}
		if task != "list-all" || !*it.HasMore {
			return
		}
		next := len(it.Data) - 1
		if cursor == "before" {
			next = 0
		}
		if len(it.Data) == 0 || it.Data[next].ID == query.Get(cursor) {
			fail(200, "unreadable") // The server does not move on.
		}
		query.Set(cursor, it.Data[next].ID)
	}
}
