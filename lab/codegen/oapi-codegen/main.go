// Prints each item of the list that the command line names, with the generated client. An error ends it with a code that is not 0.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os"

	"codegen/rollcall"
)

// page has the items of a page as JSON, and the id of the last one.
type page struct {
	hasMore bool
	last    string
	items   []any
}

var limit = int32(7)

func main() {
	log.SetFlags(0)
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ROLLCALL_API_KEY"))
		return nil
	}
	client, err := rollcall.NewClientWithResponses(os.Getenv("ROLLCALL_BASE_URL"), rollcall.WithRequestEditorFn(authorize))
	must(err)
	params, err := url.ParseQuery(os.Getenv("ROLLCALL_PARAMS"))
	must(err)
	var status *string
	if params.Has("status") {
		text := params.Get("status")
		status = &text
	}
	out := json.NewEncoder(os.Stdout)
	for after := (*string)(nil); ; {
		page := read(client, os.Args[1], after, status)
		for _, item := range page.items {
			must(out.Encode(item))
		}
		if !page.hasMore {
			return
		}
		if page.last == "" || after != nil && *after == page.last { // Instead of a loop without an end.
			log.Fatal("the list does not go on")
		}
		after = &page.last
	}
}

func read(client *rollcall.ClientWithResponses, name string, after, status *string) (found page) {
	switch name {
	case "automations":
		params := rollcall.ListAutomationsParams{Limit: &limit, After: after, Status: (*rollcall.AutomationStatus)(status)}
		response, err := client.ListAutomationsWithResponse(context.Background(), &params)
		must(err)
		body := bodyOf(response.JSON200, response.Status())
		for _, item := range body.Data {
			found.items, found.last = append(found.items, item), item.Id
		}
		found.hasMore = body.HasMore
	case "contact-properties":
		params := rollcall.ListContactPropertiesParams{Limit: &limit, After: after}
		response, err := client.ListContactPropertiesWithResponse(context.Background(), &params)
		must(err)
		body := bodyOf(response.JSON200, response.Status())
		for _, item := range body.Data {
			found.items, found.last = append(found.items, item), item.Id
		}
		found.hasMore = body.HasMore
	case "contact-imports":
		params := rollcall.ListContactImportsParams{Limit: &limit, After: after, Status: (*rollcall.ContactImportStatus)(status)}
		response, err := client.ListContactImportsWithResponse(context.Background(), &params)
		must(err)
		body := bodyOf(response.JSON200, response.Status())
		for _, item := range body.Data {
			found.items, found.last = append(found.items, item), item.Id
		}
		found.hasMore = body.HasMore
	default:
		log.Fatalf("an unknown list: %s", name)
	}
	return found
}

// bodyOf returns the body of a 200 that says it is JSON: of anything else there is none.
func bodyOf[T any](body *T, status string) *T {
	if body == nil {
		log.Fatalf("no page: %s", status)
	}
	return body
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
