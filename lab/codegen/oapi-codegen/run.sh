tool=oapi-codegen language=Go
version=$(oapi_codegen_version)
go tool oapi-codegen -config oapi-codegen.yaml -generate types,client -package rollcall -o rollcall/client.go "$OPENAPI"
go build -o driver .
driver='["./driver"]'
