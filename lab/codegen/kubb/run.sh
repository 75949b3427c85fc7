# Each plugin is a package. The generated code imports axios and zod.
tool=kubb version=4.39.3 language=TypeScript
install_npm @kubb/{cli,core,plugin-client,plugin-oas,plugin-ts,plugin-zod}@"$version" axios@1.21.1 zod@4.6.7
npx --no-install kubb generate
build_typescript
