#!/usr/bin/env bash
# The generated Maven project, as it comes, with two more classes.
set -euo pipefail
source "$ROW/../openapi-generator.sh"

jar=$(openapi_generator_jar)
java -jar "$jar" generate -g java --library okhttp-gson -i "$OPENAPI" -o . \
  --additional-properties errorObjectType=org.openapitools.client.model.Problem >&2
cp "$ROW/Client.java" "$ROW/../java/Things.java" src/main/java
mvn -q -B -Dmaven.compiler.release=17 compile org.codehaus.mojo:exec-maven-plugin:3.6.2:java -Dexec.mainClass=Things >&2

echo "{\"tool\":\"openapi-generator okhttp-gson\",\"version\":\"$OPENAPI_GENERATOR_VERSION\",\"language\":\"Java\",\"ok\":true}"
