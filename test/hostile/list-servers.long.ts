/** The short form of `npm run --prefix lab hostile`: `audit` and `conform` come to an end at every hostile server, and show no key. */
import { expect, test } from '@jest/globals';
import { runLists } from './list-run.ts';
import { xmlFaultOf } from './xml.ts';

const SERVERS = 120;
const SEED = 1;
const PROCESSES = 4;

test('at hostile servers, the commands end with 0, 1 or 3, with valid reports, without the key, and request no other server', async () => {
  const { codes, faults } = await runLists({ seed: SEED, count: SERVERS, processes: PROCESSES });
  expect(faults).toEqual([]);
  expect(Object.keys(codes)).toEqual(['0', '1', '3']);
});

test.each([
  ['<?xml version="1.0" encoding="UTF-8"?>\n<a><b c="1" d="&#10;&lt;"/>é &amp; "\'&gt;</a>\n', undefined],
  ['<a b="<"/>', '<a b="<"/>'],
  ['<a b="1" b="2"/>', 'an attribute of <a> comes twice'],
  ['<a>a & b</a>', '& b</a>'],
  ['<a><b></a></b>', '</a> ends nothing'],
  ['<a>', '<a> has no end'],
  ['<a/><a/>', '2 roots'],
  ['<a/>x', 'x'],
  ['<a>\u0007</a>', 'a character that XML forbids: "\\u0007"'],
  ['<a>&#x1b;</a>', 'a character that XML forbids: "&#x1b;"'],
  ['<a>\ud800</a>', 'a character that XML forbids: "\\ud800"'],
])('XML: %j', (xml, fault) => {
  expect(xmlFaultOf(xml)).toBe(fault);
});
