package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/url"
	"os"
	"strconv"
)

// Query has the parameters of a list; what is not given is nil.
type Query struct {
	Limit                 *int32
	After, Before, Status *string
}

type Page struct {
	HasMore bool
	Ids     []string
	Records []any
}

// Failed is an error as the driver prints it. Status 0: nothing was received, or the client does not tell.
type Failed struct {
	Status int
	Name   string
}

func (it Failed) Error() string { return fmt.Sprintf("error %d %s", it.Status, it.Name) }

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

func main() {
	log.SetFlags(0)
	out := bufio.NewWriter(os.Stdout)
	err := run(connect(os.Getenv("ROLLCALL_BASE_URL"), os.Getenv("ROLLCALL_API_KEY")), out)
	if err != nil {
		fmt.Fprintln(out, requestFailed(err))
	}
	out.Flush()
	if err != nil {
		log.Print(err)
		os.Exit(10)
	}
}

func run(client client, out io.Writer) error {
	arguments := append(os.Args[1:], "", "")
	task, what := arguments[0], arguments[1]
	lists := map[string]func(Query) (Page, error){
		"automations":        client.automations,
		"contact-properties": client.contactProperties,
		"contact-imports":    client.contactImports,
	}
	list, isList := lists[what]
	switch {
	case task == "list" && isList:
		page, err := list(queryOf(os.Args[3:]))
		show(out, page.Ids)
		return err
	case task == "list-all" && isList:
		return listAll(list, queryOf(os.Args[3:]), out)
	case task == "get":
		found, err := client.contactImport(what)
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(found)
	case task == "records" && isList:
		page, err := list(queryOf(os.Args[3:]))
		for _, record := range page.Records {
			must(json.NewEncoder(out).Encode(record))
		}
		return err
	}
	fmt.Fprintln(out, "unsupported")
	return nil
}

func queryOf(arguments []string) Query {
	given := map[string]*string{}
	for at := 0; at+1 < len(arguments); at += 2 {
		given[arguments[at]] = &arguments[at+1]
	}
	query := Query{After: given["--after"], Before: given["--before"], Status: given["--status"]}
	if text := given["--limit"]; text != nil {
		number, err := strconv.ParseInt(*text, 10, 32)
		must(err)
		limit := int32(number)
		query.Limit = &limit
	}
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
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
