#!/usr/bin/env bash
# What is generated comes with Gradle; pom.xml has the same versions for Maven.
set -euo pipefail
source "$ROW/../openapi-generator.sh"

jar=$(openapi_generator_jar)
java -jar "$jar" generate -g kotlin --library jvm-okhttp4 -i "$OPENAPI" -o . $FLAGS >&2
cp "$ROW/pom.xml" .
cp "$ROW/Things.kt" src/main/kotlin
mvn -q -B compile org.codehaus.mojo:exec-maven-plugin:3.6.2:java -Dexec.mainClass=ThingsKt >&2

echo "{\"tool\":\"openapi-generator\",\"version\":\"$OPENAPI_GENERATOR_VERSION\",\"language\":\"Kotlin\",\"ok\":true}"
