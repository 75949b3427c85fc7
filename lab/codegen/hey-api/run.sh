tool=@hey-api/openapi-ts version=0.99.0 language=TypeScript
install_npm "$tool@$version"
npx --no-install openapi-ts --input "$OPENAPI_31" --output generated --no-log-file
build_typescript
