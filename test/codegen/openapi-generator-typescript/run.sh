set -euo pipefail
source "$ROW"/../openapi-generator.sh

jar=$(openapi_generator_jar)
java -jar "$jar" generate --input-spec "$OPENAPI" --generator-name typescript-fetch --output generated

echo '{ "private": true }' > package.json
npm install --save-exact --no-audit --no-fund --loglevel=error typescript@5.9.3 @types/node@22.20.5
cp "$ROW"/program.ts "$ROW"/../typescript/* .
npx --no-install tsc --project .
node out/program.js
echo '{"tool":"openapi-generator typescript-fetch","version":"'$OPENAPI_GENERATOR_VERSION'","language":"TypeScript","ok":true}'
