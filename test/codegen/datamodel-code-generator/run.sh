# Models alone, from the contract as OpenAPI 3.1; the program asks with the standard library.
tool=datamodel-code-generator version=0.89.0 language=Python
install_pip "$tool==$version" pydantic==2.14.3
venv/bin/datamodel-codegen --input "$OPENAPI_31" --output generated.py \
  --output-model-type pydantic_v2.BaseModel --use-annotated --collapse-root-models
build_python --strict
