tool=openapi-client-axios version=7.9.1 language=TypeScript
install_npm "$tool@$version" openapi-client-axios-typegen@7.8.0 axios@1.21.1
mkdir generated
cp "$OPENAPI_31" openapi.json # The program reads it too.
npx --no-install typegen "$OPENAPI_31" > generated/rollcall.d.ts
build_typescript
