#!/usr/bin/env bash
# The gem it needs is Debian's.
set -euo pipefail
source "$ROW/../openapi-generator.sh"

jar=$(openapi_generator_jar)
java -jar "$jar" generate -g ruby -i "$OPENAPI" -o . $FLAGS >&2
ruby -I lib "$ROW/things.rb" >&2

echo "{\"tool\":\"openapi-generator\",\"version\":\"$OPENAPI_GENERATOR_VERSION\",\"language\":\"Ruby\",\"ok\":true}"
