# Our client, packed as it is published.
tool=@rollcall/client language=TypeScript
(cd "$ROOT" && npm run build -w client && npm pack -w client --pack-destination "$OLDPWD")
version=$(node -p "require('$ROOT/client/package.json').version")
install_npm ./rollcall-client-"$version".tgz
mkdir generated # The client is a package.
build_typescript
