set -euo pipefail
version=0.99.0

echo '{ "private": true }' > package.json
npm install --save-exact --no-audit --no-fund --loglevel=error \
  "@hey-api/openapi-ts@$version" typescript@5.9.3 @types/node@22.20.5
npx --no-install openapi-ts --input "$OPENAPI" --output generated --no-log-file

cp "$ROW"/program.ts "$ROW"/../typescript/* .
npx --no-install tsc --project .
node out/program.js
echo '{"tool":"@hey-api/openapi-ts","version":"'$version'","language":"TypeScript","ok":true}'
