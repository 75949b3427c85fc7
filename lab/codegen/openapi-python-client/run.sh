tool=openapi-python-client version=0.29.1 language=Python
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check mypy==2.4.1 "$tool==$version"
venv/bin/openapi-python-client generate --path "$OPENAPI" --output-path generated --meta none
venv/bin/mypy --strict program.py
driver='["venv/bin/python","program.py"]'
