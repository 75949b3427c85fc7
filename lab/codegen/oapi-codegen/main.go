package main

import (
	"context"
	"net/http"

	"codegen/rollcall"
)

type client struct{ *rollcall.ClientWithResponses }

func main() {
	drive(connect, rollcall.ProblemNameNotFound, rollcall.ProblemNameInvalidApiKey)
}

func connect(url, key string) (Client, error) {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	made, err := rollcall.NewClientWithResponses(url, rollcall.WithRequestEditorFn(authorize))
	return client{made}, err
}

func (it client) Automations(query Query) (page Page, err error) {
	params := rollcall.ListAutomationsParams{Limit: query.Limit, After: query.After, Before: query.Before}
	params.Status = (*rollcall.AutomationStatus)(query.Status)
	response, err := it.ListAutomationsWithResponse(context.Background(), &params)
	if err != nil {
		return page, err
	}
	if response.JSON200 == nil {
		return page, failureOf(response.StatusCode(), response.JSON401, response.JSON404, response.JSON405,
			response.JSON422, response.JSON429, response.JSON500, response.JSON503)
	}
	page.HasMore = response.JSON200.HasMore
	for _, it := range response.JSON200.Data {
		page.Ids = append(page.Ids, it.Id)
	}
	return page, nil
}

func (it client) ContactProperties(query Query) (page Page, err error) {
	found, err := it.properties(query)
	if err != nil {
		return page, err
	}
	page.HasMore = found.HasMore
	for _, it := range found.Data {
		page.Ids = append(page.Ids, it.Id)
	}
	return page, nil
}

func (it client) ContactImports(query Query) (page Page, err error) {
	params := rollcall.ListContactImportsParams{Limit: query.Limit, After: query.After, Before: query.Before}
	params.Status = (*rollcall.ContactImportStatus)(query.Status)
	response, err := it.ListContactImportsWithResponse(context.Background(), &params)
	if err != nil {
		return page, err
	}
	if response.JSON200 == nil {
		return page, failureOf(response.StatusCode(), response.JSON401, response.JSON404, response.JSON405,
			response.JSON422, response.JSON429, response.JSON500, response.JSON503)
	}
	page.HasMore = response.JSON200.HasMore
	for _, it := range response.JSON200.Data {
		page.Ids = append(page.Ids, it.Id)
	}
	return page, nil
}

func (it client) ContactImport(id string) (any, error) {
	response, err := it.GetContactImportWithResponse(context.Background(), id, &rollcall.GetContactImportParams{})
	if err != nil {
		return nil, err
	}
	if response.JSON200 == nil {
		return nil, failureOf(response.StatusCode(), response.JSON401, response.JSON404, response.JSON405,
			response.JSON422, response.JSON429, response.JSON500, response.JSON503)
	}
	return response.JSON200, nil
}

func (it client) FallbackValues() (values []any, err error) {
	found, err := it.properties(Query{})
	if err != nil {
		return nil, err
	}
	for _, it := range found.Data {
		value, err := valueOf(it.FallbackValue)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

func (it client) properties(query Query) (*rollcall.ContactPropertyList, error) {
	params := rollcall.ListContactPropertiesParams{Limit: query.Limit, After: query.After, Before: query.Before}
	response, err := it.ListContactPropertiesWithResponse(context.Background(), &params)
	if err != nil {
		return nil, err
	}
	if response.JSON200 == nil {
		return nil, failureOf(response.StatusCode(), response.JSON401, response.JSON404, response.JSON405,
			response.JSON422, response.JSON429, response.JSON500, response.JSON503)
	}
	return response.JSON200, nil
}

func valueOf(it rollcall.FallbackValue) (any, error) {
	// First, because Go reads null as an empty string too.
	if raw, err := it.MarshalJSON(); err == nil && string(raw) == "null" {
		return nil, nil
	}
	if text, err := it.AsFallbackValue0(); err == nil {
		return text, nil
	}
	return it.AsFallbackValue1()
}

// failureOf takes what a response has for each status: the problem of its own one at most.
func failureOf(status int, problems ...*rollcall.Problem) error {
	for _, it := range problems {
		if it != nil {
			return failedResponse(status, int(it.StatusCode), it.Name)
		}
	}
	return Failed{status, "unreadable"}
}
