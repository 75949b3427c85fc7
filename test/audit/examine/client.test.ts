/** What a client has printed: ids, or items as JSON, one on a line. */
import { expect, test } from '@jest/globals';
import { printedIn } from '../../../audit/examine/client.ts';

test.each([
  ['ids', 'a\n b \n\n1\r\n', 'id', ['a', 'b', '1']],
  ['ids as JSON strings', '"a b"\n"1"\n', 'id', ['a b', '1']],
  ['items as JSON', '{"id":"x"}\n{"id":7,"name":"{"}\n', 'id', ['x', '7']],
  ['an id that is deeper in the item', '{"event":{"id":"x"}}\n', 'event.id', ['x']],
  [
    'numbers beyond 2^53 keep their digits',
    '{"id":9007199254740993}\n9007199254740993\n',
    'id',
    ['9007199254740993', '9007199254740993'],
  ],
  ['what is no JSON, or has no id, is as it is', '{x\n{"name":1}\n[1]\n', 'id', ['{x', '{"name":1}', '[1]']],
  ['an item that is its own id', '"x"\n3\n', '', ['x', '3']],
])('%s', (_, stdout, idPath, expected) => {
  expect(printedIn(stdout, idPath)).toEqual(expected);
});
