# go.mod pins the generator, as a tool, and what its code needs.
tool=oapi-codegen language=Go
version=$(go_version github.com/oapi-codegen/oapi-codegen/v2)
mkdir rollcall
go tool oapi-codegen -generate types,client -package rollcall -o rollcall/client.go "$OPENAPI"
build_go
