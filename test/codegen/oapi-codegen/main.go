// The seven things, with the client that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"reflect"

	"codegen/rollcall"
)

type expected struct {
	Automations       int
	FirstAutomationId string
	Enabled           int
	ImportId          string
	ImportCreated     int32
	FallbackValues    []any
}

func main() {
	want := readExpected()
	client := clientWith(os.Getenv("ROLLCALL_API_KEY"))

	first := page(client, &rollcall.ListAutomationsParams{})
	expect("the first automation", first.Data[0].Id, want.FirstAutomationId)
	expect("automations", walk(client, nil), want.Automations)

	enabled := rollcall.Enabled
	expect("enabled automations", walk(client, &enabled), want.Enabled)

	found := lookUp(client, want.ImportId)
	if found.JSON200 == nil {
		log.Fatalf("import: %s", found.HTTPResponse.Status)
	}
	expect("counts.created", found.JSON200.Counts.Created, want.ImportCreated)

	if values := fallbackValues(client); !reflect.DeepEqual(values, want.FallbackValues) {
		log.Fatalf("fallback values: %v, not %v", values, want.FallbackValues)
	}

	unknown := lookUp(client, "00000000-0000-4000-8000-000000000000")
	expectProblem(unknown.JSON404, http.StatusNotFound, rollcall.ProblemNameNotFound)

	refused := lookUp(clientWith("wrong"), want.ImportId)
	expectProblem(refused.JSON401, http.StatusUnauthorized, rollcall.ProblemNameInvalidApiKey)
}

func readExpected() (want expected) {
	text, err := os.ReadFile(os.Getenv("EXPECTED"))
	must(err)
	must(json.Unmarshal(text, &want))
	return want
}

func clientWith(key string) *rollcall.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client, err := rollcall.NewClientWithResponses(os.Getenv("ROLLCALL_URL"), rollcall.WithRequestEditorFn(authorize))
	must(err)
	return client
}

func page(client *rollcall.ClientWithResponses, params *rollcall.ListAutomationsParams) *rollcall.AutomationList {
	answer, err := client.ListAutomationsWithResponse(context.Background(), params)
	must(err)
	if answer.JSON200 == nil || len(answer.JSON200.Data) == 0 {
		log.Fatalf("no page of automations: %s %s", answer.HTTPResponse.Status, answer.Body)
	}
	return answer.JSON200
}

func walk(client *rollcall.ClientWithResponses, status *rollcall.AutomationStatus) int {
	limit, seen := int32(100), map[rollcall.Id]bool{}
	params := rollcall.ListAutomationsParams{Limit: &limit, Status: status}
	for {
		list := page(client, &params)
		for _, it := range list.Data {
			if seen[it.Id] || status != nil && it.Status != *status {
				log.Fatalf("a walk does not answer this: %v", it)
			}
			seen[it.Id] = true
		}
		if !list.HasMore {
			return len(seen)
		}
		params.After = &list.Data[len(list.Data)-1].Id
	}
}

func fallbackValues(client *rollcall.ClientWithResponses) (values []any) {
	answer, err := client.ListContactPropertiesWithResponse(context.Background(), &rollcall.ListContactPropertiesParams{})
	must(err)
	for _, it := range answer.JSON200.Data {
		values = append(values, valueOf(it.FallbackValue))
	}
	return values
}

func valueOf(it rollcall.FallbackValue) any {
	// First, because Go reads null as an empty string too.
	if raw, err := it.MarshalJSON(); err == nil && string(raw) == "null" {
		return nil
	}
	if text, err := it.AsFallbackValue0(); err == nil {
		return text
	}
	number, err := it.AsFallbackValue1()
	must(err)
	return number
}

func lookUp(client *rollcall.ClientWithResponses, id string) *rollcall.GetContactImportResponse {
	answer, err := client.GetContactImportWithResponse(context.Background(), id, &rollcall.GetContactImportParams{})
	must(err)
	return answer
}

func expectProblem(problem *rollcall.Problem, status int32, name rollcall.ProblemName) {
	if problem == nil {
		log.Fatalf("%s: no typed error", name)
	}
	expect("statusCode", problem.StatusCode, status)
	expect("name", problem.Name, name)
}

func expect[T comparable](what string, got, want T) {
	if got != want {
		log.Fatalf("%s: %v, not %v", what, got, want)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
