#!/usr/bin/env bash
# The generated package keeps its own go.mod; go.sum pins the one module it needs.
set -euo pipefail
source "$ROW/../openapi-generator.sh"

jar=$(openapi_generator_jar)
java -jar "$jar" generate -g go -i "$OPENAPI" -o rollcall --additional-properties packageName=rollcall >&2
cp "$ROW"/go.mod "$ROW"/go.sum "$ROW"/main.go .
go build -o things . >&2
./things >&2

echo "{\"tool\":\"openapi-generator\",\"version\":\"$OPENAPI_GENERATOR_VERSION\",\"language\":\"Go\",\"ok\":true}"
