set -euo pipefail
source "$ROW"/../openapi-generator.sh

jar=$(openapi_generator_jar)
java -jar "$jar" generate --input-spec "$OPENAPI" --generator-name python --output client \
  --additional-properties=packageName=generated
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check mypy==2.4.1 types-python-dateutil==2.9.0.20261116 \
  urllib3==2.8.0 python-dateutil==2.9.0.post0 pydantic==2.14.3 typing-extensions==4.16.0
mv client/generated .

cp "$ROW"/program.py "$ROW"/../python/things.py .
venv/bin/mypy program.py things.py
venv/bin/python program.py
echo '{"tool":"openapi-generator python","version":"'$OPENAPI_GENERATOR_VERSION'","language":"Python","ok":true}'
