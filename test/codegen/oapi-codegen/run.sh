#!/usr/bin/env bash
# go.mod pins the generator, as a tool, and what its code needs.
set -euo pipefail

cp "$ROW"/go.mod "$ROW"/go.sum "$ROW"/main.go .
mkdir rollcall
go tool oapi-codegen -generate types,client -package rollcall -o rollcall/client.go "$OPENAPI" >&2
go build -o things . >&2
./things >&2

version=$(go list -m -f '{{.Version}}' github.com/oapi-codegen/oapi-codegen/v2)
echo "{\"tool\":\"oapi-codegen\",\"version\":\"${version#v}\",\"language\":\"Go\",\"ok\":true}"
