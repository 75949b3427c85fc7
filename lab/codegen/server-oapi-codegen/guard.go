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

var (
	requestId  = regexp.MustCompile(`^[A-Za-z0-9._~+/=:@-]{1,128}$`)
	lookup     = regexp.MustCompile(`^/contacts/imports/([^/]+)$`)
	uuid       = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	count      = regexp.MustCompile(`^([1-9][0-9]?|100)$`)
	paging     = map[string]*regexp.Regexp{"limit": count, "after": uuid, "before": uuid}
	parameters = map[string]map[string]*regexp.Regexp{
		"/automations":        with(paging, regexp.MustCompile(`^(enabled|disabled)$`)),
		"/contact-properties": paging,
		"/contacts/imports":   with(paging, regexp.MustCompile(`^(queued|in_progress|completed|failed)$`)),
	}
)

func with(others map[string]*regexp.Regexp, status *regexp.Regexp) map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{"status": status}
	for name, it := range others {
		all[name] = it
	}
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
		allowed, isList := parameters[path]
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
		if strings.TrimSpace(sent) != key {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			refuse(w, http.StatusUnauthorized, rollcall.ProblemNameInvalidApiKey, "This API key is unknown.")
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

func wrongParameter(r *http.Request, allowed map[string]*regexp.Regexp, id []string) string {
	if id != nil && !uuid.MatchString(id[1]) {
		return "`id` must be a UUID."
	}
	// URL.Query leaves out what it cannot read.
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return fmt.Sprintf("The query `%s` is malformed.", r.URL.RawQuery)
	}
	for name, values := range query {
		pattern, known := allowed[name]
		if !known {
			return fmt.Sprintf("Unknown parameter `%s`.", name)
		}
		if len(values) != 1 || !pattern.MatchString(values[0]) {
			return fmt.Sprintf("`%s` must be sent only once, and match %s.", name, pattern)
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
