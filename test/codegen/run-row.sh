# What rows share. It runs one, whose run.sh names its tool, version and language, and says at the end which have passed.
set -euo pipefail
OPENAPI_GENERATOR_VERSION=7.25.0

# Installs packages of npm, and the compiler.
install_npm() {
  echo '{ "private": true, "type": "'"${TYPE:-commonjs}"'" }' > package.json
  npm install --save-exact --no-audit --no-fund --loglevel=error typescript@5.9.3 @types/node@22.20.5 "$@"
}
run_typescript() {
  cp "$ROW"/../typescript/* .
  npx --no-install tsc --project . "$@"
  node out/program.js
}

# Installs packages of PyPI, and the type checker.
install_pip() {
  python3 -m venv venv
  venv/bin/pip install --quiet --disable-pip-version-check mypy==2.4.1 "$@"
}
run_python() {
  cp "$ROW"/../python/things.py .
  venv/bin/mypy "$@" program.py things.py
  venv/bin/python program.py
}

run_go() {
  cp "$ROW"/../go/things.go .
  go build -o things .
  ./things
}
# Prints the version of a generator that go.mod pins, as a tool.
go_version() { go list -m -f '{{.Version}}' "$1" | tr -d v; }

# Compiles the crates once, the client every time: its packages are named.
run_cargo() {
  export CARGO_TARGET_DIR="${TMPDIR:-/tmp}/rollcall-${ROW##*/}"
  cargo run --quiet
  cargo clean --quiet "$@"
}

run_maven() { mvn -q -B compile org.codehaus.mojo:exec-maven-plugin:3.6.2:java -Dexec.mainClass="$1" "${@:2}"; }

# Runs the jar of openapi-generator, fetched from Maven Central the first time.
openapi_generator() {
  version=$OPENAPI_GENERATOR_VERSION
  local folder="${TMPDIR:-/tmp}/rollcall-openapi-generator"
  local jar="$folder/openapi-generator-cli-$version.jar"
  if [ ! -f "$jar" ]; then
    mkdir -p "$folder"
    local part
    part=$(mktemp -d "$folder/part.XXXXXX") # Moved when it is whole, as other rows may be looking.
    mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -DoutputDirectory="$part" \
      -Dartifact="org.openapitools:openapi-generator-cli:$version:jar"
    mv "$part"/*.jar "$jar"
    rmdir "$part"
  fi
  java -jar "$jar" "$@"
}

exec 3>&1 >&2
cp -r "$ROW"/. .
rm run.sh
source "$ROW/run.sh"
echo '{"tool":"'"$tool"'","version":"'"$version"'","language":"'"$language"'","ok":true}' >&3
