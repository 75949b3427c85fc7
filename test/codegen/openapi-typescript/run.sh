set -euo pipefail
version=7.13.0

echo '{ "private": true }' > package.json
npm install --save-exact --no-audit --no-fund --loglevel=error \
  "openapi-typescript@$version" openapi-fetch@0.17.0 typescript@5.9.3 @types/node@22.20.5
npx --no-install openapi-typescript "$OPENAPI" --output generated/openapi.ts

cp "$ROW"/program.ts "$ROW"/../typescript/* .
npx --no-install tsc --project .
node out/program.js
echo '{"tool":"openapi-typescript","version":"'$version'","language":"TypeScript","ok":true}'
