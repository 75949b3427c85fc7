tool='openapi-generator typescript-fetch' language=TypeScript
openapi_generator generate --input-spec "$OPENAPI" --generator-name typescript-fetch --output generated
install_npm
build_typescript
