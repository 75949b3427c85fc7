set -euo pipefail
version=8.38.0

echo '{ "private": true }' > package.json
# Orval leaves the choice of its parser open; the parser's later releases asked for packages that were not published.
npm install --save-exact --no-audit --no-fund --loglevel=error \
  "orval@$version" @scalar/openapi-parser@0.29.8 typescript@5.9.3 @types/node@22.20.5
cp "$ROW"/orval.config.mjs .
npx --no-install orval --config orval.config.mjs --fail-on-warnings

cp "$ROW"/program.ts "$ROW"/../typescript/* .
npx --no-install tsc --project .
node out/program.js
echo '{"tool":"orval","version":"'$version'","language":"TypeScript","ok":true}'
