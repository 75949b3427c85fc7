# A server stub, filled with the records of the matrix; `rollcall conform` tests it. go.mod pins the generator, as a tool.
tool='oapi-codegen std-http' language='Go server'
version=$(go_version github.com/oapi-codegen/oapi-codegen/v2)
mkdir rollcall
go tool oapi-codegen -generate types,std-http -package rollcall -o rollcall/server.go "$OPENAPI"
go run .
