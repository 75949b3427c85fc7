package main

import (
	"context"
	"errors"
	"net/http"

	rollcall "github.com/GIT_USER_ID/GIT_REPO_ID"
)

type client struct {
	*rollcall.APIClient
	key context.Context
}

func main() {
	drive(connect, rollcall.NOT_FOUND, rollcall.INVALID_API_KEY)
}

func connect(url, key string) (Client, error) {
	configuration := rollcall.NewConfiguration()
	configuration.Servers = rollcall.ServerConfigurations{{URL: url}}
	withKey := context.WithValue(context.Background(), rollcall.ContextAccessToken, key)
	return client{rollcall.NewAPIClient(configuration), withKey}, nil
}

func (it client) Automations(query Query) (page Page, err error) {
	request := it.AutomationsAPI.ListAutomations(it.key)
	if query.Limit != nil {
		request = request.Limit(*query.Limit)
	}
	if query.After != nil {
		request = request.After(*query.After)
	}
	if query.Before != nil {
		request = request.Before(*query.Before)
	}
	if query.Status != nil {
		request = request.Status(rollcall.AutomationStatus(*query.Status))
	}
	list, response, err := request.Execute()
	if err != nil {
		return page, failureOf(response, err)
	}
	page.HasMore = list.HasMore
	for _, it := range list.Data {
		page.Ids = append(page.Ids, it.Id)
	}
	return page, nil
}

func (it client) ContactProperties(query Query) (page Page, err error) {
	list, err := it.properties(query)
	if err != nil {
		return page, err
	}
	page.HasMore = list.HasMore
	for _, it := range list.Data {
		page.Ids = append(page.Ids, it.Id)
	}
	return page, nil
}

func (it client) ContactImports(query Query) (page Page, err error) {
	request := it.ContactImportsAPI.ListContactImports(it.key)
	if query.Limit != nil {
		request = request.Limit(*query.Limit)
	}
	if query.After != nil {
		request = request.After(*query.After)
	}
	if query.Before != nil {
		request = request.Before(*query.Before)
	}
	if query.Status != nil {
		request = request.Status(rollcall.ContactImportStatus(*query.Status))
	}
	list, response, err := request.Execute()
	if err != nil {
		return page, failureOf(response, err)
	}
	page.HasMore = list.HasMore
	for _, it := range list.Data {
		page.Ids = append(page.Ids, it.Id)
	}
	return page, nil
}

func (it client) ContactImport(id string) (any, error) {
	found, response, err := it.ContactImportsAPI.GetContactImport(it.key, id).Execute()
	return found, failureOf(response, err)
}

func (it client) FallbackValues() (values []any, err error) {
	list, err := it.properties(Query{})
	if err != nil {
		return nil, err
	}
	for _, it := range list.Data {
		value := it.GetFallbackValue()
		values = append(values, value.GetActualInstanceValue())
	}
	return values, nil
}

func (it client) properties(query Query) (*rollcall.ContactPropertyList, error) {
	request := it.ContactPropertiesAPI.ListContactProperties(it.key)
	if query.Limit != nil {
		request = request.Limit(*query.Limit)
	}
	if query.After != nil {
		request = request.After(*query.After)
	}
	if query.Before != nil {
		request = request.Before(*query.Before)
	}
	list, response, err := request.Execute()
	return list, failureOf(response, err)
}

// failureOf says what an error of the client means. It comes with the response, where there is one.
func failureOf(response *http.Response, err error) error {
	if err == nil || response == nil {
		return err
	}
	var typed *rollcall.GenericOpenAPIError
	if !errors.As(err, &typed) {
		return err
	}
	problem, ok := typed.Model().(rollcall.Problem)
	if !ok {
		return Failed{response.StatusCode, "unreadable"}
	}
	return failedResponse(response.StatusCode, int(problem.StatusCode), problem.Name)
}
