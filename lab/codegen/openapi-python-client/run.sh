tool=openapi-python-client version=0.29.1 language=Python
install_pip "$tool==$version"
venv/bin/openapi-python-client generate --path "$OPENAPI" --output-path generated --meta none
build_python --strict
