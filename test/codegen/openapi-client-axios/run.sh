set -euo pipefail
version=7.9.1

echo '{ "private": true }' > package.json
npm install --save-exact --no-audit --no-fund --loglevel=error \
  "openapi-client-axios@$version" openapi-client-axios-typegen@7.8.0 axios@1.21.1 typescript@5.9.3 @types/node@22.20.5
mkdir generated
npx --no-install typegen "$OPENAPI" > generated/rollcall.d.ts

cp "$ROW"/program.ts "$ROW"/../typescript/* .
npx --no-install tsc --project .
node out/program.js
echo '{"tool":"openapi-client-axios","version":"'$version'","language":"TypeScript","ok":true}'
