# Models alone, from the contract as OpenAPI 3.1; the program asks with the standard library.
set -euo pipefail
version=0.89.0

python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check "datamodel-code-generator==$version" mypy==2.4.1 pydantic==2.14.3
venv/bin/datamodel-codegen --input "$OPENAPI_31" --output generated.py \
  --output-model-type pydantic_v2.BaseModel --use-annotated --collapse-root-models

cp "$ROW"/program.py "$ROW"/../python/things.py .
venv/bin/mypy --strict program.py things.py
venv/bin/python program.py
echo '{"tool":"datamodel-code-generator","version":"'$version'","language":"Python","ok":true}'
