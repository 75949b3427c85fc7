# The generated Maven project, as it comes, with two more classes.
tool='openapi-generator okhttp-gson' language=Java
openapi_generator generate -g java --library okhttp-gson -i "$OPENAPI" -o . \
  --additional-properties errorObjectType=org.openapitools.client.model.Problem
cp Client.java "$ROW"/../java/Driver.java src/main/java
build_maven Driver -Dmaven.compiler.release=17
