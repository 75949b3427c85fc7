/** A reader of README.md at a clean machine: copies commands out of pages, runs them, and notes how long each took. */
import assert from 'node:assert/strict';
import process from 'node:process';
import { blocksOf } from '../support/docs.ts';
import type { Block } from '../support/docs.ts';
import type { Machine, RunOptions, Running } from './machine.ts';

/** The address at which README.md and the pages expect the server. */
export const ADDRESS = 'http://127.0.0.1:3000';
const KEY = 'rollcall_…';
const MAX_SHOWN = 100;

/** The blocks that readers have copied, by page, heading and language. */
const copied = new Set<string>();
const nameOf = ({ page, heading, language }: Omit<Block, 'code'>): string => `${page}, ${heading}: ${language}`;

/** @returns the blocks of a page that no reader has copied, apart from those that are listed. */
export function notCopied(page: string, exceptions: readonly string[]): readonly string[] {
  const names = new Set(blocksOf(page).map(nameOf));
  assert.deepEqual(
    exceptions.filter((it) => !names.has(it) || copied.has(it)),
    [],
  );
  return [...names].filter((it) => !copied.has(it) && !exceptions.includes(it));
}

/** @returns the blocks of a language below a heading. @throws AssertionError if there is none. */
export function copy(page: string, heading: string, language = 'sh'): readonly string[] {
  const found = blocksOf(page).filter((it) => it.heading === heading && it.language === language);
  assert.notEqual(found.length, 0, `${page}, ${heading} has no block of ${language}.`);
  for (const it of found) copied.add(nameOf(it));
  return found.map((it) => it.code);
}

/** @returns the lines of the only block of a language below a heading. */
export function copyLines(page: string, heading: string, language = 'sh'): readonly string[] {
  const [block = '', ...others] = copy(page, heading, language);
  assert.deepEqual(others, [], `${page}, ${heading} has several blocks of ${language}.`);
  return block.trimEnd().split('\n');
}

/** @returns a text with keys in place of the placeholders of the pages. */
export const withKeys = (text: string, key: string, key2 = key): string =>
  text.replaceAll(`--key2 ${KEY}`, `--key2 ${key2}`).replaceAll(KEY, key);

export class Reader {
  readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
  }

  /** Runs a script as in a shell. @returns its standard output. */
  async run(script: string, options?: RunOptions): Promise<string> {
    return await this.#timed(script, () => this.machine.run(script, options));
  }

  /** Starts a command that keeps running, and waits until it is ready. */
  async start(script: string, ready: RegExp, options?: RunOptions): Promise<Running> {
    return await this.#timed(script, () => this.machine.start(script, ready, options));
  }

  /** Runs a program in TypeScript, in the project with the packages. @returns what it prints. */
  async runProgram(code: string, cwd: string): Promise<string> {
    const name = 'example.mts';
    this.machine.write(name, code);
    const shown = await this.run(`mv ~/${name} . && node ${name}`, { cwd });
    assert.notEqual(shown, '', `A program prints nothing:\n${code}`);
    return shown;
  }

  async #timed<T>(script: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await work();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const [line = '', ...more] = script.trim().split('\n');
    const shown = line.length > MAX_SHOWN || more.length > 0 ? `${line.slice(0, MAX_SHOWN)} …` : line;
    process.stdout.write(`  ${seconds.padStart(5)} s  ${shown}\n`);
    return result;
  }
}
