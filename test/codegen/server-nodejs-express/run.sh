#!/usr/bin/env bash
# A server stub: it starts as it comes, answers each operation and refuses what the contract does not allow.
set -euo pipefail
source "$ROW/../openapi-generator.sh"

jar=$(openapi_generator_jar)
java -jar "$jar" generate -g nodejs-express-server -i "$OPENAPI" -o . >&2
npm install --omit=dev --no-audit --no-fund --loglevel=error >&2
cp "$ROW/program.cjs" .
node program.cjs >&2

echo "{\"tool\":\"openapi-generator nodejs-express-server\",\"version\":\"$OPENAPI_GENERATOR_VERSION\",\"language\":\"JavaScript server\",\"ok\":true}"
