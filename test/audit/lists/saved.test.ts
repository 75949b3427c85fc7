/** What is saved of a list: the URL that the user gave, or its redirect at the same origin, and no variable that the server names. */
import type { RequestListener } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { OnePage, audit } from '../../../audit/lists/audit.ts';
import { formatProfile, namesIn } from '../../../audit/lists/saved-profile.ts';
import type { Given, Profile } from '../../../audit/lists/profile.ts';
import { parseProfiles } from '../../../audit/lists/profiles.ts';
import { Untestable } from '../../../audit/session/session.ts';
import { serve } from '../conform/bad-servers.ts';

const COUNT = 9;

/** A list with tokens. */
const listOf =
  (redirect: (url: URL) => string | undefined): RequestListener =>
  ({ url: asked = '/', headers }, res) => {
    const url = new URL(`http://${String(headers.host)}${asked}`);
    const location = redirect(url);
    if (location !== undefined) {
      res.writeHead(302, { location }).end();
      return;
    }
    const at = Number(url.searchParams.get('cursor') ?? 0);
    const size = Math.min(Number(url.searchParams.get('limit') ?? 3), 3);
    const items = Array.from({ length: Math.min(size, COUNT - at) }, (_, index) => ({ id: at + index + 1 }));
    res.end(JSON.stringify({ items, next_cursor: at + size < COUNT ? String(at + size) : null }));
  };

/** @returns the profile of a list that may be saved, and the file. */
async function savedOf(given: Given): Promise<readonly [Profile, string]> {
  let saved: Profile | undefined;
  const run = audit({
    profile: given,
    only: ['page', 'end.never', 'items', 'order.unstable'],
    inferred: (found) => void ({ saved } = found),
  });
  for await (const { outcome } of run) expect(outcome).not.toBe('failed');
  if (saved === undefined) throw new Error('nothing was found');
  return [saved, formatProfile(saved)];
}

describe('behind a redirect', () => {
  test.each([
    ['that names keys', '/list?aws_secret_access_key=x&github_token=y', '/start'],
    ['that names one word', '/list?accesstoken=x', '/start'],
    ['with other parameters', '/list?kind=all', '/list?kind=all'],
    ['whose path looks like another origin', '//HOST//evil.example/list', '//evil.example/list'],
    ['that names a variable', '/list?kind=${HOME}', '/start'],
    ['that names one in its path', '/list/${HOME}', '/list/$%7BHOME%7D'],
  ])('%s', async (_, location, expected) => {
    const url = await serve(
      listOf(({ pathname, host }) => (pathname === '/start' ? location.replace('HOST', host) : undefined)),
    );
    const [, text] = await savedOf({ url: `${url}/start` });
    expect(namesIn(text)).toEqual([]);
    const [again] = parseProfiles(text, {});
    expect(again?.profile.url).toBe(url + expected);
  });

  test.each(['/list?echo=a-key-of-mine', '/list/a-key-of-mine', '/list?echo=%61-key-of-mine'])(
    'that quotes the key: %s',
    async (location) => {
      const url = await serve(listOf(({ pathname }) => (pathname === '/start' ? location : undefined)));
      const [saved, text] = await savedOf({ url: `${url}/start`, headers: { 'X-Key': 'a-key-of-mine' } });
      expect(saved.url).toBe(`${url}/start`);
      expect(text).not.toContain('key-of-mine');
    },
  );

  test('that keeps the key of the URL, which is not saved', async () => {
    const url = await serve(
      listOf(({ pathname }) => (pathname === '/start' ? '/list?api_key=a-key-of-mine&kind=all' : undefined)),
    );
    const [, text] = await savedOf({ url: `${url}/start?api_key=a-key-of-mine` });
    expect(text).toContain(`url: ${url}/list?kind=all\n`);
    expect(text).not.toContain('key-of-mine');
  });

  test('only what the user gave is read from the environment', async () => {
    const url = await serve(
      listOf(({ pathname }) => (pathname === '/start' ? '/list?api_key=theirs&session_token=t' : undefined)),
    );
    const [saved, text] = await savedOf({
      url: `${url}/start?api_key=mine`,
      headers: { 'X-Key': 'k' },
      params: { pwd: 'p' },
    });
    expect(namesIn(text).toSorted()).toEqual(['API_KEY', 'PWD', 'X_KEY']);
    expect(saved.url).toBe(`${url}/start?api_key=mine`);
  });
});

describe('the names that a server chooses become no part of the profile if they name a variable or quote the key:', () => {
  const NAMES = ['${HOME}_limit', 'a-key-of-mine_limit'];
  const pageOf = (all: URLSearchParams, size: string, from: string): readonly object[] => {
    const [at, count] = [Number(all.get(from) ?? 0), Math.min(Number(all.get(size) ?? 3), 3)];
    return Array.from({ length: Math.max(0, Math.min(count, COUNT - at)) }, (_, index) => ({ id: at + index + 1 }));
  };

  test.each(NAMES)('a size and an offset that the body repeats, %s', async (size) => {
    const offset = size.replace('limit', 'offset');
    const url = await serve(({ url: asked = '/' }, res) => {
      const { searchParams } = new URL(asked, 'http://a');
      res.end(JSON.stringify({ items: pageOf(searchParams, size, offset), [size]: 3, [offset]: 0 }));
    });
    const run = audit({ profile: { url, headers: { 'X-Key': 'a-key-of-mine' } } });
    await expect(run[Symbol.asyncIterator]().next()).rejects.toThrow(OnePage);
  });

  test.each(NAMES)('an id, %s', async (id) => {
    const url = await serve((_req, res) => void res.end(JSON.stringify([{ [id]: 1 }, { [id]: 3 }, { [id]: 5 }])));
    const run = audit({ profile: { url, headers: { 'X-Key': 'a-key-of-mine' } } });
    const reason: unknown = await run[Symbol.asyncIterator]()
      .next()
      .catch((error: unknown) => error);
    expect(reason).toBeInstanceOf(Untestable);
    expect(reason).not.toBeInstanceOf(OnePage);
  });

  test.each(NAMES)('a size in a link, and a flag, %s', async (size) => {
    const url = await serve(({ url: asked = '/', headers: { host = '' } }, res) => {
      const { searchParams } = new URL(asked, 'http://a');
      const items = pageOf(searchParams, size, 'cursor');
      const at = Number(searchParams.get('cursor') ?? 0) + items.length;
      const next = `http://${host}/?${encodeURIComponent(size)}=${searchParams.get(size) ?? '3'}&cursor=${String(at)}`;
      res.end(JSON.stringify({ items, [size]: { has_more: at < COUNT }, ...(at < COUNT && { next }) }));
    });
    const [saved, text] = await savedOf({ url, headers: { 'X-Key': 'a-key-of-mine' } });
    expect(saved).toMatchObject({ next: { url: 'next' } });
    expect(text).not.toContain(size);
  });
});
