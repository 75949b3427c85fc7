# The generated package keeps its own go.mod; go.sum pins the one module it needs.
tool=openapi-generator language=Go
openapi_generator generate -g go -i "$OPENAPI" -o rollcall --additional-properties packageName=rollcall
build_go
