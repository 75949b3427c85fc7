/** What an import is asked to do. */
import type { Collection } from '../contract/collections.ts';
import type { Reject } from '../import/records.ts';

export interface ImportRequest {
  readonly account: string;
  readonly collection: Collection;
  /** Paths; `-` is standard input. */
  readonly files: readonly string[];
  /** Make the collection exactly what the files hold. */
  readonly replace: boolean;
  /** Take an input without a record, and let `replace` leave the collection empty. */
  readonly allowEmpty?: boolean | undefined;
  /** Let `replace` leave one page of a list that says that it is longer. */
  readonly allowPartial?: boolean | undefined;
  /** Takes the bad records. Without it, one bad record refuses its file. */
  readonly rejects?: Rejects | undefined;
  /** Told how far the reading of a file has come. */
  readonly progress?: ((file: string, records: number, bytes: number) => void) | undefined;
}

/** What becomes of bad records: added as they are met, then kept if their file is loaded, or dropped. */
export interface Rejects {
  add(file: string, bad: Reject): void;
  keep(): void;
  drop(): void;
}
