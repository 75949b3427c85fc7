# A server stub: it starts as it comes, answers each operation and rejects what the contract does not allow.
tool='openapi-generator nodejs-express-server' language='JavaScript server'
openapi_generator generate -g nodejs-express-server -i "$OPENAPI" -o .
npm install --omit=dev --no-audit --no-fund --loglevel=error
node program.cjs
