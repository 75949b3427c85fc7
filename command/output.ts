/** Prints lines and tables. Escapes what could pass for a line of Rollcall, a control sequence of a terminal, or a command of a CI. */
import { fstatSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import type { Annotation } from '../audit/report/report.ts';
import { printable } from '../audit/rules/text.ts';
import { wordsOf } from './command-errors.ts';

const joined = (lines: readonly string[]): string => lines.map((line) => `${printable(line)}\n`).join('');

/** Prints lines to standard output: the result of a command. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(joined(lines));
}

/** Prints a line that must not be lost, and waits until it is written. @throws an error of Node if it cannot be written. */
export function printOrThrow(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(joined([line]), (error) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
}

type Format = (level: 'warn' | 'error', line: string) => string;
let format: Format = (_, line) => line;

/** Sets the format of lines on standard error. */
export function formatMessages(as: Format): void {
  format = as;
}

/** Prints lines to standard error: information and warnings in addition to the result. */
export function notify(...lines: readonly string[]): void {
  process.stderr.write(joined(lines.map((line) => format('warn', line))));
}

/** Prints lines to standard error: the reasons why a command failed. */
export function notifyError(...lines: readonly string[]): void {
  process.stderr.write(joined(lines.map((line) => format('error', line))));
}

/** Prints a value as JSON, which stays valid: `printable` escapes characters as JSON does. */
export function printJson(value: unknown): void {
  print(...JSON.stringify(value, null, 2).split('\n'));
}

/** Prints commands of Rollcall's own to a CI. Nothing in them can be another one. */
export function printAnnotations(...lines: readonly Annotation[]): void {
  process.stdout.write(lines.map((line) => `::${printable(line.slice('::'.length))}\n`).join(''));
}

/** Whether progress can be shown. Elsewhere a spinner cannot redraw its line, and would write a line for every step. */
export function isInteractive(): boolean {
  const { CI, TERM } = process.env;
  return process.stderr.isTTY && TERM !== 'dumb' && CI === undefined;
}

/** @returns the lines of a table with aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => all.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => line(row).trimEnd());
}

/**
 * Handles errors of standard output and standard error. If the reader has closed the pipe, the command continues. Any other error makes the
 * command fail; an error of standard output is also reported once, if that is possible.
 */
export function guardOutput(): void {
  let isReported = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    if (!isReported)
      notify(`rollcall: The output is incomplete: ${wordsOf(error)}. Free up space, or write the output elsewhere.`);
    isReported = true;
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1;
  });
  writeWhole(process.stdout);
  writeWhole(process.stderr);
}

/** Makes a stream write all bytes if it is a file. Node writes to a file once, and ignores how many bytes were written. */
function writeWhole(stream: NodeJS.WriteStream & { readonly fd: number }): void {
  if (!fstatSync(stream.fd).isFile()) return;
  stream._write = (chunk: Buffer, _encoding, done) => {
    try {
      writeFileSync(stream.fd, chunk); // Writes until all bytes are written or an error occurs.
      done();
    } catch (error) {
      done(error as Error); // `writeFileSync` throws only errors.
    }
  };
}
