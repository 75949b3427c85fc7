// The seven things, with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"reflect"

	rollcall "github.com/GIT_USER_ID/GIT_REPO_ID"
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
	client := newClient()
	right := withKey(os.Getenv("ROLLCALL_API_KEY"))

	first, _, err := client.AutomationsAPI.ListAutomations(right).Execute()
	must(err)
	expect("the first automation", first.Data[0].Id, want.FirstAutomationId)
	expect("automations", walk(client.AutomationsAPI.ListAutomations(right), ""), want.Automations)

	enabled := rollcall.ENABLED
	onlyEnabled := client.AutomationsAPI.ListAutomations(right).Status(enabled)
	expect("enabled automations", walk(onlyEnabled, enabled), want.Enabled)

	found, _, err := client.ContactImportsAPI.GetContactImport(right, want.ImportId).Execute()
	must(err)
	expect("counts.created", found.Counts.Created, want.ImportCreated)

	properties, _, err := client.ContactPropertiesAPI.ListContactProperties(right).Execute()
	must(err)
	var values []any
	for _, it := range properties.Data {
		value := it.GetFallbackValue()
		values = append(values, value.GetActualInstanceValue())
	}
	if !reflect.DeepEqual(values, want.FallbackValues) {
		log.Fatalf("fallback values: %v, not %v", values, want.FallbackValues)
	}

	_, _, err = client.ContactImportsAPI.GetContactImport(right, "00000000-0000-4000-8000-000000000000").Execute()
	expectProblem(err, http.StatusNotFound, rollcall.NOT_FOUND)

	_, _, err = client.ContactImportsAPI.GetContactImport(withKey("wrong"), want.ImportId).Execute()
	expectProblem(err, http.StatusUnauthorized, rollcall.INVALID_API_KEY)
}

func readExpected() (want expected) {
	text, err := os.ReadFile(os.Getenv("EXPECTED"))
	must(err)
	must(json.Unmarshal(text, &want))
	return want
}

func newClient() *rollcall.APIClient {
	configuration := rollcall.NewConfiguration()
	configuration.Servers = rollcall.ServerConfigurations{{URL: os.Getenv("ROLLCALL_URL")}}
	return rollcall.NewAPIClient(configuration)
}

func withKey(key string) context.Context {
	return context.WithValue(context.Background(), rollcall.ContextAccessToken, key)
}

func walk(request rollcall.ApiListAutomationsRequest, status rollcall.AutomationStatus) int {
	seen := map[string]bool{}
	request = request.Limit(100)
	for {
		list, _, err := request.Execute()
		must(err)
		for _, it := range list.Data {
			if seen[it.Id] || status != "" && it.Status != status {
				log.Fatalf("a walk does not answer this: %v", it)
			}
			seen[it.Id] = true
		}
		if !list.HasMore {
			return len(seen)
		}
		request = request.After(list.Data[len(list.Data)-1].Id)
	}
}

func expectProblem(err error, status int32, name rollcall.ProblemName) {
	var typed *rollcall.GenericOpenAPIError
	if !errors.As(err, &typed) {
		log.Fatalf("%s: %v", name, err)
	}
	problem, ok := typed.Model().(rollcall.Problem)
	if !ok {
		log.Fatalf("%s: no typed error: %v", name, err)
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
