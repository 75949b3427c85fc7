# An MCP server whose tools are the operations; the program is a client of it, over standard input and output.
tool=openapi-mcp-generator version=4.0.1 language='MCP server'
TYPE=module install_npm "$tool@$version" @modelcontextprotocol/sdk@1.32.2 axios@1.21.1 dotenv@16.6.1 \
  json-schema-to-zod@2.8.1 zod@3.25.76
npx --no-install openapi-mcp-generator --input "$OPENAPI" --output generated
npx --no-install tsc --project generated
node program.mjs
