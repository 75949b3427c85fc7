#!/usr/bin/env bash
# A macro of progenitor generates where the program is compiled. Cargo.toml pins the crates that are named.
set -euo pipefail

cp "$ROW"/Cargo.toml "$ROW"/main.rs .
cp "$OPENAPI" openapi.yaml
export CARGO_TARGET_DIR="${TMPDIR:-/tmp}/rollcall-progenitor" # The crates are compiled once, the client every time.
cargo run --quiet >&2
cargo clean --quiet -p things >&2

version=$(cargo pkgid progenitor)
echo "{\"tool\":\"progenitor\",\"version\":\"${version##*@}\",\"language\":\"Rust\",\"ok\":true}"
