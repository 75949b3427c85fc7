tool=@rtk-query/codegen-openapi version=2.2.0 language=TypeScript
install_npm "$tool@$version" @reduxjs/toolkit@2.14.0
mkdir generated
cp "$OPENAPI_31" openapi-3.1.json
npx --no-install rtk-query-codegen-openapi config.json
build_typescript
