tool=openapi-typescript version=7.13.0 language=TypeScript
install_npm "$tool@$version" openapi-fetch@0.17.0
npx --no-install openapi-typescript "$OPENAPI_31" --output generated/openapi.ts
build_typescript
