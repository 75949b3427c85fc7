# A server stub: it compiles as it comes, with the one module it needs.
tool='openapi-generator go-server' language='Go server'
openapi_generator generate -g go-server -i "$OPENAPI" -o .
go get github.com/gorilla/mux@v1.8.1
go vet ./...
