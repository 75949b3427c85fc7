#!/usr/bin/env bash
# Packs what would be published, installs it in an empty project, and uses it there.
set -euo pipefail
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npm pack --silent --workspaces --include-workspace-root --pack-destination "$work" >/dev/null
cd "$work"
npm init --yes >/dev/null
npm install --silent ./rollcall-*.tgz ./rollcall-client-*.tgz
export PATH="$root/node_modules/.bin:$PATH" # The Node of the project.
rollcall="node node_modules/.bin/rollcall"

$rollcall --version
echo '[]' | $rollcall import automations --account acme
$rollcall keys create --account acme 2>/dev/null | grep -q '^rollcall_'
node --input-type=module -e "
  import { readFileSync } from 'node:fs';
  import { createClient } from '@rollcall/client';
  if (typeof createClient({ baseUrl: 'http://x', apiKey: 'k' }).GET !== 'function') throw new Error('no client');
  if (!readFileSync(new URL(import.meta.resolve('rollcall/openapi.yaml')), 'utf8').startsWith('openapi:')) throw new Error('no contract');
"
timeout --preserve-status -s TERM 5 $rollcall demo --port 0 | grep -q 'curl -H'
echo 'The packages work.'
