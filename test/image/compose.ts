/** `docs/compose.yaml`: valid to Debian's docker-compose, which needs no daemon for it, and it says what the image can do. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { run } from '../../scripts/image/commands.ts';
import { SETTING_NAMES, variableOf } from '../../server/cli/settings.ts';
import { ROOT } from '../support/project.ts';

const FILE = join(ROOT, 'docs/compose.yaml');

interface Service {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly { readonly published: number | string; readonly target: number }[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck: { readonly test: readonly string[] };
}

/** @returns what docker-compose makes of a file. @throws Error with its reasons if the file is not valid. */
async function read(file: string, env: readonly string[]): Promise<Readonly<Record<string, Service>>> {
  const text = await run('env', [...env, 'docker-compose', '--file', file, 'config']);
  // docker-compose has checked its types.
  return (parse(text) as { readonly services: Readonly<Record<string, Service>> }).services;
}

/**
 * @param healthCheck the command of the Containerfile.
 * @returns the environment of the service `rollcall`.
 */
export async function checkCompose(
  scratch: string,
  password: string,
  healthCheck: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const env = [`POSTGRES_PASSWORD=${password}`];
  const wrong = join(scratch, 'compose.yaml');
  writeFileSync(wrong, readFileSync(FILE, 'utf8').replace('read_only:', 'readonly:'));
  await assert.rejects(read(wrong, env), /readonly/);
  await assert.rejects(read(FILE, ['--unset=POSTGRES_PASSWORD']), /must be set/);

  const { rollcall, postgres, ...others } = await read(FILE, env);
  assert(rollcall !== undefined && postgres !== undefined);
  assert.deepEqual(others, {});
  const variables = SETTING_NAMES.map(variableOf);
  for (const it of Object.keys(rollcall.environment)) assert(variables.includes(it), `${it} is no setting.`);
  const address = new URL(rollcall.environment['ROLLCALL_DB'] ?? '');
  assert.deepEqual(
    [address.username, address.password, address.hostname, address.pathname],
    [postgres.environment['POSTGRES_USER'], postgres.environment['POSTGRES_PASSWORD'], 'postgres', '/rollcall'],
  );
  assert.deepEqual(rollcall.healthcheck.test, ['CMD', ...healthCheck]);
  const [port, ...ports] = rollcall.ports ?? [];
  assert.deepEqual([Number(port?.published), port?.target, ports], [3000, 3000, []]);
  assert.deepEqual([rollcall.read_only, rollcall.cap_drop, rollcall.stop_grace_period], [true, ['ALL'], '10s']);
  assert.deepEqual(rollcall.depends_on, { postgres: { condition: 'service_healthy' } });
  return rollcall.environment;
}
