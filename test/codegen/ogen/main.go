package main

import (
	"context"
	"errors"
	"net/http"

	"codegen/rollcall"

	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/validate"
)

type client struct{ *rollcall.Client }

type key string

// BearerKey makes a key a rollcall.SecuritySource.
func (it key) BearerKey(context.Context, rollcall.OperationName) (rollcall.BearerKey, error) {
	return rollcall.BearerKey{Token: string(it)}, nil
}

func main() {
	drive(connect, rollcall.ProblemNameNotFound, rollcall.ProblemNameInvalidAPIKey)
}

func connect(url, secret string) (Client, error) {
	made, err := rollcall.NewClient(url, key(secret))
	return client{made}, err
}

func (it client) Automations(query Query) (page Page, err error) {
	params := rollcall.ListAutomationsParams{Limit: limit(query.Limit), After: id(query.After), Before: id(query.Before)}
	if query.Status != nil {
		params.Status = rollcall.NewOptAutomationStatus(rollcall.AutomationStatus(*query.Status))
	}
	response, err := it.ListAutomations(context.Background(), params)
	found, err := resultOf[*rollcall.AutomationsPageHeaders](response, err)
	if err != nil {
		return page, err
	}
	page.HasMore = bool(found.Response.HasMore)
	for _, it := range found.Response.Data {
		page.Ids = append(page.Ids, string(it.ID))
	}
	return page, nil
}

func (it client) ContactProperties(query Query) (page Page, err error) {
	found, err := it.properties(query)
	if err != nil {
		return page, err
	}
	page.HasMore = bool(found.Response.HasMore)
	for _, it := range found.Response.Data {
		page.Ids = append(page.Ids, string(it.ID))
	}
	return page, nil
}

func (it client) ContactImports(query Query) (page Page, err error) {
	params := rollcall.ListContactImportsParams{Limit: limit(query.Limit), After: id(query.After), Before: id(query.Before)}
	if query.Status != nil {
		params.Status = rollcall.NewOptContactImportStatus(rollcall.ContactImportStatus(*query.Status))
	}
	response, err := it.ListContactImports(context.Background(), params)
	found, err := resultOf[*rollcall.ContactImportsPageHeaders](response, err)
	if err != nil {
		return page, err
	}
	page.HasMore = bool(found.Response.HasMore)
	for _, it := range found.Response.Data {
		page.Ids = append(page.Ids, string(it.ID))
	}
	return page, nil
}

func (it client) ContactImport(id string) (any, error) {
	response, err := it.GetContactImport(context.Background(), rollcall.GetContactImportParams{ID: rollcall.AnyCaseId(id)})
	found, err := resultOf[*rollcall.ContactImportFoundHeaders](response, err)
	if err != nil {
		return nil, err
	}
	return &found.Response, nil
}

func (it client) FallbackValues() (values []any, err error) {
	found, err := it.properties(Query{})
	if err != nil {
		return nil, err
	}
	for _, it := range found.Response.Data {
		values = append(values, valueOf(it.FallbackValue))
	}
	return values, nil
}

func (it client) properties(query Query) (*rollcall.ContactPropertiesPageHeaders, error) {
	params := rollcall.ListContactPropertiesParams{Limit: limit(query.Limit), After: id(query.After), Before: id(query.Before)}
	response, err := it.ListContactProperties(context.Background(), params)
	return resultOf[*rollcall.ContactPropertiesPageHeaders](response, err)
}

func limit(it *int32) rollcall.OptInt32 {
	if it == nil {
		return rollcall.OptInt32{}
	}
	return rollcall.NewOptInt32(*it)
}

func id(it *string) rollcall.OptAnyCaseId {
	if it == nil {
		return rollcall.OptAnyCaseId{}
	}
	return rollcall.NewOptAnyCaseId(rollcall.AnyCaseId(*it))
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

// resultOf is what was wanted, or an error: the status of a response is its type.
func resultOf[Want any](response any, err error) (want Want, _ error) {
	if err != nil {
		return want, failureOf(err)
	}
	switch it := response.(type) {
	case Want:
		return it, nil
	case *rollcall.UnauthorizedHeaders:
		return want, problemOf(http.StatusUnauthorized, it.Response)
	case *rollcall.NotFoundHeaders:
		return want, problemOf(http.StatusNotFound, it.Response)
	case *rollcall.MethodNotAllowedHeaders:
		return want, problemOf(http.StatusMethodNotAllowed, it.Response)
	case *rollcall.UnprocessableContentHeaders:
		return want, problemOf(http.StatusUnprocessableEntity, it.Response)
	case *rollcall.TooManyRequestsHeaders:
		return want, problemOf(http.StatusTooManyRequests, it.Response)
	case *rollcall.InternalServerErrorHeaders:
		return want, problemOf(http.StatusInternalServerError, it.Response)
	case *rollcall.ServiceUnavailableHeaders:
		return want, problemOf(http.StatusServiceUnavailable, it.Response)
	}
	return want, Failed{http.StatusNotModified, "unreadable"}
}

func problemOf(status int, problem rollcall.Problem) Failed {
	return failedResponse(status, int(problem.StatusCode), problem.Name)
}

// failureOf reads the status of a response that could not be decoded, where the error has it.
func failureOf(err error) error {
	var status *validate.UnexpectedStatusCodeError
	if errors.As(err, &status) {
		return Failed{status.StatusCode, "unreadable"}
	}
	var body *ogenerrors.DecodeBodyError
	if errors.As(err, &body) {
		return Failed{0, "unreadable"}
	}
	return err
}
