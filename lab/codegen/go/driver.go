// The driver of a generated client: it runs one task of `rollcall examine`. A row's main.go says how, with its generated code.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/url"
	"os"
)

// Query has the parameters of a list; what is not given is nil.
type Query struct {
	Limit                 *int32
	After, Before, Status *string
}

type Page struct {
	HasMore bool
	Ids     []string
}

type Client interface {
	Automations(Query) (Page, error)
	ContactProperties(Query) (Page, error)
	ContactImports(Query) (Page, error)
	// ContactImport is the generated model, which becomes JSON.
	ContactImport(id string) (any, error)
	// FallbackValues are those of a page of contact properties: the one value of the contract that has several types.
	FallbackValues() ([]any, error)
}

// Failed is an error as the driver prints it. Status 0: nothing was received, or the client does not tell.
type Failed struct {
	Status int
	Name   string
}

func (it Failed) Error() string { return fmt.Sprintf("error %d %s", it.Status, it.Name) }

// failedResponse has the name of an error response, if the status in its body is that of the response.
func failedResponse[Name ~string](status, statusInBody int, name Name) Failed {
	if status != statusInBody || name == "" {
		return Failed{status, "unreadable"}
	}
	return Failed{status, string(name)}
}

// requestFailed says what an error of net/http, or of reading a body, means. The rest comes from parsing.
func requestFailed(err error) Failed {
	var failed Failed
	var ofUrl *url.Error
	var ofNet net.Error
	switch {
	case errors.As(err, &failed):
		return failed
	case errors.As(err, &ofUrl), errors.As(err, &ofNet), errors.Is(err, io.ErrUnexpectedEOF):
		return Failed{0, "network"}
	}
	return Failed{0, "unreadable"}
}

// drive runs the task of the command line. The names are two of the generated type: the compiler looks for them.
func drive[Name ~string](connect func(url, key string) (Client, error), notFound, invalidApiKey Name) {
	log.SetFlags(0)
	if notFound != "not_found" || invalidApiKey != "invalid_api_key" {
		log.Fatalf("not the names of the contract: %s, %s", notFound, invalidApiKey)
	}
	client, err := connect(os.Getenv("ROLLCALL_BASE_URL"), os.Getenv("ROLLCALL_API_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	out := bufio.NewWriter(os.Stdout)
	err = run(client, out)
	if err != nil {
		fmt.Fprintln(out, requestFailed(err))
	}
	out.Flush()
	if err != nil {
		log.Print(err)
		os.Exit(10)
	}
}

func run(client Client, out io.Writer) error {
	arguments := os.Args[1:]
	for len(arguments) < 2 {
		arguments = append(arguments, "")
	}
	task, what := arguments[0], arguments[1]
	lists := map[string]func(Query) (Page, error){
		"automations":        client.Automations,
		"contact-properties": client.ContactProperties,
		"contact-imports":    client.ContactImports,
	}
	list, isList := lists[what]
	switch {
	case task == "list" && isList:
		page, err := list(queryOf(arguments[2:]))
		show(out, page.Ids)
		return err
	case task == "list-all" && isList:
		return listAll(list, queryOf(arguments[2:]), out)
	case task == "get":
		found, err := client.ContactImport(what)
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(found)
	case task == "fallback-values": // A task of the matrix.
		values, err := client.FallbackValues()
		for _, it := range values {
			must(json.NewEncoder(out).Encode(it))
		}
		return err
	}
	fmt.Fprintln(out, "unsupported")
	return nil
}

func queryOf(arguments []string) Query {
	flags := flag.NewFlagSet("query", flag.ExitOnError)
	limit := flags.Int("limit", 0, "")
	after, before, status := flags.String("after", "", ""), flags.String("before", "", ""), flags.String("status", "", "")
	must(flags.Parse(arguments))
	var query Query
	flags.Visit(func(it *flag.Flag) {
		switch it.Name {
		case "limit":
			number := int32(*limit)
			query.Limit = &number
		case "after":
			query.After = after
		case "before":
			query.Before = before
		case "status":
			query.Status = status
		}
	})
	return query
}

func listAll(list func(Query) (Page, error), query Query, out io.Writer) error {
	for {
		page, err := list(query)
		if err != nil {
			return err
		}
		show(out, page.Ids)
		if !page.HasMore {
			return nil
		}
		cursor, at := &query.After, len(page.Ids)-1
		if query.Before != nil {
			cursor, at = &query.Before, 0
		}
		// A server that does not move on must not keep the program for ever.
		if len(page.Ids) == 0 || *cursor != nil && **cursor == page.Ids[at] {
			return Failed{200, "unreadable"}
		}
		*cursor = &page.Ids[at]
	}
}

func show(out io.Writer, lines []string) {
	for _, it := range lines {
		fmt.Fprintln(out, it)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
