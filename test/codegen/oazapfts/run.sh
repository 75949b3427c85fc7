set -euo pipefail
version=7.5.0

echo '{ "private": true }' > package.json
npm install --save-exact --no-audit --no-fund --loglevel=error \
  "oazapfts@$version" @oazapfts/runtime@1.2.0 typescript@5.9.3 @types/node@22.20.5
mkdir generated
npx --no-install oazapfts "$OPENAPI" generated/rollcall.ts

cp "$ROW"/program.ts "$ROW"/../typescript/* .
npx --no-install tsc --project .
node out/program.js
echo '{"tool":"oazapfts","version":"'$version'","language":"TypeScript","ok":true}'
