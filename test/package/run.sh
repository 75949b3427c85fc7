#!/usr/bin/env bash
# Packs the packages as for publishing, and uses them as another project would: in empty projects, from the packed files only.
set -euo pipefail
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH="$root/node_modules/.bin:$PATH" # The project's Node and tools.

say() { printf '\n== %s\n' "$1"; }
fail() { printf 'FAILED: %s\n' "$1" >&2; exit 1; }
# Runs a command that serves until it has printed how to call it, and ends it with all that it has started: npx does not pass a signal on.
until_served() {
  local pid
  rm -f "$work/served" # What the command before it has printed is not its own.
  setsid "$@" >"$work/served" 2>&1 &
  pid=$!
  until grep -s 'curl -H' "$work/served"; do
    kill -0 "$pid" 2>/dev/null || fail "$* has ended: $(cat "$work/served")"
    sleep 0.1
  done
  kill -- "-$pid"
  wait "$pid" || true
}
# Checks what is installed in this folder: at most so many packages and bytes, and no install scripts.
installs_at_most() {
  local count bytes
  count=$(npm ls --all --parseable | tail -n +2 | wc -l)
  bytes=$(find node_modules -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
  echo "$count packages, $((bytes / 1000)) KB"
  [ "$count" -le "$1" ] || fail "It installs more than $1 packages"
  [ "$bytes" -le "$2" ] || fail "It installs more than $2 bytes"
  if grep -rlE '"(pre|post)?install" *:' node_modules --include package.json; then fail 'A package has an install script'; fi
}
floor=$(sed -n 's/.*"node": ">=\(.*\)".*/\1/p' package.json) # The oldest Node that the server supports.
nodes=${ROLLCALL_PACKAGE_NODES:-$floor} # Which the suites of another project run on.

npm pack --silent --workspaces --include-workspace-root --pack-destination "$work" >/dev/null
client=$(ls "$work"/rollcall-client-*.tgz)
audit=$(ls "$work"/rollcall-audit-*.tgz)
server=$(ls "$work"/rollcall-[0-9]*.tgz)

say 'They contain the required files and no others'
# Compares the files in a package with the list on standard input.
holds_only() {
  tar -tzf "$1" | sed 's#^package/##' | sort >"$work/held"
  sort | diff - "$work/held" || fail "$(basename "$1"): files marked with < are missing, files marked with > are unexpected"
  echo "$(basename "$1"): $(wc -l <"$work/held") files, $(wc -c <"$1") bytes"
}
printf '%s\n' LICENSE README.md package.json dist/index.{js,cjs,d.ts,d.cts} | holds_only "$client"
{
  printf '%s\n' LICENSE README.md package.json audit/profiles/*.yaml dist/built/openapi.json dist/generated/{openapi,operations}.js dist/client/retry-after.js dist/audit/fake/types.d.ts | sed 's#^audit/##'
  find audit command contract -name '*.ts' ! -path '*/dist/*' ! -path contract/problems.ts | sed -n 's#\(.*\)\.ts$#dist/\1.js#p'
} | holds_only "$audit"
{
  printf '%s\n' {CHANGELOG,CONTRIBUTING}.md LICENSE README.md {control,openapi}.yaml package.json
  find server/samples testkit/helpers audit/profiles server/pages/console.html server/pages/favicon.ico built docs -type f ! -name sources.sha256 ! -path 'docs/pictures/*'
  find contract server import audit command testkit cli generated client/retry-after.ts -name '*.ts' ! -name models.ts ! -path 'audit/main.ts' ! -path '*/dist/*' ! -path 'server/pages/assets/*' ! -path 'testkit/helpers/*' | sed -n 's#\(.*\)\.ts$#dist/\1.js\ndist/\1.d.ts#p'
} | holds_only "$server"

say 'Their metadata and types are right'
publint --strict "$client"
publint --strict "$audit"
publint --strict "$server"
attw "$client"
# For `import` only, and its other entry points are files without types.
attw --profile esm-only --exclude-entrypoints openapi.yaml control.yaml openapi-3.1.json package.json -- "$server"

for it in "$client" "$audit" "$server"; do
  hooks=$(tar -xzOf "$it" package/package.json | node -p "
    const { scripts = {} } = JSON.parse(require('node:fs').readFileSync(0));
    Object.keys(scripts).filter((it) => /^(pre|post)?(install|prepare)$/.test(it)).join(', ')
  ")
  [ -z "$hooks" ] || fail "$(basename "$it") has scripts of which npm warns at each installation: $hooks"
done

say 'The bundle is small'
bytes=$(gzip -9c client/bundle/rollcall-client.min.js | wc -c)
echo "client and openapi-fetch: $bytes bytes gzipped"
[ "$bytes" -le 10240 ] || fail 'The bundle is larger than 10 KB'

say 'The client, in an empty project'
mkdir "$work/client" && cd "$work/client"
npm init --yes >/dev/null
npm install --silent "$client"
installs_at_most 3 1000000
cat >use.mjs <<'JS'
import { ApiError, createClient } from '@rollcall/client';
if (typeof createClient({ baseUrl: 'http://x', apiKey: 'k' }).automations.list !== 'function' || !ApiError) throw new Error('import');
JS
cat >use.cjs <<'JS'
const { ApiError, createClient } = require('@rollcall/client');
if (typeof createClient({ baseUrl: 'http://x', apiKey: 'k' }).automations.list !== 'function' || !ApiError) throw new Error('require');
JS
cat >both.mjs <<'JS'
import { createRequire } from 'node:module';
import * as esm from '@rollcall/client';
const cjs = createRequire(import.meta.url)('@rollcall/client');
if (esm.ApiError === cjs.ApiError) throw new Error('Both imports return the same build');
const errorOf = ({ createClient }, fetch) =>
  createClient({ baseUrl: 'http://x', apiKey: 'k', retry: false, timeoutMs: 20, fetch }).automations.list().then(() => 'none', (it) => it);
const fetches = {
  ApiError: async () => new Response('', { status: 500 }),
  NetworkError: () => Promise.reject(new TypeError('fetch failed')),
  TimeoutError: () => new Promise(() => undefined),
};
for (const thrower of [esm, cjs]) {
  for (const [expected, fetch] of Object.entries(fetches)) {
    const error = await errorOf(thrower, fetch);
    for (const build of [esm, cjs]) {
      const matching = Object.keys(fetches).filter((it) => error instanceof build[it]);
      if (matching.join() !== expected) throw new Error(`${error.stack} is an instance of ${matching}, expected ${expected}`);
    }
  }
}
JS
for version in 20 $nodes; do
  npm install --silent --no-save --prefix "$work/node$version" "node@$version"
  node="$work/node$version/node_modules/.bin/node"
  "$node" use.mjs
  "$node" use.cjs
  "$node" both.mjs
  echo "import and require, separately and in one process, on Node $("$node" --version)"
done
npm pkg set type=module
cp "$root/test/types/client.types.ts" use.ts
sed -i "s#'../../client/index.ts'#'@rollcall/client'#" use.ts
for module in nodenext preserve; do
  tsc --noEmit --strict --skipLibCheck false --exactOptionalPropertyTypes --noUncheckedIndexedAccess \
    --noPropertyAccessFromIndexSignature --noImplicitOverride --noImplicitReturns --noUnusedLocals --noUnusedParameters \
    --noFallthroughCasesInSwitch --allowUnreachableCode false --verbatimModuleSyntax --isolatedModules \
    --lib es2023,dom,dom.iterable --target es2022 --module "$module" --moduleDetection force --allowJs false use.ts
done
echo 'compiles under the strictest TypeScript'
npm install --silent --no-save --prefix "$work/typescript" typescript@5.4 # The oldest, and the oldest library, that docs/client.md names.
"$work/typescript/node_modules/.bin/tsc" --noEmit --strict --skipLibCheck false --module nodenext --target es2022 --lib es2020,dom,dom.iterable use.ts
echo 'compiles with TypeScript 5.4 and its library es2020'
npm install --silent @tanstack/query-core@5.0.0
awk '/^```ts$/ { n++; open = 1; next } /^```$/ { open = 0 } open { print >("page" n ".ts") }' "$root/docs/client.md"
cp "$root"/docs/examples/tanstack/*.ts .
tsc --noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022 --lib es2023,dom,dom.iterable page?.ts infinite-list.ts poll-import.ts
echo "the $(ls page?.ts | wc -l) programs of docs/client.md and the recipes compile with TanStack Query 5.0.0"
# Editors show the descriptions in the declaration files. test/client/hover.test.ts tests those in the sources.
grep -q 'Whether the automation is enabled' node_modules/@rollcall/client/dist/index.d.ts || fail 'The declaration files have no descriptions'

say 'The server, in an empty project'
mkdir "$work/server" && cd "$work/server"
npm init --yes >/dev/null
npm install --silent "$server"
npm ls --all --parseable | tail -n +2 | sed 's#.*node_modules/##' | paste -sd ' ' | fold -s -w 120
# Measured: 120 packages, 48 MB, of which lru-cache takes 3.6 with its builds and source maps. Versions of transitive dependencies vary.
installs_at_most 125 53000000
# The release has this list of what is installed, and it is complete.
npm sbom --sbom-format cyclonedx --omit dev >sbom.json
node -e "
  const { components } = require('./sbom.json');
  const listed = new Set(components.map((it) => [it.group, it.name].filter(Boolean).join('/')));
  const missing = process.argv.slice(1).filter((it) => !listed.has(it));
  if (missing.length > 0) throw new Error('sbom.json has no ' + missing.join(', '));
" $(npm ls --all --parseable | tail -n +2 | sed 's#.*node_modules/##' | sort -u)
rollcall="node node_modules/.bin/rollcall"
$rollcall --version
if [ -n "${ROLLCALL_PACKAGE_GIT:-}" ]; then # It installs all that building takes: a minute or two.
  mkdir "$work/git"
  npm install --silent --prefix "$work/git" "git+$(node -p "require('node:url').pathToFileURL(process.argv[1]).href" "$root")"
  diff -r node_modules/rollcall "$work/git/node_modules/rollcall" || fail 'An installation from git differs from the package'
  echo 'an installation from git is the same package'
fi
echo '[]' | $rollcall import automations --account acme --allow-empty
$rollcall keys create --account acme 2>/dev/null | grep -q '^rollcall_' || fail 'keys create printed no key'
node --input-type=module -e "
  import { readFileSync } from 'node:fs';
  if (!readFileSync(new URL(import.meta.resolve('rollcall/openapi.yaml')), 'utf8').startsWith('openapi:')) throw new Error('rollcall/openapi.yaml is not the contract');
  const { default: rendered } = await import('rollcall/openapi-3.1.json', { with: { type: 'json' } });
  if (rendered.openapi !== '3.1.0') throw new Error('rollcall/openapi-3.1.json is not OpenAPI 3.1');
"
npm install --silent "@types/node@$(node -p "require(process.argv[1]).devDependencies['@types/node']" "$root/package.json")"
npm pkg set type=module
cat >use.ts <<'TS'
import { automation, startRollcall } from 'rollcall/testing';
await using server = await startRollcall({ automations: [automation({ status: 'disabled' })] });
// @ts-expect-error -- an unknown collection
await server.remove('contacts', []);
TS
tsc --noEmit --strict --skipLibCheck false --module nodenext --target es2022 --lib es2023,esnext.disposable --types node use.ts
status=0
output=$("$work/node20/node_modules/.bin/node" --input-type=module -e "await import('rollcall/testing')" 2>&1) || status=$?
[ "$status" = 1 ] || fail "The kit exits with $status on Node 20, not with an error: $output"
grep -q 'Error: rollcall requires Node .* or later; this is 20\..*npm install node@24' <<<"$output" || fail "The error of the kit does not name the required Node, and how to get it: $output"
echo 'rollcall/testing on Node 20: an error that names the required Node'
until_served $rollcall demo --port 0

say 'The audit, in an empty project'
mkdir "$work/audit" && cd "$work/audit"
npm init --yes >/dev/null
npm install --silent "$audit"
installs_at_most 10 3000000
[ -z "$(find node_modules -name '*.node')" ] || fail 'The audit installs native code'
cd "$work/server"
cat >audit.mjs <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { automation, contactImport, contactProperty, startRollcall } from 'rollcall/testing';
await using server = await startRollcall({
  automations: Array.from({ length: 5 }, () => automation()),
  contactProperties: [contactProperty(), contactProperty()],
  contactImports: [contactImport(), contactImport()],
});
const [node, program] = process.argv.slice(2);
const commands = [
  ['conform', server.url, '--key', server.apiKey, '--only', 'list.order,auth'],
  ['audit', `${server.url}/automations`, '--header', `Authorization: Bearer ${server.apiKey}`],
];
for (const argv of commands) {
  const [code] = await once(spawn(node, [program, ...argv], { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`${argv[0]} exits with ${code}`);
}
JS
node audit.mjs "$work/node20/node_modules/.bin/node" "$work/audit/node_modules/.bin/rollcall-audit"
echo '@rollcall/audit tests the server of another package, on Node 20'

say 'The commands of docs/install.md'
ln -s . "$work/rollcall" # The clone of the page, which has the tarballs.
mkdir "$work/project" && cd "$work/project"
npm init --yes >/dev/null
commands=$(sed -n '/^```sh$/,/^```$/p;/^```$/q' "$root/docs/install.md" | grep -v '^```')
bash -ec "$(head -n -1 <<<"$commands")" >/dev/null
if grep -rnE "import\(['\"][./][^'\"]*\.ts['\"]" node_modules/rollcall/dist node_modules/@rollcall --include='*.js'; then fail 'An import names a source'; fi
npx --no-install rollcall conform http://127.0.0.1:9 --key none --dry-run --only auth.missing | grep -q 'requests would be sent' || fail 'The dry run fails'
PORT=0 until_served $(tail -n 1 <<<"$commands")
background=$(sed -n '/^node_modules.*&$/p' "$root/docs/install.md")
rm "$work/served"
bash -c "export PORT=0; ${background%&} >'$work/served' 2>&1 & until grep -qs 'curl -H' '$work/served'; do sleep 0.1; done; kill \$!; wait \$!" || true
url=$(grep -o 'http://127[^/ ]*' "$work/served" | head -n 1)
! curl --silent --output /dev/null "$url" || fail "The demo still runs after its shell has killed it: $background"
cat >pages.mjs <<'JS'
import { startRollcall } from 'rollcall/testing';
const server = await startRollcall();
for (const path of ['/', '/docs']) {
  const get = (it) => fetch(new URL(it, server.url + path), { headers: { accept: 'text/html' } });
  const page = await (await get(path)).text();
  const loaded = [...page.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="([^":]+)"/g)].map(([, it]) => it);
  if (loaded.length < 2) throw new Error(path + ' loads fewer than 2 files');
  for (const it of loaded) {
    const { ok, status } = await get(it);
    if (!ok) throw new Error(it + ' returns ' + status);
  }
  console.log(path + ' and its ' + loaded.length + ' files');
}
await server.close();
JS
node pages.mjs

say 'The suites of another project'
cp -r "$root/test/consumer" "$work/consumer" && cd "$work/consumer"
npm install --silent "$client" "$server"
for version in $nodes; do (
  export PATH="$work/node$version/node_modules/.bin:$PATH"
  echo "on Node $(node --version)"
  npm test
  for suite in test:require test:using; do # They work on Node 24 only: see docs/test-kit.md.
    if [ "$version" = 24 ]; then npm run "$suite"; continue; fi
    status=0
    output=$(npm run "$suite" 2>&1) || status=$?
    [ "$status" != 0 ] || fail "$suite works on Node $version, but docs/test-kit.md states that it does not"
    grep -qE 'Must use import to load ES Module|SyntaxError' <<<"$output" || fail "$suite fails on Node $version for an unexpected reason: $output"
  done
); done

say 'The packages work'
