# From the contract as OpenAPI 3.1: of 3.0's null it makes an object.
set -euo pipefail
version=1.18.3

echo '{ "private": true }' > package.json
npm install --save-exact --no-audit --no-fund --loglevel=error \
  "openapi-zod-client@$version" @zodios/core@10.9.6 zod@3.25.76 axios@1.21.1 typescript@5.9.3 @types/node@22.20.5
mkdir generated
npx --no-install openapi-zod-client "$OPENAPI_31" --output generated/rollcall.ts --with-alias

cp "$ROW"/program.ts "$ROW"/../typescript/* .
npx --no-install tsc --project .
node out/program.js
echo '{"tool":"openapi-zod-client","version":"'$version'","language":"TypeScript","ok":true}'
