# Orval leaves the choice of its parser open; the parser's later releases asked for packages that were not published.
tool=orval version=8.38.0 language=TypeScript
install_npm "$tool@$version" @scalar/openapi-parser@0.29.8
npx --no-install orval --config orval.config.mjs --fail-on-warnings
build_typescript
