# go.mod pins the generator, as a tool, and what its code needs.
tool=ogen language=Go
version=$(go_version github.com/ogen-go/ogen)
go tool ogen --target rollcall --package rollcall "$OPENAPI"
build_go
