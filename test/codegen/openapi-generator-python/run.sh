tool='openapi-generator python' language=Python
openapi_generator generate --input-spec "$OPENAPI" --generator-name python --output client \
  --additional-properties=packageName=generated
mv client/generated .
install_pip types-python-dateutil==2.9.0.20261116 urllib3==2.8.0 python-dateutil==2.9.0.post0 pydantic==2.14.3 \
  typing-extensions==4.16.0
build_python
