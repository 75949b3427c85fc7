# The generated crate, as it comes, and a program that uses it. Cargo.toml pins the crates that are named.
tool='openapi-generator reqwest' language=Rust
openapi_generator generate -g rust --library reqwest -i "$OPENAPI" -o openapi
build_cargo -p driver -p openapi
