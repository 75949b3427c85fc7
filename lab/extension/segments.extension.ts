/** A collection that the contract, one entry of the table and a sample add works everywhere. run.ts runs this. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import { build, startRollcall } from '../../testkit/index.ts';
import { folder } from '../../test/support/own-folder.ts';

const SAMPLE = new URL('../../server/samples/segments.ndjson', import.meta.url);
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
interface Segment {
  readonly id: string;
  readonly kind: string;
}
const sample = readFileSync(SAMPLE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((it) => JSON.parse(it) as Segment);

test('types', () => {
  build.segments({ kind: 'static' }).kind satisfies 'static' | 'dynamic';
  const client = createClient({ baseUrl: 'http://x', apiKey: 'k' });
  // @ts-expect-error -- a kind that is not there
  client.segments.list({ kind: 'frozen' });
  // @ts-expect-error -- the filter of another collection
  client.segments.list({ status: 'enabled' });
  // @ts-expect-error -- a record without what it requires
  startRollcall.call(undefined, { segments: [{ id: UNKNOWN }] }).catch(() => undefined);
});

test('import, and the methods of the client', async () => {
  const ran = await folder.call(['import', 'segments', '--account', 'acme'], { input: readFileSync(SAMPLE, 'utf8') });
  expect(ran).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^3 segments loaded into new account/) as unknown,
  });
  const apiKey = (await folder.call(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const { url } = await folder.serve();
  const { segments } = createClient({ baseUrl: url, apiKey });

  const forward = await segments.list({ limit: 1 }).toArray({ max: 5 });
  expect(new Set(forward)).toEqual(new Set(sample));
  const dynamic = await segments.list({ kind: 'dynamic' }).toArray({ max: 5 });
  expect(dynamic).toEqual(forward.filter((it) => it.kind === 'dynamic'));
  expect(await segments.get(String(forward[1]?.id))).toEqual(forward[1]);
  await expect(segments.get(UNKNOWN)).rejects.toMatchObject({
    name: 'not_found',
    message: `There is no segment with this \`id\`. (404 from GET ${url}/segments/${UNKNOWN})`,
  });
});

test('a record that violates the contract is not imported', async () => {
  const input = `${JSON.stringify({ ...build.segments(), kind: 'frozen' })}\n`;
  const ran = await folder.call(['import', 'segments', '--account', 'acme'], { input });
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/kind: must be one of "static", "dynamic"') as unknown,
  });
});

test('the test kit serves it', async () => {
  const first = build.segments({ kind: 'dynamic' });
  const second = build.segments({ kind: 'static' });
  await using server = await startRollcall({ segments: [first] });
  await server.put('segments', [second]);
  const { segments } = createClient({ baseUrl: server.url, apiKey: server.apiKey });
  expect((await segments.list({ kind: 'static' })).data).toEqual([second]);
  await server.remove('segments', [second.id]);
  expect((await segments.list()).data).toEqual([first]);
});

test('the demo has its sample, the contract its operations, and conform tests them', async () => {
  const demo = folder.start(['demo', '--port', '0']);
  const [, key = '', url = ''] = await demo.printed(/3 segments[\s\S]*Bearer (\S+)' '(http:\/\/[^/]+)/);
  expect(await (await fetch(`${url}/openapi.json`)).json()).toHaveProperty(['paths', '/segments/{id}', 'get']);
  const ran = await folder.run(['conform', url, '--key', key, '--json']);
  const { failed, results } = JSON.parse(ran.stdout) as {
    failed: number;
    results: { operation: string; rule: string; outcome: string }[];
  };
  expect({ code: ran.code, failed }).toEqual({ code: 0, failed: 0 });
  for (const operation of ['listSegments', 'getSegment']) {
    const of = results.filter((it) => it.operation === operation);
    expect(of.filter((it) => it.outcome === 'failed')).toEqual([]);
    expect(of.filter((it) => it.outcome === 'passed').length).toBeGreaterThan(10);
  }
  expect(results.map((it) => `${it.operation} ${it.rule}`)).toContain('listSegments list.filter');
});
