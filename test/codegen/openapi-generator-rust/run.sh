#!/usr/bin/env bash
# The generated crate, as it comes, and a program that uses it. Cargo.toml pins the crates that are named.
set -euo pipefail
source "$ROW/../openapi-generator.sh"

jar=$(openapi_generator_jar)
java -jar "$jar" generate -g rust --library reqwest -i "$OPENAPI" -o openapi >&2
cp "$ROW"/Cargo.toml "$ROW"/main.rs .
export CARGO_TARGET_DIR="${TMPDIR:-/tmp}/rollcall-openapi-generator-rust" # The crates are compiled once, the client every time.
cargo run --quiet >&2
cargo clean --quiet -p things -p openapi >&2

echo "{\"tool\":\"openapi-generator reqwest\",\"version\":\"$OPENAPI_GENERATOR_VERSION\",\"language\":\"Rust\",\"ok\":true}"
