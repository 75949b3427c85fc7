# Builds the row $ROW in the current folder, which is empty: its run.sh generates and compiles, and says what with. The files of the
# row are here. built.json says what was built; a row that is not a client tests itself, and has no driver.
set -euo pipefail
driver='[]'

# Installs packages of npm, and the compiler.
install_npm() {
  echo '{ "private": true, "type": "'"${TYPE:-commonjs}"'" }' > package.json
  npm install --save-exact --no-audit --no-fund --loglevel=error typescript@5.9.3 @types/node@22.20.5 "$@"
}

# Compiles a client with the driver that the rows of TypeScript share.
build_typescript() {
  cp "$ROW"/../typescript/{driver.ts,tsconfig.json} .
  npx --no-install tsc --project .
  driver='["node","out/program.js"]'
}

# Prints the version of oapi-codegen, which go.mod pins as a tool. Both rows of Go have one go.mod and one configuration.
oapi_codegen_version() {
  cp -n "$ROW"/../oapi-codegen/{go.mod,go.sum,oapi-codegen.yaml} .
  go list -m -f '{{.Version}}' github.com/oapi-codegen/oapi-codegen/v2 | tr -d v
}

cp -r "$ROW"/. .
source ./run.sh
echo '{"tool":"'"$tool"'","version":"'"$version"'","language":"'"$language"'","driver":'"$driver"'}' > built.json
