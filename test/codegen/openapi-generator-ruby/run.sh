# The gem it needs is Debian's.
tool=openapi-generator language=Ruby
openapi_generator generate -g ruby -i "$OPENAPI" -o . $FLAGS
driver='["ruby","-I","lib","driver.rb"]'
