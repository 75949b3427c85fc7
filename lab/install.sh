#!/usr/bin/env bash
# Installs what the suites of the lab need, where it is missing: packages of Debian, and those of package.json.
set -euo pipefail
cd "$(dirname "$0")"
export PATH=$PATH:/usr/sbin # Where Debian has nginx.

sudo=$(command -v sudo || true)
missing=()
# The program, and the package that has it.
program() { command -v "$1" > /dev/null || missing+=("${2:-$1}"); }
package() { dpkg-query --status "$1" > /dev/null 2>&1 || missing+=("$1"); }
program apache2
program buildah
program caddy
program cargo cargo-web # Debian's newer one, which it builds browsers with.
program rustc rustc-web
program chromium
program curl
program firefox-esr
program go golang-go
program haproxy
program java default-jdk-headless
program mvn maven
program nginx nginx-light
program openssl
program python3
program shellcheck
program systemd-analyze systemd
program wrk
package python3-pytest
package python3-pytest-xdist
package python3-venv
if [ "${#missing[@]}" -gt 0 ]; then
  $sudo apt-get update
  $sudo apt-get install --yes --no-install-recommends "${missing[@]}"
fi
# Only promtool: the package as a whole would start a server.
if ! command -v promtool > /dev/null; then
  folder=$(mktemp -d)
  (cd "$folder" && apt-get download prometheus && dpkg-deb --extract prometheus_*.deb .)
  $sudo install "$folder/usr/bin/promtool" /usr/local/bin/
  rm -r "$folder"
fi
# The Go of Debian 12 cannot read the newer go.mod files of codegen, nor fetch a newer Go itself, except as a module.
if [ "$(printf '%s\n' go1.21 "$(go env GOVERSION)" | sort --version-sort | head -1)" != go1.21 ]; then
  module=golang.org/toolchain@v0.0.1-go1.25.0.$(go env GOOS)-$(go env GOARCH)
  go mod download "$module"
  root=$(go env GOMODCACHE)/$module
  chmod +x "$root"/bin/* "$root"/pkg/tool/*/* # Modules have no executable files.
  $sudo ln --symbolic --force "$root/bin/go" "$root/bin/gofmt" /usr/local/bin/
fi
npm ci --ignore-scripts --no-audit --no-fund
