/** The progress of an import: nothing in the first two seconds, then how much, how fast and how long the rest takes. */
import { expect, test } from '@jest/globals';
import { createProgress } from '../../cli/progress.ts';

function started(files: Parameters<typeof createProgress>[0]): {
  lines: string[];
  at: (ms: number, file: string, records: number, bytes: number) => void;
} {
  const lines: string[] = [];
  let now = 5000;
  const progress = createProgress(
    files,
    (line) => lines.push(line),
    () => now,
  );
  const at = (ms: number, file: string, records: number, bytes: number): void => {
    now = 5000 + ms;
    progress(file, records, bytes);
  };
  return { lines, at };
}

test('a file has a rate, a part and what remains', () => {
  const { lines, at } = started([{ file: 'a', size: 1000 }]);
  at(1999, 'a', 10, 100);
  expect(lines).toEqual([]);
  at(2000, 'a', 3000, 250);
  at(4000, 'a', 12_000, 1000);
  expect(lines).toEqual([
    'a: 3,000 records, 1,500 records/s, 25%, 6 s left',
    'a: 12,000 records, 3,000 records/s, 100%, 0 s left',
  ]);
});

test('several files count as one load, whether each is a transaction or all are', () => {
  for (const second of [1000, 3000]) {
    const { lines, at } = started([
      { file: 'a', size: 1000 },
      { file: 'b', size: 3000 },
    ]);
    at(1000, 'a', 2000, 1000);
    at(2000, 'b', second, 1000);
    expect(lines).toEqual(['b: 3,000 records, 1,500 records/s, 50%, 2 s left']);
  }
});

test('an input of unknown size has no part, and one that has no bytes yet does not either', () => {
  const pipe = started([{ file: '-', size: undefined }]);
  pipe.at(3000, '-', 1, 10);
  expect(pipe.lines).toEqual(['standard input: 1 record, 0 records/s']);
  const empty = started([{ file: 'a', size: 0 }]);
  empty.at(3000, 'a', 0, 0);
  expect(empty.lines).toEqual(['a: 0 records, 0 records/s']);
});
