// The seven things that every generated client has to do. A row's main.go says how, with its generated code.
package main

import (
	"encoding/json"
	"log"
	"os"
	"reflect"
)

const unknownId = "00000000-0000-4000-8000-000000000000"

type Page struct {
	HasMore bool
	Ids     []string
}

// Failure has the status of the answer, that of its body, and the name of the generated type.
type Failure[Name comparable] struct {
	Status, StatusInBody int
	Name                 Name
}

type Client[Name comparable] interface {
	// FirstPage is asked for without any parameter.
	FirstPage() Page
	// Automations after an item, unless that is empty; all of them, or the enabled ones.
	Automations(limit int32, after string, onlyEnabled bool) Page
	Created(importId string) int32
	// FallbackValues are those of all contact properties, in their order.
	FallbackValues() []any
	// Failure is how looking up a contact import fails. It ends the program if it does not.
	Failure(importId string) Failure[Name]
}

type expected struct {
	Automations       int
	FirstAutomationId string
	Enabled           int
	ImportId          string
	ImportCreated     int32
	FallbackValues    []any
}

// doThings does them with clients that connect makes of an address and a key.
func doThings[Name comparable](connect func(url, key string) Client[Name], notFound, invalidApiKey Name) {
	var want expected
	text, err := os.ReadFile(os.Getenv("EXPECTED"))
	must(err)
	must(json.Unmarshal(text, &want))
	url, key := os.Getenv("ROLLCALL_URL"), os.Getenv("ROLLCALL_API_KEY")
	client := connect(url, key)

	expect("the first automation", client.FirstPage().Ids[0], want.FirstAutomationId)
	expect("automations", count(client, false), want.Automations)
	expect("enabled automations", count(client, true), want.Enabled)
	expect("counts.created", client.Created(want.ImportId), want.ImportCreated)
	expect("fallback values", client.FallbackValues(), want.FallbackValues)
	expect("an unknown import", client.Failure(unknownId), Failure[Name]{404, 404, notFound})
	expect("a wrong key", connect(url, key+"x").Failure(want.ImportId), Failure[Name]{401, 401, invalidApiKey})
}

// count follows the pages of automations to the last one.
func count[Name comparable](client Client[Name], onlyEnabled bool) int {
	seen, after := map[string]bool{}, ""
	for {
		page := client.Automations(100, after, onlyEnabled)
		for _, id := range page.Ids {
			if seen[id] {
				log.Fatalf("answered twice: %s", id)
			}
			seen[id] = true
		}
		if !page.HasMore {
			return len(seen)
		}
		after = page.Ids[len(page.Ids)-1]
	}
}

func expect(what string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		log.Fatalf("%s: %v, not %v", what, got, want)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
