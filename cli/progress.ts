/** The progress of a load, as one line: what has been read, how fast, and how long the rest takes. */
import { counted } from '../contract/wording.ts';
import { inputName } from './input.ts';

/** Called while a file is read, with the bytes of it and the records of its transaction that have been read so far. */
export type Progress = (file: string, records: number, bytes: number) => void;

// A shorter load needs no progress.
const SILENT_MS = 2000;

/**
 * @param files the inputs in the order in which they are read, with the size in bytes of those that are files.
 * @param show called with each line, from two seconds after the start.
 * @param now the milliseconds since any time.
 */
export function createProgress(
  files: readonly { readonly file: string; readonly size: number | undefined }[],
  show: (line: string) => void,
  now: () => number,
): Progress {
  const started = now();
  const total = files.reduce<number | undefined>((sum, { size }) => addKnown(sum, size), 0);
  // An input can be given twice, so the bytes of earlier inputs are counted, not looked up.
  let [current, done, last, before, lastRecords] = ['', 0, 0, 0, 0];
  return (file, records, bytes) => {
    if (records < lastRecords) before += lastRecords; // Each transaction counts its own.
    if (file !== current || bytes < last) done += last;
    [current, last, lastRecords] = [file, bytes, records];
    const seconds = (now() - started) / 1000;
    if (seconds * 1000 < SILENT_MS) return;
    const all = before + records;
    const parts = [counted(all, 'records'), `${counted(Math.round(all / seconds), 'records')}/s`];
    if (total !== undefined && done + bytes > 0) {
      const part = Math.min((done + bytes) / total, 1);
      parts.push(`${String(Math.floor(100 * part))}%`, `${String(Math.ceil((seconds * (1 - part)) / part))} s left`);
    }
    show(`${inputName(file)}: ${parts.join(', ')}`);
  };
}

const addKnown = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other;
