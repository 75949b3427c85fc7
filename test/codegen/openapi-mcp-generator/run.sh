# An MCP server whose tools are the operations; the program is a client of it, over standard input and output.
set -euo pipefail
version=4.0.1

echo '{ "private": true, "type": "module" }' > package.json
npm install --save-exact --no-audit --no-fund --loglevel=error \
  "openapi-mcp-generator@$version" @modelcontextprotocol/sdk@1.32.2 axios@1.21.1 dotenv@16.6.1 \
  json-schema-to-zod@2.8.1 zod@3.25.76 typescript@5.9.3 @types/node@22.20.5
npx --no-install openapi-mcp-generator --input "$OPENAPI" --output generated
npx --no-install tsc --project generated

cp "$ROW"/program.mjs .
node program.mjs
echo '{"tool":"openapi-mcp-generator","version":"'$version'","language":"MCP server","ok":true}'
