package main

import (
	"context"
	"log"
	"net/http"

	"codegen/rollcall"
)

type client struct{ *rollcall.Client }

type key string

// BearerKey makes a key a rollcall.SecuritySource.
func (it key) BearerKey(context.Context, rollcall.OperationName) (rollcall.BearerKey, error) {
	return rollcall.BearerKey{Token: string(it)}, nil
}

func main() {
	doThings(connect, rollcall.ProblemNameNotFound, rollcall.ProblemNameInvalidAPIKey)
}

func connect(url, secret string) Client[rollcall.ProblemName] {
	made, err := rollcall.NewClient(url, key(secret))
	must(err)
	return client{made}
}

func (it client) FirstPage() Page { return it.page(rollcall.ListAutomationsParams{}) }

func (it client) Automations(limit int32, after string, onlyEnabled bool) Page {
	params := rollcall.ListAutomationsParams{Limit: rollcall.NewOptInt32(limit)}
	if after != "" {
		params.After = rollcall.NewOptAnyCaseId(rollcall.AnyCaseId(after))
	}
	if onlyEnabled {
		params.Status = rollcall.NewOptAutomationStatus(rollcall.AutomationStatusEnabled)
	}
	return it.page(params)
}

func (it client) page(params rollcall.ListAutomationsParams) Page {
	answer, err := it.ListAutomations(context.Background(), params)
	must(err)
	list := answerOf[*rollcall.AutomationsPageHeaders](answer).Response
	page := Page{HasMore: bool(list.HasMore)}
	for _, it := range list.Data {
		page.Ids = append(page.Ids, string(it.ID))
	}
	return page
}

func (it client) Created(importId string) int32 {
	return answerOf[*rollcall.ContactImportFoundHeaders](it.lookUp(importId)).Response.Counts.Created
}

func (it client) FallbackValues() (values []any) {
	answer, err := it.ListContactProperties(context.Background(), rollcall.ListContactPropertiesParams{})
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

func (it client) Failure(importId string) Failure[rollcall.ProblemName] {
	answer := it.lookUp(importId)
	// The status of the answer is its type.
	if notFound, ok := answer.(*rollcall.NotFoundHeaders); ok {
		return failureOf(http.StatusNotFound, notFound.Response)
	}
	return failureOf(http.StatusUnauthorized, answerOf[*rollcall.UnauthorizedHeaders](answer).Response)
}

func failureOf(status int, problem rollcall.Problem) Failure[rollcall.ProblemName] {
	return Failure[rollcall.ProblemName]{status, int(problem.StatusCode), problem.Name}
}

func (it client) lookUp(id string) rollcall.GetContactImportRes {
	answer, err := it.GetContactImport(context.Background(), rollcall.GetContactImportParams{ID: rollcall.AnyCaseId(id)})
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
