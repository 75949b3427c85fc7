/** CursorProof, another tool that tests lists, on those that it can read: tokens and URLs in the body. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../test/support/tester.ts';
import { install, versionOf } from './install.ts';
import type { Install } from './install.ts';
import { ROWS } from './rows.ts';
import type { Running } from './process.ts';

const TOOL: Install = { pip: ['cursorproof==0.2.0'] };
export const CURSORPROOF = `CursorProof ${versionOf(TOOL)}`;

/** What it has to be told, since it infers nothing. */
export interface Told {
  readonly pagination: { readonly mode: 'token' | 'url'; readonly cursor_param: string; readonly limit_param: string };
  readonly response: { readonly items: string; readonly next_cursor: string; readonly id: string };
  /** Only if it has its options: with them, it has all rows as its oracle too. */
  readonly ordering: readonly [{ readonly field: string; readonly direction: 'asc' | 'desc' }];
}

interface Report {
  readonly outcome: string;
  readonly findings?: readonly { readonly code: string }[];
  readonly errors?: readonly { readonly message: string }[];
}

/** A list, as far as it reads one. */
interface Readable {
  readonly path: string;
  readonly told?: Told;
}

/** @returns the codes of its findings, `pass`, or its error; `-` for a list that it cannot read. */
export async function cursorProof({ url }: Running, { path, told }: Readable, hasOptions: boolean): Promise<string> {
  if (told === undefined) return '-';
  const bin = await install(TOOL);
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-cursorproof-'));
  try {
    const { ordering, ...always } = told;
    const oracle = { command: ['cat', 'rows.json'], items: '$.rows', id: '$.id', ordered: false };
    const config = { url: `${url}${path}`, ...always, ...(hasOptions && { ordering, oracle }) };
    await writeFile(join(folder, 'config.json'), JSON.stringify(config));
    await writeFile(join(folder, 'rows.json'), JSON.stringify({ rows: ROWS }));
    const { output } = await run([join(bin, 'cursorproof'), 'run', 'config.json', '--format', 'json'], { cwd: folder });
    const { outcome, findings = [], errors = [] } = JSON.parse(output) as Report;
    const codes = [...new Set(findings.map(({ code }) => code))];
    return [...codes, ...errors.map(({ message }) => message)].join(' ') || outcome;
  } finally {
    await rm(folder, { recursive: true });
  }
}
