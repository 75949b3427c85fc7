# A macro of progenitor generates where the program is compiled. Cargo.toml pins the crates that are named.
tool=progenitor language=Rust
cp "$OPENAPI" openapi.yaml
build_cargo -p driver
version=$(cargo pkgid progenitor)
version=${version##*@}
