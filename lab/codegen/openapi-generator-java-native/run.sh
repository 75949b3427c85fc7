# The generated Maven project, as it comes, with two more classes.
tool='openapi-generator native' language=Java
openapi_generator generate -g java --library native -i "$OPENAPI" -o . $FLAGS
cp Client.java "$ROW"/../java/Driver.java src/main/java
build_maven Driver -Dmaven.compiler.release=17
