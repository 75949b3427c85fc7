#!/usr/bin/env bash
# A server stub: it compiles as it comes, with the one module it needs.
set -euo pipefail
source "$ROW/../openapi-generator.sh"

jar=$(openapi_generator_jar)
java -jar "$jar" generate -g go-server -i "$OPENAPI" -o . >&2
go get github.com/gorilla/mux@v1.8.1 >&2
go vet ./... >&2

echo "{\"tool\":\"openapi-generator go-server\",\"version\":\"$OPENAPI_GENERATOR_VERSION\",\"language\":\"Go server\",\"ok\":true}"
