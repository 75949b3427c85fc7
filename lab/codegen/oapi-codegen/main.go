// The driver of the generated client: it runs one task of `rollcall examine`. driver.go has the tasks.
package main

import (
	"context"
	"encoding/json"
	"net/http"

	"codegen/rollcall"
)

type client struct{ *rollcall.ClientWithResponses }

func connect(url, key string) client {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	made, err := rollcall.NewClientWithResponses(url, rollcall.WithRequestEditorFn(authorize))
	must(err)
	return client{made}
}

func (it client) automations(query Query) (page Page, err error) {
	params := rollcall.ListAutomationsParams{Limit: query.Limit, After: query.After, Before: query.Before}
	params.Status = (*rollcall.AutomationStatus)(query.Status)
	response, err := it.ListAutomationsWithResponse(context.Background(), &params)
	if err != nil {
		return page, err
	}
	if response.JSON200 == nil {
		return page, failureOf(response.StatusCode(), response.Body)
	}
	page.HasMore = response.JSON200.HasMore
	for _, item := range response.JSON200.Data {
		page.Ids, page.Records = append(page.Ids, item.Id), append(page.Records, item)
	}
	return page, nil
}

func (it client) contactProperties(query Query) (page Page, err error) {
	params := rollcall.ListContactPropertiesParams{Limit: query.Limit, After: query.After, Before: query.Before}
	response, err := it.ListContactPropertiesWithResponse(context.Background(), &params)
	if err != nil {
		return page, err
	}
	if response.JSON200 == nil {
		return page, failureOf(response.StatusCode(), response.Body)
	}
	page.HasMore = response.JSON200.HasMore
	for _, item := range response.JSON200.Data {
		page.Ids, page.Records = append(page.Ids, item.Id), append(page.Records, recordOf(item))
	}
	return page, nil
}

func (it client) contactImports(query Query) (page Page, err error) {
	params := rollcall.ListContactImportsParams{Limit: query.Limit, After: query.After, Before: query.Before}
	params.Status = (*rollcall.ContactImportStatus)(query.Status)
	response, err := it.ListContactImportsWithResponse(context.Background(), &params)
	if err != nil {
		return page, err
	}
	if response.JSON200 == nil {
		return page, failureOf(response.StatusCode(), response.Body)
	}
	page.HasMore = response.JSON200.HasMore
	for _, item := range response.JSON200.Data {
		page.Ids, page.Records = append(page.Ids, item.Id), append(page.Records, item)
	}
	return page, nil
}

func (it client) contactImport(id string) (*rollcall.ContactImport, error) {
	response, err := it.GetContactImportWithResponse(context.Background(), id, &rollcall.GetContactImportParams{})
	if err != nil {
		return nil, err
	}
	if response.JSON200 == nil {
		return nil, failureOf(response.StatusCode(), response.Body)
	}
	return response.JSON200, nil
}

// recordOf returns what is printed of a property. The value is read as programs read it; a marshalled union is the JSON as it was received.
func recordOf(item rollcall.ContactProperty) (record map[string]any) {
	text, err := json.Marshal(item)
	must(err)
	must(json.Unmarshal(text, &record))
	record["fallback_value"], err = valueOf(item.FallbackValue)
	must(err)
	return record
}

func valueOf(value rollcall.FallbackValue) (any, error) {
	// First, because Go reads null as an empty string too.
	if raw, err := value.MarshalJSON(); err == nil && string(raw) == "null" {
		return nil, nil
	}
	if text, err := value.AsFallbackValue0(); err == nil {
		return text, nil
	}
	return value.AsFallbackValue1()
}

func failureOf(status int, body []byte) Failed {
	var problem rollcall.Problem
	if err := json.Unmarshal(body, &problem); err != nil || int(problem.StatusCode) != status || problem.Name == "" {
		return Failed{status, "unreadable"}
	}
	return Failed{status, string(problem.Name)}
}
