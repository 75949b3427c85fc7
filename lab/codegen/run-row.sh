# What rows share. It runs one, whose run.sh names its tool, version and language. The last line that it prints names them
# too, with the command of the driver that it has built, as an array of JSON.
set -euo pipefail
OPENAPI_GENERATOR_VERSION=7.25.0

# Installs packages of npm, and the compiler.
install_npm() {
  echo '{ "private": true, "type": "'"${TYPE:-commonjs}"'" }' > package.json
  npm install --save-exact --no-audit --no-fund --loglevel=error typescript@5.9.3 @types/node@22.20.5 "$@"
}
build_typescript() {
  cp "$ROW"/../typescript/{driver.ts,tsconfig.json} .
  npx --no-install tsc --project . "$@"
  driver='["node","out/program.js"]'
}

# Installs packages of PyPI, and the type checker.
install_pip() {
  python3 -m venv venv
  venv/bin/pip install --quiet --disable-pip-version-check mypy==2.4.1 "$@"
}
build_python() {
  cp "$ROW"/../python/driver.py .
  venv/bin/mypy "$@" program.py driver.py
  driver='["venv/bin/python","program.py"]'
}

build_go() {
  cp "$ROW"/../go/driver.go .
  go build -o driver .
  driver='["./driver"]'
}
# Prints the version of a generator that go.mod pins, as a tool.
go_version() { go list -m -f '{{.Version}}' "$1" | tr -d v; }

# Compiles the crates once, the client every time: its packages are named.
build_cargo() {
  export CARGO_TARGET_DIR="${TMPDIR:-/tmp}/rollcall-${ROW##*/}"
  cp "$ROW"/../rust/driver.rs .
  cargo build --quiet
  cp "$CARGO_TARGET_DIR/debug/driver" .
  cargo clean --quiet "$@"
  driver='["./driver"]'
}

# Maven's repository is not made for two of it at a time.
maven() { flock "${TMPDIR:-/tmp}/rollcall-maven.lock" mvn "$@"; }

# The program is short: it needs neither the second compiler nor more than one thread to collect its garbage.
build_maven() {
  maven -q -B compile org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
    -Dmdep.outputFile=classpath "${@:2}"
  printf -- '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp target/classes:%s\n' "$(< classpath)" > java.args
  driver='["java","@java.args","'"$1"'"]'
}

# Runs the jar of openapi-generator, fetched from Maven Central the first time.
openapi_generator() {
  version=$OPENAPI_GENERATOR_VERSION
  local folder="${TMPDIR:-/tmp}/rollcall-openapi-generator"
  local jar="$folder/openapi-generator-cli-$version.jar"
  if [ ! -f "$jar" ]; then
    mkdir -p "$folder"
    local part
    part=$(mktemp -d "$folder/part.XXXXXX") # Moved when it is whole, as other rows may be looking.
    maven -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -DoutputDirectory="$part" \
      -Dartifact="org.openapitools:openapi-generator-cli:$version:jar"
    mv "$part"/*.jar "$jar"
    rmdir "$part"
  fi
  java -jar "$jar" "$@"
}

exec 3>&1 >&2
driver='[]' # A row that is no client has none.
cp -r "$ROW"/. .
rm run.sh
source "$ROW/run.sh"
echo '{"tool":"'"$tool"'","version":"'"$version"'","language":"'"$language"'","driver":'"$driver"'}' >&3
