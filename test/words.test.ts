/** The code uses the field's words. A reader must never need a dictionary of ours. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from './support/project.ts';

/** Words that the code had of its own, and what the field calls them. */
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\banswered\b/i, 'responded, completed'],
  [/\brefus(?:al|als|ed|es|e|ing)\b|[a-z]Refus(?:al|ed)\b/, 'error, rejected'],
  [/\bremember(?:s|ed)?\b/i, 'cached'],
  [/\b(?:un)?noticed\b|\bNotices?\b|\bnotices\b/, 'event, emitted'],
  [/fingerprint/i, 'schema hash'],
  [/\bfiled\b/, 'stored'],
  [/\blook-?ups?\b/i, 'get by id'],
  [/\bdemand[A-Z]/, 'assert, require'],
  [/\bside[- ]files?\b/i, 'sidecar file'],
  [/\btwins?\b/i, 'second tenant, other account'],
  [/\bdrills?\b|\bplant(?:s|ed)\b|\bmend(?:s|ed)?\b|\banew\b/i, 'extension test, mutant, fix, recreate'],
  [/\bverdicts?\b/i, 'result'],
  [/\bnursery\b|\bturned away\b|\b(?:whole|short) way\b/i, 'what it is: a heap, rejected, fast path'],
  [/\bsuch as has\b|\bwhoever\b/i, 'a plain sentence'],
];

/** Lines that may have such a word, by a part of them, and where. */
const EXEMPT: readonly (readonly [folder: string, part: RegExp])[] = [
  ['server/store/', /fingerprint/], // The name of a column, which is on disk.
  ['server/pages/assets/', /The browser refuses to copy/],
  ['CHANGELOG.md', /^\| .* \| .* \|$/], // Tables of old names.
  ['scripts/contract-change.ts', /\bverdicts\b/], // A property of what `redocly diff` prints.
];

const files = globSync(['server/**/*.ts', 'client/*.ts', 'scripts/**/*.ts'], { cwd: ROOT });

/** Words and turns that no page of the documentation and no contract has. */
const PROSE: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\banswer(?:s|ed|ing)?\b/i, 'return, respond, response'],
  [/\bwalk(?:s|ed|ing)?\b/i, 'iterate, pagination'],
  [/\bmeanwhile\b|\bbeside\b/i, 'at the same time, next to'],
  [/\bby hand\b|\bof (?:its|their|your|his) own\b/i, 'manually, your own …'],
  [/\b(?:is|are) none\b|\bnobody\b|\bsomebody\b/i, 'a plain sentence'],
];
const pages = globSync(['*.md', 'docs/*.md', 'client/*.md', '{openapi,control}.yaml'], { cwd: ROOT });

/** @returns the lines of a text that have one of the words, each with what to say instead. */
const wordsIn = (file: string, text: string, words = WORDS): readonly string[] =>
  text.split('\n').flatMap((line, at) => {
    const isExempt = EXEMPT.some(([folder, part]) => file.startsWith(folder) && part.test(line));
    const found = isExempt ? undefined : words.find(([word]) => word.test(line));
    return found === undefined ? [] : [`${file}:${String(at + 1)} ${line.trim()}: say ${found[1]}`];
  });

test('server, client and scripts use the words of the field', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((it) => wordsIn(it, readFileSync(join(ROOT, it), 'utf8')))).toEqual([]);
});

test('pages and contracts are plain technical English', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'openapi.yaml', join('docs', 'client.md')]));
  const found = pages.flatMap((it) => wordsIn(it, readFileSync(join(ROOT, it), 'utf8'), [...WORDS, ...PROSE]));
  expect(found).toEqual([]);
});

test.each([
  ['The server answers with a list.', 'return, respond, response'],
  ['Every item of the walk is returned.', 'iterate, pagination'],
  ['Each worker has a cache of its own.', 'manually, your own …'],
])('another turn is found: %s', (line, instead) => {
  expect(wordsIn('README.md', line, PROSE)).toEqual([`README.md:1 ${line}: say ${instead}`]);
});

test.each([
  ['// The refusal is remembered.', 'error, rejected'],
  ['const isRefused = error instanceof StoreRefused;', 'error, rejected'],
  ['const fingerprint = 1;', 'schema hash'],
  ['/** What whoever asks is answered. */', 'responded, completed'],
  ['demandWhole(text);', 'assert, require'],
])('another word is found: %s', (line, instead) => {
  expect(wordsIn('server/http/x.ts', line)).toEqual([`server/http/x.ts:1 ${line}: say ${instead}`]);
});
