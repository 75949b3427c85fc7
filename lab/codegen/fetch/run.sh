# No client at all.
tool=fetch language=TypeScript
version=$(node -p 'process.versions.node')
install_npm
mkdir generated # Nothing is.
build_typescript
