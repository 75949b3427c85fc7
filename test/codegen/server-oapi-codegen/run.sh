#!/usr/bin/env bash
# A server stub, filled with the records of the matrix; `rollcall conform` tests it. go.mod pins the generator, as a tool.
set -euo pipefail

cp "$ROW"/*.go "$ROW"/go.mod "$ROW"/go.sum .
mkdir rollcall
go tool oapi-codegen -generate types,std-http -package rollcall -o rollcall/server.go "$OPENAPI" >&2
go build -o server . >&2
./server >&2

version=$(go list -m -f '{{.Version}}' github.com/oapi-codegen/oapi-codegen/v2)
echo "{\"tool\":\"oapi-codegen std-http\",\"version\":\"${version#v}\",\"language\":\"Go server\",\"ok\":true}"
