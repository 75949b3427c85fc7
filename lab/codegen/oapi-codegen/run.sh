tool=oapi-codegen language=Go
version=$(oapi_codegen_version)
mkdir rollcall
go tool oapi-codegen -generate types,client -package rollcall -o rollcall/client.go "$OPENAPI"
go build -o driver .
driver='["./driver"]'
