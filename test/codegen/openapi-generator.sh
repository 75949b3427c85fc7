# Sourced by the rows of openapi-generator, which all run the same jar.
OPENAPI_GENERATOR_VERSION=7.25.0

# Prints the path of the jar, fetched from Maven Central the first time.
openapi_generator_jar() {
  local folder="${TMPDIR:-/tmp}/rollcall-openapi-generator"
  local jar="$folder/openapi-generator-cli-$OPENAPI_GENERATOR_VERSION.jar"
  if [ ! -f "$jar" ]; then
    mkdir -p "$folder"
    local part
    part=$(mktemp -d "$folder/part.XXXXXX") # Moved when it is whole, as other rows may be looking.
    mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -DoutputDirectory="$part" \
      -Dartifact="org.openapitools:openapi-generator-cli:$OPENAPI_GENERATOR_VERSION:jar" >&2 || return 1
    mv "$part"/*.jar "$jar"
    rmdir "$part"
  fi
  echo "$jar"
}
