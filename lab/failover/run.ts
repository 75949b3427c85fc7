/**
 * The recipe of docs/postgresql.md under load. Patroni switches over as planned, and fails over when
 * the machine of the primary is killed. Every response is the right one, or a 503 of the contract; imports are whole or not there.
 */
import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { contactImport } from '../../testkit/builders.ts';
import { openFolder } from '../../test/support/cli.ts';
import { onlyCodeBelow } from '../../test/support/docs.ts';
import { ndjson, series } from '../../test/support/series.ts';
import { openShell } from '../../test/support/shell.ts';
import { startCluster } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { PAGE } from './recipe.ts';
import { startImport, startVersions } from './imports.ts';
import { exactly, listText, problem, startLoad } from './load.ts';
import type { Figures, Load, Request } from './load.ts';
import { run } from '../../test/support/tester.ts';
import { must } from '../../test/support/project.ts';
import { until } from '../support/program.ts';

const IMPORT_MS = 120_000;
const STEADY = 400; // Responses in a row without a 503.
const PAGE_SIZE = 50;
const MAX_SHOWN = 5; // Of what is wrong.

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** The requests for an account that does not change, and for one that an import fills. */
function requestsFor(
  key: string,
  records: ReturnType<typeof contactImport>[],
  batchKey: string,
  batch: ReturnType<typeof contactImport>[],
): readonly Request[] {
  const list = { operation: 'listContactImports', key } as const;
  const pages = records.flatMap((_, at): Request[] => {
    if (at % PAGE_SIZE !== 0) return [];
    const cursor = at === 0 ? '' : `&after=${String(records[at - 1]?.id)}`;
    const page = records.slice(at, at + PAGE_SIZE);
    const target = `/contacts/imports?limit=${String(PAGE_SIZE)}${cursor}`;
    return [
      { ...list, target, expect: exactly(200, listText(page, at + PAGE_SIZE < records.length)) },
      {
        ...list,
        operation: 'getContactImport',
        target: `/contacts/imports/${String(page[0]?.id)}`,
        expect: exactly(200, JSON.stringify(page[0])),
      },
    ];
  });
  return [
    ...pages,
    {
      ...list,
      operation: 'getContactImport',
      target: `/contacts/imports/${randomUUID()}`,
      expect: problem(404, 'not_found'),
    },
    { ...list, target: `/contacts/imports?after=${randomUUID()}`, expect: problem(404, 'not_found') },
    { ...list, key: 'nonsense', target: '/contacts/imports', expect: problem(401, 'invalid_api_key') },
    {
      ...list,
      key: batchKey,
      target: '/contacts/imports?limit=2',
      expect: exactly(200, listText([], false), listText(batch.slice(0, 2), true)),
    },
  ];
}

/** Prints the figures of a step, all of whose responses must be right. @param since when what it is about began. */
function report(name: string, load: Load, figures: Figures, since: number): void {
  const { requests, unavailable, longestMs, last503 } = figures;
  const last = unavailable === 0 ? '-' : `${((last503 - since) / 1000).toFixed(1)} s`;
  say(`| ${name} | ${String(requests)} | ${String(unavailable)} | ${last} | ${longestMs.toFixed(0)} |`);
  deepEqual(load.wrong.slice(0, MAX_SHOWN), [], name);
}

async function check(cluster: Cluster): Promise<void> {
  const setUp = openFolder();
  const shell = openShell(setUp);
  const records = series(300, contactImport);
  const batch = series(10_000, contactImport);
  writeFileSync(setUp.path('contact-imports.ndjson'), ndjson(records));
  const commands = cluster.localized(onlyCodeBelow(PAGE, 'Create the database'));
  const key = shell.sh(commands).trim().split('\n').at(-1) ?? '';
  match(key, /^rollcall_/);
  const db = /ROLLCALL_DB=(\S+)/.exec(commands)?.[1] ?? '';
  const folder = openFolder(tmpdir(), { ROLLCALL_DB: db });
  try {
    const createKey = async (account: string): Promise<string> =>
      (await folder.run(['keys', 'create', '--account', account])).stdout.trim();
    const [batchKey, versionsKey] = [await createKey('batch'), await createKey('versions')];
    const versions = await startVersions(folder, 'versions');
    const server = folder.start(['serve', '--port', '0']);
    const [, url = ''] = await server.printed(/Rollcall listens on (http\S+)\n/);
    const load = startLoad(url, [
      ...requestsFor(key, records, batchKey, batch),
      {
        target: '/contacts/imports?limit=100',
        operation: 'listContactImports',
        key: versionsKey,
        expect: versions.expect,
      },
    ]);
    try {
      say('| Step | Requests | 503 | Last 503 after | Longest, ms |');
      report('baseline', load, await load.step(STEADY), performance.now());

      const before = await cluster.settled();
      const [switchover = ''] = cluster.localized(onlyCodeBelow(PAGE, 'Switch over for maintenance')).split('\n');
      const named = switchover.replace(
        '--leader db-1 --candidate db-2',
        `--leader ${before.primary} --candidate ${before.standby}`,
      );
      let since = performance.now();
      // Asynchronously: the clients go on.
      const { ok, output } = await run(['sh', '-ec', named], { cwd: cluster.folder });
      equal(ok, true, output);
      match(output, /Successfully switched over to/);
      report('switchover', load, await load.step(STEADY), since);
      const switched = await cluster.settled();
      deepEqual(switched, { primary: before.standby, standby: before.primary });
      report('after the switchover', load, await load.step(STEADY), performance.now());

      const finish = await startImport(folder, 'batch', batch, IMPORT_MS);
      since = performance.now();
      await cluster.kill(switched.primary);
      const ran = await finish();
      await cluster.failedOver(switched.primary);
      report('the machine of the primary is killed', load, await load.step(STEADY), since);
      equal(ran.code, 1, JSON.stringify(ran));
      match(ran.stderr, /^rollcall: [^\n]+\n$/);
      cluster.start(switched.primary);
      deepEqual(await cluster.settled(), { primary: switched.standby, standby: switched.primary });
      report('the machine is back', load, await load.step(STEADY), performance.now());

      const again = await (await startImport(folder, 'batch', batch, IMPORT_MS))();
      equal(again.code, 0, again.stderr);
      match(again.stdout, /it now has 10,000 \(previously 0\)/);
      report('the import runs again', load, await load.step(STEADY), performance.now());

      // Nobody tells this PostgreSQL server that it is no longer the primary. HAProxy must.
      const last = await cluster.settled();
      since = performance.now();
      await cluster.killPatroni(last.primary);
      await cluster.failedOver(last.primary);
      const done = versions.done();
      await until('imports succeed', IMPORT_MS, () => versions.done() > done + 2);
      report("the primary's Patroni is killed", load, await load.step(STEADY), since);
      cluster.start(last.primary);
      deepEqual(await cluster.settled(), { primary: last.standby, standby: last.primary });
      report('it is back', load, await load.step(STEADY), performance.now());
      await versions.end();
      notEqual(versions.failed(), 0);
      say(
        `Imports that replace the records of an account: ${String(versions.done())} done, ${String(versions.failed())} failed; none was lost or half there.`,
      );
    } finally {
      await versions.end();
      await load.end();
    }
    server.process.kill('SIGTERM');
    equal((await server.ended).code, 0);
  } finally {
    folder.remove();
    setUp.remove();
  }
}

process.env['PATH'] = `${process.env['PATH'] ?? ''}:/usr/sbin`; // Where Debian has HAProxy.
for (const it of [
  ['patroni', '--version'],
  ['etcd', '--version'],
  ['haproxy', '-v'],
  ['psql', '--version'],
]) {
  say(must(tmpdir(), ...it).split('\n')[0] ?? '');
}
const cluster = await startCluster();
try {
  await check(cluster);
} finally {
  await cluster.remove();
}
