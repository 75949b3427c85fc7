/** The code of one request in each language, and its colours. */
import { describe, expect, test } from '@jest/globals';
import { highlight } from '../../server/pages/assets/reference/highlight.ts';
import { find } from '../../server/pages/assets/reference/rank.ts';
import type { Entry } from '../../server/pages/assets/reference/rank.ts';
import { LANGUAGES, samplesOf, targetOf } from '../../server/pages/assets/reference/samples.ts';
import type { Call } from '../../server/pages/assets/reference/samples.ts';

const CALL: Call = {
  origin: 'https://api.example',
  path: '/segments/{id}/members',
  client: { method: 'GET', result: 'member' },
  pathValues: [['id', 'a/b']],
  query: [['limit', 3]],
  headers: [['X-Name', `it's "me"`]],
};

test('an operation that is no collection is called by GET, with its path, query and headers', () => {
  expect(samplesOf(CALL).TypeScript).toContain(
    `const { data } = await client.GET('/segments/{id}/members', ` +
      `{ params: { path: { id: 'a/b' }, query: { limit: 3 }, header: { 'X-Name': 'it\\'s "me"' } } });\nconsole.log(data);`,
  );
  const plain = { ...CALL, path: '/segments', pathValues: [], query: [], headers: [] };
  expect(samplesOf(plain).TypeScript).toContain("await client.GET('/segments');\n");
});

test.each([
  ['curl', `curl "https://api.example/segments/a%2Fb/members?limit=3" \\\n`],
  ['curl', `  -H 'X-Name: it'\\''s "me"'`],
  ['Python', `        "X-Name": "it's \\"me\\"",\n    },`],
  ['Go', `request.Header.Set("X-Name", "it's \\"me\\"")`],
] as const)('in %s: %s', (language, part) => {
  expect(samplesOf(CALL)[language]).toContain(part);
});

test('no value leaves its place in a URL', () => {
  const query = [['q', `"$(x)'\`!*\\ &#?\n`]] as const;
  expect(targetOf({ path: '/{id}', pathValues: [['id', '$&']], query })).toBe(
    '/%24%26?q=%22%24%28x%29%27%60%21%2A%5C%20%26%23%3F%0A',
  );
});

describe('colours', () => {
  const marked = (text: string, language: (typeof LANGUAGES)[number]): string =>
    highlight(text, language, (kind, token) => `<${kind}:${token}>`).join('');

  test.each(LANGUAGES)('of %s change no text', (language) => {
    const text = samplesOf(CALL)[language];
    expect(highlight(text, language, (_, token) => token).join('')).toBe(text);
    expect(marked(text, language)).not.toBe(text);
  });

  test.each([
    ['curl', '# a "b"\ncurl "x" 1', '<note:# a "b">\n<word:curl> <text:"x"> <value:1>'],
    ['curl', 'curl "x" \\\n  -H', '<word:curl> <text:"x"><more: \\>\n  -H'],
    ['TypeScript', "const a = 'b\\'c'; // d", "<word:const> a = <text:'b\\'c'>; <note:// d>"],
    ['Python', 'import x\nx = True', '<word:import> x\nx = <value:True>'],
    ['Go', 'if err != nil { return `a` }', '<word:if> err != <value:nil> { <word:return> <text:`a`> }'],
  ] as const)('of %s', (language, text, expected) => {
    expect(marked(text, language)).toBe(expected);
  });
});

describe('search', () => {
  const entry = (name: string, more: Partial<Entry> = {}): Entry => ({
    ...{ id: name, name, kind: 'guide', words: '', text: '', ...more },
  });
  const found = (query: string, ...entries: readonly Entry[]): string[] => find(entries, query).map(({ name }) => name);

  test('a name comes before further words, which come before the text', () => {
    const entries = [
      entry('text', { text: 'About limits.' }),
      entry('kind', { kind: 'limit of x' }),
      entry('words', { words: 'quota, limit' }),
      entry('unlimited'),
      entry('Limits'),
      entry('limit'),
      entry('none'),
    ];
    expect(found(' LIMIT ', ...entries)).toEqual(['limit', 'words', 'Limits', 'unlimited', 'kind', 'text']);
  });

  test('every word must be found, and a plural finds its singular', () => {
    const entries = [entry('Handle errors', { text: 'Retry.' }), entry('Retry'), entry('cursor')];
    expect(found('errors retry', ...entries)).toEqual(['Handle errors']);
    expect(found('cursors', ...entries)).toEqual(['cursor']);
    expect(found('  ', ...entries)).toEqual([]);
    expect(found('is', entry('i'))).toEqual([]);
  });
});
