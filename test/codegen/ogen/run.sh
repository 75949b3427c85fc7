#!/usr/bin/env bash
# go.mod pins the generator, as a tool, and what its code needs.
set -euo pipefail

cp "$ROW"/go.mod "$ROW"/go.sum "$ROW"/main.go .
go tool ogen --target rollcall --package rollcall "$OPENAPI" >&2
go build -o things . >&2
./things >&2

version=$(go list -m -f '{{.Version}}' github.com/ogen-go/ogen)
echo "{\"tool\":\"ogen\",\"version\":\"${version#v}\",\"language\":\"Go\",\"ok\":true}"
