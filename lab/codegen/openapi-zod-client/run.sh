# OpenAPI 3.1: from 3.0 it generates an object instead of null.
tool=openapi-zod-client version=1.18.3 language=TypeScript
install_npm "$tool@$version" @zodios/core@10.9.6 zod@3.25.76 axios@1.21.1
mkdir generated
npx --no-install openapi-zod-client "$OPENAPI_31" --output generated/rollcall.ts --with-alias
build_typescript
