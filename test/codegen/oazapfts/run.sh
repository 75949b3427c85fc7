tool=oazapfts version=7.5.0 language=TypeScript
install_npm "$tool@$version" @oazapfts/runtime@1.2.0
mkdir generated
npx --no-install oazapfts "$OPENAPI_31" generated/rollcall.ts
build_typescript
