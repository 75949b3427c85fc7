set -euo pipefail
version=0.29.1

python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check "openapi-python-client==$version" mypy==2.4.1
venv/bin/openapi-python-client generate --path "$OPENAPI" --output-path generated --meta none

cp "$ROW"/program.py "$ROW"/../python/things.py .
venv/bin/mypy --strict program.py things.py
venv/bin/python program.py
echo '{"tool":"openapi-python-client","version":"'$version'","language":"Python","ok":true}'
