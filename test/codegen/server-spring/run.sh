#!/usr/bin/env bash
# A server stub: it compiles as it comes.
set -euo pipefail
source "$ROW/../openapi-generator.sh"

jar=$(openapi_generator_jar)
java -jar "$jar" generate -g spring -i "$OPENAPI" -o . >&2
mvn -q -B compile >&2

echo "{\"tool\":\"openapi-generator spring\",\"version\":\"$OPENAPI_GENERATOR_VERSION\",\"language\":\"Java server\",\"ok\":true}"
