/** What the operator does in his first minutes: builds the packages in a clone, serves from it, installs the service, makes and restores a backup. */
import assert from 'node:assert/strict';
import { textOf } from '../support/docs.ts';
import { HOME } from './machine.ts';
import type { Running } from './machine.ts';
import { ADDRESS, copy, copyLines } from './reader.ts';
import type { Reader } from './reader.ts';

const CLONE = `${HOME}/rollcall`;
const DATA = '/var/lib/rollcall';
const KEY = /^rollcall_[0-9a-f]{40}$/m;
const LISTENS = /Rollcall listens on (http\S+)\n/;

/** @returns the body of a response. @throws Error if its status is not 200. */
const get = (reader: Reader, path: string, key: string): Promise<string> =>
  reader.run(`curl --silent --show-error --fail -H 'Authorization: Bearer ${key}' ${ADDRESS}${path}`);

/** Stands in for systemd, which a container lacks: does what a unit says about how to start the service, and nothing of its sandbox. */
class Service {
  readonly #reader: Reader;
  #running: Running | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** @returns whether a command is one of `systemctl`; then it has been done. */
  async perform(command: string): Promise<boolean> {
    const [, verb, name] = /^systemctl (enable --now|start|stop) (\S+)$/.exec(command) ?? [];
    if (verb === undefined) return false;
    assert.equal(name, 'rollcall');
    await this.#running?.stop();
    this.#running = undefined;
    if (verb !== 'stop') this.#running = await this.#start();
    return true;
  }

  async #start(): Promise<Running> {
    const unit = await this.#reader.run('cat /etc/systemd/system/rollcall.service', { user: 'root' });
    const values = (name: string): readonly string[] =>
      [...unit.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, it = '']) => it);
    const [user = '', command = ''] = [...values('User'), ...values('ExecStart')];
    const argv = ['runuser', '-u', user, '--', 'env', ...values('Environment'), command];
    return await this.#reader.start(argv.join(' '), LISTENS, { user: 'root', cwd: '/' });
  }
}

/** docs/commands.md: imports the samples in a clone, and serves them. */
async function serveClone(reader: Reader): Promise<void> {
  const lines = copyLines('docs/commands.md', 'Commands');
  const shown: string[] = [];
  for (const it of lines.slice(0, -1)) shown.push(await reader.run(it, { cwd: CLONE }));
  const [key = ''] = KEY.exec(shown.join('\n')) ?? [];
  const { match, stop } = await reader.start(lines.at(-1) ?? '', LISTENS, { cwd: CLONE });
  assert.equal(match[1], ADDRESS);
  for (const path of ['/automations', '/contact-properties', '/contacts/imports']) {
    assert.match(await get(reader, path, key), /^\{"object":"list","has_more":true,/);
  }
  await stop();
}

export async function operate(reader: Reader): Promise<void> {
  await serveClone(reader);

  const service = new Service(reader);
  const asRoot = async (line: string, cwd: string): Promise<string> =>
    (await service.perform(line)) ? '' : await reader.run(line, { user: 'root', cwd });
  const asService = (script: string): Promise<string> => {
    reader.machine.write('script.sh', script);
    return reader.run(`runuser -u rollcall -- sh -e < ${HOME}/script.sh`, { user: 'root', cwd: DATA });
  };
  const page = 'docs/operations.md';
  let printed = '';
  for (const it of copyLines(page, 'Run as a systemd service')) printed += await asRoot(it, CLONE);
  const [key = ''] = KEY.exec(printed) ?? [];
  assert.match(await get(reader, '/automations', key), /^\{"object":"list","has_more":false,/);
  const [, adminPort = ''] = /^Environment=ROLLCALL_ADMIN_PORT=(\d+)$/m.exec(textOf('docs/rollcall.service')) ?? [];
  await reader.run(`curl --silent --show-error --fail http://127.0.0.1:${adminPort}/readyz`);

  const listed = await asService(copy('docs/keys.md', 'API keys').join('\n'));
  assert.match(listed, /^rollcall_[0-9a-f]{40}\nID .*\n[0-9a-f]{16} .*\n[0-9a-f]{16} .* my laptop\n$/);

  const [backup = '', restore = ''] = copy(page, 'Back up and restore');
  const checked = await asService(backup);
  const [, file = ''] = /No errors found in (rollcall-[\d-]+\.db)\./.exec(checked) ?? [];
  assert.notEqual(file, '', checked);
  const made = restore.trimEnd().replaceAll(/rollcall-\d{4}-[\d-]+\.db/g, file);
  for (const it of made.split('\n')) await asRoot(it, DATA);
  assert.match(await get(reader, '/automations', key), /^\{"object":"list","has_more":false,/);
  await service.perform('systemctl stop rollcall');
}
