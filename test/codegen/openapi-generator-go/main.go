package main

import (
	"context"
	"errors"
	"log"

	rollcall "github.com/GIT_USER_ID/GIT_REPO_ID"
)

type client struct {
	*rollcall.APIClient
	key context.Context
}

func main() {
	doThings(connect, rollcall.NOT_FOUND, rollcall.INVALID_API_KEY)
}

func connect(url, key string) Client[rollcall.ProblemName] {
	configuration := rollcall.NewConfiguration()
	configuration.Servers = rollcall.ServerConfigurations{{URL: url}}
	withKey := context.WithValue(context.Background(), rollcall.ContextAccessToken, key)
	return client{rollcall.NewAPIClient(configuration), withKey}
}

func (it client) FirstPage() Page { return page(it.AutomationsAPI.ListAutomations(it.key)) }

func (it client) Automations(limit int32, after string, onlyEnabled bool) Page {
	request := it.AutomationsAPI.ListAutomations(it.key).Limit(limit)
	if after != "" {
		request = request.After(after)
	}
	if onlyEnabled {
		request = request.Status(rollcall.ENABLED)
	}
	return page(request)
}

func page(request rollcall.ApiListAutomationsRequest) Page {
	list, _, err := request.Execute()
	must(err)
	page := Page{HasMore: list.HasMore}
	for _, it := range list.Data {
		page.Ids = append(page.Ids, it.Id)
	}
	return page
}

func (it client) Created(importId string) int32 {
	found, _, err := it.ContactImportsAPI.GetContactImport(it.key, importId).Execute()
	must(err)
	return found.Counts.Created
}

func (it client) FallbackValues() (values []any) {
	properties, _, err := it.ContactPropertiesAPI.ListContactProperties(it.key).Execute()
	must(err)
	for _, it := range properties.Data {
		value := it.GetFallbackValue()
		values = append(values, value.GetActualInstanceValue())
	}
	return values
}

func (it client) Failure(importId string) Failure[rollcall.ProblemName] {
	_, response, err := it.ContactImportsAPI.GetContactImport(it.key, importId).Execute()
	var typed *rollcall.GenericOpenAPIError
	if !errors.As(err, &typed) {
		log.Fatalf("%s: no typed error: %v", importId, err)
	}
	problem, ok := typed.Model().(rollcall.Problem)
	if !ok {
		log.Fatalf("%s: no problem: %v", importId, err)
	}
	return Failure[rollcall.ProblemName]{response.StatusCode, int(problem.StatusCode), problem.Name}
}
