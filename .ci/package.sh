#!/usr/bin/env bash
# Packs what would be published, and uses it as strangers would: in empty projects, from the packed files alone.
set -euo pipefail
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH="$root/node_modules/.bin:$PATH" # The Node and the tools of the project.

say() { printf '\n== %s\n' "$1"; }
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }

npm pack --silent --workspaces --include-workspace-root --pack-destination "$work" >/dev/null
client=$(ls "$work"/rollcall-client-*.tgz)
server=$(ls "$work"/rollcall-[0-9]*.tgz)

say 'The packages are well-formed'
publint --strict "$client"
publint --strict "$server"
attw "$client"

say 'They hold what is needed, and nothing else'
# Compares the files of a package with the list on standard input.
holds_only() {
  tar -tzf "$1" | sed 's#^package/##' | sort >"$work/held"
  sort | diff - "$work/held" || fail "$(basename "$1") lacks what is marked with <, or holds what is marked with >"
  echo "$(basename "$1"): $(wc -l <"$work/held") files, $(wc -c <"$1") bytes"
}
printf '%s\n' LICENSE README.md package.json dist/{index,tanstack-query}.{js,cjs,d.ts,d.cts} dist/client.d.{ts,cts} | holds_only "$client"
{
  printf '%s\n' CHANGELOG.md LICENSE README.md generated/{openapi-3.1.json,reference.html} openapi.yaml package.json dist/LICENSES-OF-OTHERS.txt
  find server/samples server/http/pages/console.html server/http/pages/assets -type f
  find server generated -name '*.ts' ! -name models.ts ! -name '*.d.ts' | sed -n 's#\(.*\)\.ts$#dist/\1.js\ndist/\1.d.ts#p'
} | holds_only "$server"

say 'The bundle is small'
bytes=$(gzip -9c client/bundle/rollcall-client.min.js | wc -c)
echo "client and openapi-fetch: $bytes bytes gzipped"
[ "$bytes" -le 10240 ] || fail 'more than 10 KB'

say 'The client, in an empty project'
mkdir "$work/client" && cd "$work/client"
npm init --yes >/dev/null
npm install --silent "$client"
count=$(npm ls --all --parseable | tail -n +2 | wc -l)
echo "$count packages"
[ "$count" -le 3 ] || fail 'more than 3 packages'
if grep -rlE '"(pre|post)?install" *:' node_modules --include package.json; then fail 'an install script'; fi
cat >use.mjs <<'JS'
import { ApiError, createClient } from '@rollcall/client';
if (typeof createClient({ baseUrl: 'http://x', apiKey: 'k' }).automations.list !== 'function' || !ApiError) throw new Error('import');
JS
cat >use.cjs <<'JS'
const { ApiError, createClient } = require('@rollcall/client');
if (typeof createClient({ baseUrl: 'http://x', apiKey: 'k' }).automations.list !== 'function' || !ApiError) throw new Error('require');
JS
for version in 20 22 24; do
  npm install --silent --no-save --prefix "$work/node$version" "node@$version"
  node="$work/node$version/node_modules/.bin/node"
  "$node" use.mjs
  "$node" use.cjs
  echo "import and require on Node $("$node" --version)"
done
npm pkg set type=module
cp "$root/test/types/client.types.ts" use.ts
sed -i "s#'../../client/index.ts'#'@rollcall/client'#; s#'../../client/tanstack-query.ts'#'@rollcall/client/tanstack-query'#" use.ts
for module in nodenext preserve; do
  tsc --noEmit --strict --skipLibCheck false --exactOptionalPropertyTypes --noUncheckedIndexedAccess \
    --noPropertyAccessFromIndexSignature --noImplicitOverride --noImplicitReturns --noUnusedLocals --noUnusedParameters \
    --noFallthroughCasesInSwitch --allowUnreachableCode false --verbatimModuleSyntax --isolatedModules \
    --lib es2023,dom,dom.iterable --target es2022 --module "$module" --moduleDetection force --allowJs false use.ts
done
echo 'compiles under the strictest TypeScript'
# What an editor shows; test/client/hover.test.ts asks one for the sources.
grep -q 'Whether the automation is switched on' node_modules/@rollcall/client/dist/client.d.ts || fail 'no descriptions'

say 'The server, in an empty project'
mkdir "$work/server" && cd "$work/server"
npm init --yes >/dev/null
npm install --silent "$server"
count=$(npm ls --all --parseable | tail -n +2 | wc -l)
megabytes=$(find node_modules -type f -printf '%s\n' | awk '{ sum += $1 } END { printf "%d", sum / 1e6 + 1 }')
echo "$count packages, $megabytes MB; in dist/ besides: $(grep -c '^== ' node_modules/rollcall/dist/LICENSES-OF-OTHERS.txt)"
npm ls --all --parseable | tail -n +2 | sed 's#.*node_modules/##' | paste -sd ' ' | fold -s -w 120
[ "$count" -lt 100 ] || fail '100 packages or more'
[ "$megabytes" -le 45 ] || fail 'more than 45 MB'
if grep -rlE '"(pre|post)?install" *:' node_modules --include package.json; then fail 'an install script'; fi
rollcall="node node_modules/.bin/rollcall"
$rollcall --version
echo '[]' | $rollcall import automations --account acme
$rollcall keys create --account acme 2>/dev/null | grep -q '^rollcall_' || fail 'no key'
node --input-type=module -e "
  import { readFileSync } from 'node:fs';
  if (!readFileSync(new URL(import.meta.resolve('rollcall/openapi.yaml')), 'utf8').startsWith('openapi:')) throw new Error('no contract');
  const { default: rendered } = await import('rollcall/openapi-3.1.json', { with: { type: 'json' } });
  if (rendered.openapi !== '3.1.0') throw new Error('no contract as OpenAPI 3.1');
"
npm install --silent "@types/node@$(node -p "require('$root/package.json').devDependencies['@types/node']")"
npm pkg set type=module
cat >use.ts <<'TS'
import { automation, startRollcall } from 'rollcall/testing';
await using server = await startRollcall({ automations: [automation({ status: 'disabled' })] });
// @ts-expect-error -- a collection that is not there
await server.remove('contacts', []);
TS
tsc --noEmit --strict --skipLibCheck false --module nodenext --target es2022 --lib es2023,esnext.disposable --types node use.ts
status=0
output=$("$work/node20/node_modules/.bin/node" --input-type=module -e "await import('rollcall/testing')" 2>&1) || status=$?
[ "$status" = 1 ] || fail "the kit ends Node 20 with $status, not with an error: $output"
grep -q 'Error: rollcall needs Node .* or newer; this is 20\.' <<<"$output" || fail "the kit does not say which Node it needs: $output"
echo 'rollcall/testing on Node 20: an error that says which Node it needs'
for _ in {1..100}; do # The least of many: other programs of the machine only make it longer.
  ms=$(node --input-type=module -e "
    const started = performance.now();
    await import('rollcall/testing');
    console.log(Math.ceil(performance.now() - started));
  ")
  [ "$ms" -ge 150 ] || break
done
echo "rollcall/testing is imported in $ms ms"
[ "$ms" -lt 150 ] || fail 'the kit takes 150 ms or more to import'
{ timeout --preserve-status -s TERM 5 $rollcall demo --port 0; } | grep -q 'curl -H' || fail 'no demo'

say 'The commands of README.md, "In a project of yours"'
mkdir "$work/project" && cd "$work/project"
npm init --yes >/dev/null
commands=$(sed -n '/^## In a project of yours$/,/^## /p' "$root/README.md" | sed -n '/^```sh$/,/^```$/p' | grep -v '^```')
commands=${commands//..\/rollcall/$work}
bash -ec "$(head -n -1 <<<"$commands")" >/dev/null
{ PORT=0 timeout -s TERM 5 $(tail -n 1 <<<"$commands") || true; } | grep 'curl -H' || fail 'README.md: no demo'
cat >pages.mjs <<'JS'
import { startRollcall } from 'rollcall/testing';
const server = await startRollcall();
for (const path of ['/', '/docs']) {
  const ask = (it) => fetch(new URL(it, server.url + path), { headers: { accept: 'text/html' } });
  const page = await (await ask(path)).text();
  const loaded = [...page.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="([^":]+)"/g)].map(([, it]) => it);
  if (loaded.length < 3) throw new Error(path + ' loads too little');
  for (const it of loaded) {
    const { ok, status } = await ask(it);
    if (!ok) throw new Error(it + ' answers ' + status);
  }
  console.log(path + ' and its ' + loaded.length + ' files');
}
await server.close();
JS
node pages.mjs

say 'The suites of another team'
cp -r "$root/test/consumer" "$work/consumer" && cd "$work/consumer"
npm install --silent "$client" "$server"
npm test

say 'The packages work'
