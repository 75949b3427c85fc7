// The seven things, with the client that ogen makes.
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

	first := page(client, rollcall.ListAutomationsParams{})
	expect("the first automation", string(first.Data[0].ID), want.FirstAutomationId)
	expect("automations", walk(client, rollcall.OptAutomationStatus{}), want.Automations)

	enabled := rollcall.NewOptAutomationStatus(rollcall.AutomationStatusEnabled)
	expect("enabled automations", walk(client, enabled), want.Enabled)

	found := answerOf[*rollcall.ContactImportFoundHeaders](lookUp(client, want.ImportId))
	expect("counts.created", found.Response.Counts.Created, want.ImportCreated)

	if values := fallbackValues(client); !reflect.DeepEqual(values, want.FallbackValues) {
		log.Fatalf("fallback values: %v, not %v", values, want.FallbackValues)
	}

	unknown := lookUp(client, "00000000-0000-4000-8000-000000000000")
	notFound := answerOf[*rollcall.NotFoundHeaders](unknown)
	expectProblem(notFound.Response, http.StatusNotFound, rollcall.ProblemNameNotFound)

	refused := answerOf[*rollcall.UnauthorizedHeaders](lookUp(clientWith("wrong"), want.ImportId))
	expectProblem(refused.Response, http.StatusUnauthorized, rollcall.ProblemNameInvalidAPIKey)
}

func readExpected() (want expected) {
	text, err := os.ReadFile(os.Getenv("EXPECTED"))
	must(err)
	must(json.Unmarshal(text, &want))
	return want
}

type key string

// BearerKey makes a key a rollcall.SecuritySource.
func (it key) BearerKey(context.Context, rollcall.OperationName) (rollcall.BearerKey, error) {
	return rollcall.BearerKey{Token: string(it)}, nil
}

func clientWith(secret string) *rollcall.Client {
	client, err := rollcall.NewClient(os.Getenv("ROLLCALL_URL"), key(secret))
	must(err)
	return client
}

func page(client *rollcall.Client, params rollcall.ListAutomationsParams) rollcall.AutomationList {
	answer, err := client.ListAutomations(context.Background(), params)
	must(err)
	list := answerOf[*rollcall.AutomationsPageHeaders](answer).Response
	if len(list.Data) == 0 {
		log.Fatal("a page without automations")
	}
	return list
}

func walk(client *rollcall.Client, status rollcall.OptAutomationStatus) int {
	seen := map[rollcall.ID]bool{}
	params := rollcall.ListAutomationsParams{Limit: rollcall.NewOptInt32(100), Status: status}
	for {
		list := page(client, params)
		for _, it := range list.Data {
			if seen[it.ID] || it.Status != status.Or(it.Status) {
				log.Fatalf("a walk does not answer this: %v", it)
			}
			seen[it.ID] = true
		}
		if !list.HasMore {
			return len(seen)
		}
		params.After = rollcall.NewOptAnyCaseId(rollcall.AnyCaseId(list.Data[len(list.Data)-1].ID))
	}
}

func fallbackValues(client *rollcall.Client) (values []any) {
	answer, err := client.ListContactProperties(context.Background(), rollcall.ListContactPropertiesParams{})
	must(err)
	for _, it := range answerOf[*rollcall.ContactPropertiesPageHeaders](answer).Response.Data {
		values = append(values, valueOf(it.FallbackValue))
	}
	return values
}

func valueOf(it rollcall.FallbackValue) any {
	if text, ok := it.GetString(); ok {
		return text
	}
	if number, ok := it.GetFloat64(); ok {
		return number
	}
	return nil
}

func lookUp(client *rollcall.Client, id string) rollcall.GetContactImportRes {
	answer, err := client.GetContactImport(context.Background(), rollcall.GetContactImportParams{ID: rollcall.AnyCaseId(id)})
	must(err)
	return answer
}

func answerOf[Want any](answer any) Want {
	it, ok := answer.(Want)
	if !ok {
		log.Fatalf("%T, not %T: %+v", answer, it, answer)
	}
	return it
}

func expectProblem(problem rollcall.Problem, status int32, name rollcall.ProblemName) {
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
