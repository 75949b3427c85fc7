# A server stub, filled with the records of the matrix, which runs `rollcall conform` against itself. The annotations of springdoc do not
# compile: the generator writes the quotation marks of an example into them as they are.
tool='openapi-generator spring' version=7.25.0 language='Java server'
dependency=org.apache.maven.plugins:maven-dependency-plugin:3.8.1
mvn -q -B "$dependency:copy" -DoutputDirectory=. -Dartifact="org.openapitools:openapi-generator-cli:$version:jar"
java -Dlog.level=error -jar "openapi-generator-cli-$version.jar" generate -g spring -i "$OPENAPI" -o . \
  --additional-properties interfaceOnly=true,skipDefaultInterface=true,documentationProvider=none,openApiNullable=false \
  --schema-mappings FallbackValue=Object
cp {Server,Guard}.java src/main/java/org/openapitools
mvn -q -B compile "$dependency:build-classpath" -Dmdep.outputFile=classpath
java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "target/classes:$(< classpath)" org.openapitools.Server
