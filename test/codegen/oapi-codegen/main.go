package main

import (
	"context"
	"log"
	"net/http"

	"codegen/rollcall"
)

type client struct{ *rollcall.ClientWithResponses }

func main() {
	doThings(connect, rollcall.ProblemNameNotFound, rollcall.ProblemNameInvalidApiKey)
}

func connect(url, key string) Client[rollcall.ProblemName] {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	made, err := rollcall.NewClientWithResponses(url, rollcall.WithRequestEditorFn(authorize))
	must(err)
	return client{made}
}

func (it client) FirstPage() Page { return it.page(&rollcall.ListAutomationsParams{}) }

func (it client) Automations(limit int32, after string, onlyEnabled bool) Page {
	params := rollcall.ListAutomationsParams{Limit: &limit}
	if after != "" {
		params.After = &after
	}
	if enabled := rollcall.Enabled; onlyEnabled {
		params.Status = &enabled
	}
	return it.page(&params)
}

func (it client) page(params *rollcall.ListAutomationsParams) Page {
	answer, err := it.ListAutomationsWithResponse(context.Background(), params)
	must(err)
	if answer.JSON200 == nil {
		log.Fatalf("no page of automations: %s %s", answer.HTTPResponse.Status, answer.Body)
	}
	page := Page{HasMore: answer.JSON200.HasMore}
	for _, it := range answer.JSON200.Data {
		page.Ids = append(page.Ids, it.Id)
	}
	return page
}

func (it client) Created(importId string) int32 { return it.lookUp(importId).JSON200.Counts.Created }

func (it client) FallbackValues() (values []any) {
	answer, err := it.ListContactPropertiesWithResponse(context.Background(), &rollcall.ListContactPropertiesParams{})
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

func (it client) Failure(importId string) Failure[rollcall.ProblemName] {
	answer := it.lookUp(importId)
	problem := answer.JSON404
	if problem == nil {
		problem = answer.JSON401
	}
	return Failure[rollcall.ProblemName]{answer.StatusCode(), int(problem.StatusCode), problem.Name}
}

func (it client) lookUp(id string) *rollcall.GetContactImportResponse {
	answer, err := it.GetContactImportWithResponse(context.Background(), id, &rollcall.GetContactImportParams{})
	must(err)
	return answer
}
