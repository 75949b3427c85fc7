# From the contract as OpenAPI 3.1: types, a client and what validates its answers.
tool=kubb version=4.39.3 language=TypeScript
install_npm \
  "@kubb/cli@$version" "@kubb/core@$version" "@kubb/plugin-oas@$version" "@kubb/plugin-ts@$version" \
  "@kubb/plugin-client@$version" "@kubb/plugin-zod@$version" zod@4.6.7
npx --no-install kubb generate --config kubb.config.mjs
build_typescript --rewriteRelativeImportExtensions
