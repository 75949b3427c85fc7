# The generated Maven project, as it comes, with one more class.
tool='openapi-generator native' version=7.25.0 language=Java
dependency=org.apache.maven.plugins:maven-dependency-plugin:3.8.1
mvn -q -B "$dependency:copy" -DoutputDirectory=. -Dartifact="org.openapitools:openapi-generator-cli:$version:jar"
java -Dlog.level=error -jar "openapi-generator-cli-$version.jar" generate -g java --library native -i "$OPENAPI" -o . \
  --schema-mappings FallbackValue=Object
cp Driver.java src/main/java
mvn -q -B compile "$dependency:build-classpath" -Dmdep.outputFile=classpath -Dmaven.compiler.release=17
# The program is short: it needs neither the second compiler nor more than one thread to collect its garbage.
printf -- '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp target/classes:%s\n' "$(< classpath)" > java.args
driver='["java","@java.args","Driver"]'
