# The packages it needs are Debian's.
tool=openapi-generator language=PHP
openapi_generator generate -g php -i "$OPENAPI" -o client $FLAGS
driver='["php","driver.php"]'
