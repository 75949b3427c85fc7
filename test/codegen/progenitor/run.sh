#!/usr/bin/env bash
# A macro of progenitor generates where the program is compiled. Cargo.lock pins every crate.
set -euo pipefail

cp "$ROW"/Cargo.toml "$ROW"/Cargo.lock "$ROW"/main.rs .
cp "$OPENAPI" openapi.yaml
export CARGO_TARGET_DIR="${TMPDIR:-/tmp}/rollcall-progenitor" # The crates are compiled once, the client every time.
cargo run --locked --quiet >&2
cargo clean --locked --quiet -p six-things >&2

version=$(cargo pkgid --locked progenitor)
echo "{\"tool\":\"progenitor\",\"version\":\"${version##*@}\",\"language\":\"Rust\",\"ok\":true}"
