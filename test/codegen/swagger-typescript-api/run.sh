set -euo pipefail
version=13.13.0

echo '{ "private": true }' > package.json
npm install --save-exact --no-audit --no-fund --loglevel=error \
  "swagger-typescript-api@$version" typescript@5.9.3 @types/node@22.20.5
npx --no-install swagger-typescript-api generate --path "$OPENAPI" --output generated --name rollcall.ts \
  --enum-style union

cp "$ROW"/program.ts "$ROW"/../typescript/* .
npx --no-install tsc --project .
node out/program.js
echo '{"tool":"swagger-typescript-api","version":"'$version'","language":"TypeScript","ok":true}'
