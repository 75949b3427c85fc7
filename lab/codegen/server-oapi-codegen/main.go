// A server of the contract in memory: what oapi-codegen generates, filled. It runs `rollcall conform` against itself.
package main

import (
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"codegen/rollcall"
)

// account has the records of its one key, newest first.
type account struct {
	Automations       []rollcall.Automation
	ContactProperties []rollcall.ContactProperty
	ContactImports    []rollcall.ContactImport
}

func main() {
	var records account
	text, err := os.ReadFile(os.Getenv("RECORDS"))
	must(err)
	must(json.Unmarshal(text, &records))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	key := os.Getenv("ROLLCALL_API_KEY")
	go func() { must(http.Serve(listener, guard(key, rollcall.Handler(records)))) }()

	conform := exec.Command("node", os.Getenv("ROLLCALL"), "conform", "http://"+listener.Addr().String(), "--key", key)
	conform.Stdout, conform.Stderr = os.Stderr, os.Stderr
	must(conform.Run())
}

func (it account) ListAutomations(w http.ResponseWriter, r *http.Request, params rollcall.ListAutomationsParams) {
	keep := func(it rollcall.Automation) bool { return params.Status == nil || it.Status == *params.Status }
	id := func(it rollcall.Automation) string { return it.Id }
	data, more, found := page(it.Automations, id, keep, limit(params.Limit, 20), params.After, params.Before)
	answer(w, r, found, rollcall.AutomationList{Object: "list", HasMore: more, Data: data})
}

func (it account) ListContactProperties(w http.ResponseWriter, r *http.Request, params rollcall.ListContactPropertiesParams) {
	keep := func(rollcall.ContactProperty) bool { return true }
	id := func(it rollcall.ContactProperty) string { return it.Id }
	data, more, found := page(it.ContactProperties, id, keep, limit(params.Limit, 20), params.After, params.Before)
	answer(w, r, found, rollcall.ContactPropertyList{Object: "list", HasMore: more, Data: data})
}

func (it account) ListContactImports(w http.ResponseWriter, r *http.Request, params rollcall.ListContactImportsParams) {
	keep := func(it rollcall.ContactImport) bool { return params.Status == nil || it.Status == *params.Status }
	id := func(it rollcall.ContactImport) string { return it.Id }
	data, more, found := page(it.ContactImports, id, keep, limit(params.Limit, 10), params.After, params.Before)
	answer(w, r, found, rollcall.ContactImportList{Object: "list", HasMore: more, Data: data})
}

func (it account) GetContactImport(w http.ResponseWriter, r *http.Request, id string, _ rollcall.GetContactImportParams) {
	for _, found := range it.ContactImports {
		if found.Id == strings.ToLower(id) {
			answer(w, r, true, found)
			return
		}
	}
	answer(w, r, false, nil)
}

func limit(asked *int32, otherwise int) int {
	if asked == nil {
		return otherwise
	}
	return int(*asked)
}

// page gives what follows or precedes a cursor; a cursor is looked up in the whole list, whatever is kept of it.
func page[T any](items []T, idOf func(T) string, keep func(T) bool, limit int, after, before *string) (data []T, more, found bool) {
	from, to := 0, len(items)
	for at, it := range items {
		if after != nil && idOf(it) == strings.ToLower(*after) {
			from, found = at+1, true
		}
		if before != nil && idOf(it) == strings.ToLower(*before) {
			to, found = at, true
		}
	}
	data = []T{}
	for _, it := range items[from:to] {
		if keep(it) {
			data = append(data, it)
		}
	}
	found = found || after == nil && before == nil
	more = len(data) > limit
	if more && before != nil {
		data = data[len(data)-limit:]
	} else if more {
		data = data[:limit]
	}
	return data, more, found
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
