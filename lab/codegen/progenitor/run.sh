# A macro of progenitor generates where the program is compiled. Cargo.toml pins the crates that are named. They are compiled once,
# the client every time.
tool=progenitor language=Rust
cp "$OPENAPI" openapi.yaml
export CARGO_TARGET_DIR="${TMPDIR:-/tmp}/rollcall-progenitor"
cargo build --quiet
cp "$CARGO_TARGET_DIR/debug/driver" .
cargo clean --quiet -p driver
version=$(cargo pkgid progenitor)
version=${version##*@}
driver='["./driver"]'
