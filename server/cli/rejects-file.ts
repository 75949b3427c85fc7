/** The file of `import --rejects`: bad records of the files that were loaded, and of no other. */
import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { rejectLine } from '../import/records.ts';
import { fileError } from './file-errors.ts';
import type { Rejects } from './import-request.ts';
import { inputName } from './input.ts';
import { Refusal } from './refusal.ts';

// Its records are as confidential as those of the database.
const PRIVATE = 0o600;

export interface RejectsFile extends Rejects {
  /** Ends the file; removes it if nothing of it was kept. */
  close(): void;
}

/**
 * @param path a new file: one that exists may be the very input, or the rejects of another run.
 * @throws Refusal
 */
export function openRejects(path: string): RejectsFile {
  const file = open(path);
  let kept = 0;
  const drop = (): void => {
    ftruncateSync(file, kept);
  };
  return {
    add: (input, bad) => {
      try {
        appendFileSync(file, rejectLine(inputName(input), bad));
      } catch (error) {
        throw new Refusal(
          `The file of --rejects, ${path}, ${fileError(error, 'written')}. ` +
            `Nothing of ${inputName(input)} was loaded. Make room or name another file, and try again.`,
        );
      }
    },
    keep: () => {
      kept = fstatSync(file).size;
    },
    drop,
    close: () => {
      drop();
      closeSync(file);
      if (kept === 0) rmSync(path);
    },
  };
}

function open(path: string): number {
  try {
    return openSync(path, 'ax', PRIVATE);
  } catch (error) {
    throw new Refusal(`The file of --rejects, ${path}, ${fileError(error, 'written')}.`);
  }
}
