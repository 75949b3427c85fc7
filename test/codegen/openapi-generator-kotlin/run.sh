# What is generated comes with Gradle; pom.xml has the same versions for Maven.
tool=openapi-generator language=Kotlin
openapi_generator generate -g kotlin --library jvm-okhttp4 -i "$OPENAPI" -o . $FLAGS
cp Driver.kt src/main/kotlin
build_maven DriverKt
