/** Targets of requests: a query stays as it was sent, but for what is set; links are read as browsers and RFC 8288 do. */
import { describe, expect, test } from '@jest/globals';
import { linksOf, paramsOf, resolve, withParam, withRaw } from '../../../audit/lists/target.ts';
import fc from '../../support/fast-check.ts';

describe('a parameter:', () => {
  test.each([
    ['/a', 'n', 1, '/a?n=1'],
    ['/a?', 'n', 1, '/a?n=1'],
    ['/a?n=1&x=2', 'n', 3, '/a?x=2&n=3'],
    ['/a?n=1&n=2', 'n', 3, '/a?n=3'],
    ['/a?x=%2f&y=a+b&z', 'n', 'a b&c', '/a?x=%2f&y=a+b&z&n=a%20b%26c'],
    ['/a?page%5Bsize%5D=1', 'page[size]', 2, '/a?page[size]=2'],
    ['/a?page[size]=1', 'page[size]', 2, '/a?page[size]=2'],
    ['/a?%24top=1&na%20me=0&na+me=1', '$top', 2, '/a?na%20me=0&na+me=1&$top=2'],
    ['/a', 'n', '\ud800', '/a?n=%EF%BF%BD'],
    ['/a?x=%zz&%zz=1', 'n', 1, '/a?x=%zz&%zz=1&n=1'],
  ])('%s with %s=%s', (target, name, value, expected) => {
    expect(withParam(target, name, value)).toBe(expected);
  });

  test('whatever its name and value are, it is read as it was set, and so are the others', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((it) => it.isWellFormed());
    const name = text.filter((it) => it !== '');
    fc.assert(
      fc.property(name, text, name, text, (one, value, other, its) => {
        fc.pre(one !== other);
        const target = withParam(withParam(withParam('/a?x', other, its), one, 'old'), one, value);
        expect(paramsOf(target).get(one)).toBe(value);
        expect(paramsOf(target).get(other)).toBe(its);
        expect(new URL(target, 'http://a').searchParams.get(one)).toBe(value);
        expect(withRaw(target, one)).toBe(withParam(withRaw('/a?x', one), other, its));
      }),
    );
  });

  test('raw pairs are sent as they are', () => {
    expect(withRaw('/a?n=1&x=2', 'n', 'n=%zz', 'n[]=1')).toBe('/a?x=2&n=%zz&n[]=1');
  });

  test('of a name that comes twice, the last value counts; escapes that are none stay', () => {
    expect([...paramsOf('/a?n=1&n=2&m=%zz&k=a+b%2B&e&f=')]).toEqual([
      ['n', '2'],
      ['m', '%zz'],
      ['k', 'a b+'],
      ['e', ''],
      ['f', ''],
    ]);
  });
});

const ORIGIN = 'http://127.0.0.1:80';

describe('a link:', () => {
  test.each([
    ['/b?c=1', '/b?c=1', undefined],
    ['?c=1', '/lists/a?c=1', undefined],
    ['b', '/lists/b', undefined],
    ['../b', '/b', undefined],
    ['http://h:8000/b?c=%2f&d=a+b', '/b?c=%2f&d=a+b', undefined],
    ['http://h:8000', '/', undefined],
    ['HTTP://H:8000/b', '/b', undefined],
    ['//h:8000/b', '/b', undefined],
    ['http://h:8000/b?c=1#part', '/b?c=1', undefined],
    ['http://h:8000/b#a?c=1', '/b', undefined],
    ['http://h:8000/b?c="é 1"', '/b?c="%C3%A9%201"', undefined],
    ['/b?c=🦊\ud800', '/b?c=%F0%9F%A6%8A%EF%BF%BD', undefined],
    ['https://h:8000/b?c=1', '/b?c=1', 'https://h:8000'],
    ['http://h/b', '/b', 'http://h'],
    ['http://h:8000@evil.example/b', '/b', 'http://evil.example'],
    ['http:\\\\evil.example/b', '/b', 'http://evil.example'],
  ])('%s', (link, target, origin) => {
    expect(resolve(link, '/lists/a?x=1', 'http://h:8000')).toEqual({ target, origin });
  });

  test('a text that is no URL leads nowhere', () => {
    expect(resolve('http://', '/a', ORIGIN)).toBeUndefined();
  });
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['', {}],
  ['<http://a/b?c=1,2>; rel="next"', { next: 'http://a/b?c=1,2' }],
  ['</b>; rel=next', { next: '/b' }],
  ['</b>;REL="Next"', { next: '/b' }],
  ['</b> ; title="a, b; c" ; rel="next"', { next: '/b' }],
  ['</a>; rel="prev", </b>; rel="next last"', { prev: '/a', next: '/b', last: '/b' }],
  ['</a>; rel=prev,</b>; rel=next', { prev: '/a', next: '/b' }],
  ['</a>; results="false"; rel="next"; cursor="0:1:0"', { next: '/a' }],
  ['</a>; rel="next', {}],
  ['</a>', {}],
])('the header `Link: %s`', (header, expected) => {
  const links = [...linksOf(header)].map(([rel, { url }]) => [rel, url]);
  expect(Object.fromEntries(links)).toEqual(expected);
});
