package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"codegen/rollcall"
)

// rule has the values that a parameter may have, and how an error names them.
type rule struct {
	pattern *regexp.Regexp
	words   string
}

var (
	requestId = regexp.MustCompile(`^[A-Za-z0-9._~+/=:@-]{1,128}$`)
	lookup    = regexp.MustCompile(`^/contacts/imports/([^/]+)$`)
	uuid      = rule{regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`), "a UUID"}
	count     = rule{regexp.MustCompile(`^([1-9][0-9]?|100)$`), "a whole number from 1 to 100"}
	rules     = map[string]map[string]rule{
		"/automations":        withStatus(rollcall.AutomationStatusEnabled, rollcall.AutomationStatusDisabled),
		"/contact-properties": paging(),
		"/contacts/imports": withStatus(rollcall.ContactImportStatusQueued, rollcall.ContactImportStatusInProgress,
			rollcall.ContactImportStatusCompleted, rollcall.ContactImportStatusFailed),
	}
)

func paging() map[string]rule {
	return map[string]rule{"limit": count, "after": uuid, "before": uuid}
}

func withStatus[T ~string](statuses ...T) map[string]rule {
	names := make([]string, len(statuses))
	for at, it := range statuses {
		names[at] = string(it)
	}
	all := paging()
	all["status"] = rule{regexp.MustCompile("^(" + strings.Join(names, "|") + ")$"), "one of " + strings.Join(names, ", ")}
	return all
}

// guard checks, in the contract's order, what the generated code does not: path, method, key and parameters.
func guard(key string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setHeaders(w, r)
		// net/http takes a fragment for a part of the path.
		target, _, _ := strings.Cut(r.RequestURI, "#")
		if cut, err := url.ParseRequestURI(target); err == nil {
			r.URL = cut
		}
		path := "/" + strings.TrimLeft(r.URL.Path, "/")
		id := lookup.FindStringSubmatch(path)
		allowed, isList := rules[path]
		if !isList && id == nil {
			refuse(w, http.StatusNotFound, rollcall.ProblemNameNotFound, "This path does not exist.")
			return
		}
		if r.Method == http.MethodOptions {
			w.Header().Set("Allow", "GET, HEAD, OPTIONS")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD, OPTIONS")
			refuse(w, http.StatusMethodNotAllowed, rollcall.ProblemNameMethodNotAllowed, "This path supports only GET, HEAD and OPTIONS.")
			return
		}
		scheme, sent, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || strings.TrimSpace(sent) == "" {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, rollcall.ProblemNameMissingApiKey, "Send an API key.")
			return
		}
		// Get reads the first of several lines.
		if strings.TrimSpace(sent) != key || len(r.Header.Values("Authorization")) > 1 {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			refuse(w, http.StatusUnauthorized, rollcall.ProblemNameInvalidApiKey, "Send one API key, which must be valid.")
			return
		}
		if wrong := wrongParameter(r, allowed, id); wrong != "" {
			refuse(w, http.StatusUnprocessableEntity, rollcall.ProblemNameValidationError, wrong)
			return
		}
		r.URL.Path = path
		next.ServeHTTP(w, r)
	})
}

func setHeaders(w http.ResponseWriter, r *http.Request) {
	sent := r.Header.Get("X-Request-Id")
	if !requestId.MatchString(sent) {
		sent = rand.Text()
	}
	w.Header().Set("X-Request-Id", sent)
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Set("Vary", "Authorization")
}

// wrongParameter gives the message of an error, which is bounded: it repeats only the start of what was sent.
func wrongParameter(r *http.Request, allowed map[string]rule, id []string) string {
	if id != nil && !uuid.pattern.MatchString(id[1]) {
		return "`id` must be " + uuid.words + "."
	}
	// URL.Query leaves out what it cannot read, such as a parameter with a semicolon, which is a part of its value here.
	query, err := url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B"))
	if err != nil {
		return fmt.Sprintf("The query `%.100s` is malformed.", r.URL.RawQuery)
	}
	for name, values := range query {
		expected, known := allowed[name]
		if !known {
			return fmt.Sprintf("Unknown parameter `%.100s`.", name)
		}
		if len(values) != 1 || !expected.pattern.MatchString(values[0]) {
			return fmt.Sprintf("`%s` must be sent only once, as %s.", name, expected.words)
		}
	}
	if query.Has("after") && query.Has("before") {
		return "`after` and `before` cannot be combined. Send only one of them."
	}
	return ""
}

func refuse(w http.ResponseWriter, status int, name rollcall.ProblemName, message string) {
	send(w, status, encode(rollcall.Problem{StatusCode: int32(status), Name: name, Message: message}))
}

// answer sends what was found with its tag, or says that it has not changed since.
func answer(w http.ResponseWriter, r *http.Request, found bool, body any) {
	if !found {
		refuse(w, http.StatusNotFound, rollcall.ProblemNameNotFound, "The account has no item with this id.")
		return
	}
	text := encode(body)
	sum := sha256.Sum256(text)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	w.Header().Set("ETag", tag)
	for _, it := range strings.Split(r.Header.Get("If-None-Match"), ",") {
		if it = strings.TrimPrefix(strings.TrimSpace(it), "W/"); it == tag || it == "*" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	send(w, http.StatusOK, text)
}

func encode(body any) []byte {
	text, err := json.Marshal(body)
	must(err)
	return text
}

func send(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}
