tool=swagger-typescript-api version=13.13.0 language=TypeScript
install_npm "$tool@$version"
npx --no-install swagger-typescript-api generate --path "$OPENAPI_31" --output generated --name rollcall.ts \
  --enum-style union
build_typescript
