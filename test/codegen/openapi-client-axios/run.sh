tool=openapi-client-axios version=7.9.1 language=TypeScript
install_npm "$tool@$version" openapi-client-axios-typegen@7.8.0 axios@1.21.1
mkdir generated
npx --no-install typegen "$OPENAPI_31" > generated/rollcall.d.ts
run_typescript
