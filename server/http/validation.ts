/** Parameters: every rule of them, and what is said of one that breaks it. */
import { parse } from 'node:querystring';
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { allowed as allowedBy } from '../contract/allowed.ts';
import type { Operation, Schema } from '../contract/document.ts';
import { ProblemError } from '../contract/problems.ts';
import { BadRequest } from './validator.ts';

// A longer name is not repeated to the sender: it may be a key that went astray.
const MAX_ECHOED_NAME = 32;

/** Parses a query string whole: Node stops at 1000 pairs otherwise, and the size of a target is bounded anyway. */
export const parseQuery = (text: string): NodeJS.Dict<string | string[]> => parse(text, '&', '=', { maxKeys: 0 });

/**
 * @param validator the validator of requests, from `createValidator`: it judges values by their schemas, and fills in
 *   defaults.
 * @returns what refuses every parameter that the contract does not allow, with a `validation_error` that names it.
 */
export function checkParameters(
  operation: Operation,
  validator: readonly RequestHandler[],
): (RequestHandler | ErrorRequestHandler)[] {
  const { parameters } = operation;
  const query = new Map(parameters.filter((it) => it.in === 'query').map((it) => [it.name, it.schema]));
  return [
    (req: Request, _res: Response, next: NextFunction) => {
      for (const [name, value] of Object.entries(req.query)) checkSpelling(query, name, value);
      checkCursors(req.query);
      next();
    },
    ...validator,
    (thrown: unknown, _req: Request, _res: Response, next: NextFunction) => {
      next(explain(thrown, operation));
    },
  ];
}

/**
 * What the validator lets through: it reads ` 5`, `05`, `0x10`, `1e1` and numbers beyond every bound as integers, and
 * drops names such as `limit[`. Empty and repeated parameters are told here too, because it would not say so.
 */
function checkSpelling(query: ReadonlyMap<string, Schema>, name: string, value: unknown): void {
  const schema = query.get(name);
  if (schema === undefined) throw unknown(name, [...query.keys()]);
  if (typeof value !== 'string') throw invalid(name, `be given once, as ${allowed(schema)}`);
  if (value === '' || (schema.type === 'integer' && !isPlainInteger(value))) {
    throw invalid(name, `be ${allowed(schema)}`);
  }
}

const isPlainInteger = (text: string): boolean => /^(0|[1-9][0-9]*)$/.test(text) && Number.isSafeInteger(Number(text));

// The one rule between two parameters. OpenAPI has no way to say it, but in words.
function checkCursors({ after, before }: { readonly after?: unknown; readonly before?: unknown }): void {
  if (after === undefined || before === undefined) return;
  throw new ProblemError('validation_error', '`after` and `before` cannot be combined: send one of them.');
}

/** An error of the validator in our words: its own are for developers, and change with its versions. Others as they are. */
function explain(thrown: unknown, { parameters }: Operation): unknown {
  if (!(thrown instanceof BadRequest)) return thrown;
  const [, name] = /^\/(?:query|params)\/([^/]+)/.exec(thrown.errors[0]?.path ?? '') ?? [];
  const parameter = parameters.find((it) => it.name === name);
  return parameter === undefined ? thrown : invalid(parameter.name, `be ${allowed(parameter.schema)}`);
}

function invalid(name: string, must: string): ProblemError {
  return new ProblemError('validation_error', `\`${name}\` must ${must}.`);
}

function unknown(name: string, known: readonly string[]): ProblemError {
  const isShown = name.length <= MAX_ECHOED_NAME && !/\p{Cc}/u.test(name);
  const what = isShown ? `\`${name}\` is not a parameter here` : 'Unknown parameter';
  const instead = known.length === 0 ? 'none is allowed' : `allowed are ${known.map((it) => `\`${it}\``).join(', ')}`;
  return new ProblemError('validation_error', `${what}: ${instead}.`);
}

/** @returns what a schema allows, as a noun. */
const allowed = (schema: Schema): string => allowedBy(schema, (value) => `\`${String(value)}\``);
