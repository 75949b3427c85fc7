# From the contract as OpenAPI 3.1: types, a client and what validates its answers.
set -euo pipefail
version=4.39.3

echo '{ "private": true }' > package.json
npm install --save-exact --no-audit --no-fund --loglevel=error \
  "@kubb/cli@$version" "@kubb/core@$version" "@kubb/plugin-oas@$version" "@kubb/plugin-ts@$version" \
  "@kubb/plugin-client@$version" "@kubb/plugin-zod@$version" zod@4.6.7 typescript@5.9.3 @types/node@22.20.5
cp "$ROW"/kubb.config.mjs .
npx --no-install kubb generate --config kubb.config.mjs

cp "$ROW"/program.ts "$ROW"/../typescript/* .
npx --no-install tsc --project . --rewriteRelativeImportExtensions
node out/program.js
echo '{"tool":"kubb","version":"'$version'","language":"TypeScript","ok":true}'
