# A server stub, filled with the records of the matrix, which runs `rollcall conform` against itself.
tool='oapi-codegen std-http' language='Go server'
version=$(oapi_codegen_version)
go tool oapi-codegen -config oapi-codegen.yaml -generate types,std-http -package rollcall -o rollcall/server.go "$OPENAPI"
go run .
