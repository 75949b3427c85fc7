#!/usr/bin/env bash
# The packages it needs are Debian's.
set -euo pipefail
source "$ROW/../openapi-generator.sh"

jar=$(openapi_generator_jar)
java -jar "$jar" generate -g php -i "$OPENAPI" -o client $FLAGS >&2
php "$ROW/things.php" >&2

echo "{\"tool\":\"openapi-generator\",\"version\":\"$OPENAPI_GENERATOR_VERSION\",\"language\":\"PHP\",\"ok\":true}"
