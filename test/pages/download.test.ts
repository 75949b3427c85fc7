/** The download of a list: its bound, and a list that moves while it is read. */
import { expect, test } from '@jest/globals';
import { Failure } from '../../server/pages/assets/console/api.ts';
import { Download, MAX_RECORDS } from '../../server/pages/assets/console/download.ts';
import { routeOf } from '../../server/pages/assets/console/links.ts';
import { parse } from '../../server/pages/assets/shared/json.ts';
import { collections } from './collections.ts';

/** @returns what a download saves, and the cursors of its requests. @param respond returns a page, or throws. */
async function download(
  respond: (after: string | null, limit: number) => Record<string, unknown>,
): Promise<{ download: Download; name: string; lines: readonly string[]; cursors: (string | null)[] }> {
  const route = routeOf('#/contacts/imports?status=in_progress&limit=5&before=x', collections);
  if (route === undefined) throw new Error('This is no route.');
  const cursors: (string | null)[] = [];
  return new Promise((resolve) => {
    const run = new Download(route, {
      send: (target) => {
        const { searchParams } = new URL(target, 'http://127.0.0.1');
        expect([searchParams.get('status'), searchParams.get('before')]).toEqual(['in_progress', null]);
        const after = searchParams.get('after');
        cursors.push(after);
        return Promise.resolve({ body: respond(after, Number(searchParams.get('limit'))), etag: undefined });
      },
      sleep: () => () => Promise.resolve(),
      changed: () => undefined,
      save: (name, lines) => {
        resolve({ download: run, name, lines, cursors });
      },
      unauthorized: () => undefined,
    });
    run.run();
  });
}

test('ends at its bound, and says so', async () => {
  let id = 0;
  const result = await download((_, limit) => ({
    data: Array.from({ length: limit }, () => ({ id: String((id += 1)) })),
    has_more: true,
  }));
  expect(result.name).toBe('contact-imports-in-progress.ndjson');
  expect(result.lines).toHaveLength(MAX_RECORDS);
  expect(result.cursors).toHaveLength(MAX_RECORDS / 100);
  expect([result.download.isCut, result.download.state]).toEqual([true, 'complete']);
});

test('goes on from the record before a cursor that is gone, and has each record once', async () => {
  const result = await download((after) => {
    if (after === null) return { data: [{ id: 'a' }, { id: 'b' }], has_more: true };
    if (after === 'b') throw new Failure('not_found', 'No.', { status: 404 });
    return { data: [{ id: 'b' }, { id: 'c' }], has_more: false };
  });
  expect(result.cursors).toEqual([null, 'b', 'a']);
  expect(result.lines).toEqual(['{"id":"a"}\n', '{"id":"b"}\n', '{"id":"c"}\n']);
  expect(result.download.isCut).toBe(false);
});

test.each([
  ['the same page', (): Record<string, unknown> => ({ data: [{ id: 'a' }], has_more: true })],
  [
    'a record that is a cursor only sometimes',
    (after: string | null): Record<string, unknown> => {
      if (after === 'b') throw new Failure('not_found', 'No.', { status: 404 });
      return { data: [{ id: 'a' }, { id: 'b' }], has_more: true };
    },
  ],
])('a list that repeats %s without end is a failure, and nothing is saved', async (_, respond) => {
  const route = routeOf('#/contacts/imports', collections);
  if (route === undefined) throw new Error('This is no route.');
  let requests = 0;
  const failure = await new Promise<Failure | undefined>((resolve, reject) => {
    const run = new Download(route, {
      send: (target) => {
        requests += 1;
        if (requests > MAX_RECORDS) reject(new Error('It does not end.'));
        return new Promise((done) => {
          done({ body: respond(new URL(target, 'http://127.0.0.1').searchParams.get('after')), etag: undefined });
        });
      },
      sleep: () => () => Promise.resolve(),
      changed: () => {
        if (run.state === 'failed') resolve(run.failure);
        if (requests > MAX_RECORDS) run.cancel();
      },
      save: () => {
        reject(new Error('It was saved.'));
      },
      unauthorized: () => undefined,
    });
    run.run();
  });
  expect(failure).toMatchObject({
    title: 'Unexpected response',
    message: 'The list does not end: its pages repeat records.',
  });
  expect(requests).toBeLessThanOrEqual(201);
});

test('numbers stay as they were written', async () => {
  const body = parse('{"data":[{"id":"a","n":1.10}],"has_more":false}') as Record<string, unknown>; // As the API responds.
  expect((await download(() => body)).lines).toEqual(['{"id":"a","n":1.10}\n']);
});
