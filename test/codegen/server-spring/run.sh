# A server stub: it compiles as it comes.
tool='openapi-generator spring' language='Java server'
openapi_generator generate -g spring -i "$OPENAPI" -o .
mvn -q -B compile
