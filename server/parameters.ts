/** Bad parameters: what is wrong, and what the contract allows instead. */
import type { RequestHandler } from 'express';
import { error as validatorErrors } from 'express-openapi-validator';
import { ProblemError } from './problems.ts';
import type { Operation, Schema } from './spec.ts';

// A longer one is not repeated to the sender: it may be a key that went astray.
const MAX_ECHOED_NAME = 32;

/**
 * Refuses what the validator lets through: it reads ` 5`, `05`, `0x10` and `1e1` as integers, and drops names such as
 * `limit[`. Empty and repeated parameters are told here too, because it would not say so.
 */
export function checkSpelling({ parameters }: Operation): RequestHandler {
  const query = new Map(parameters.filter((it) => it.in === 'query').map((it) => [it.name, it.schema]));
  return (req, _res, next) => {
    for (const [name, value] of Object.entries(req.query)) {
      const schema = query.get(name);
      if (schema === undefined) throw unknown(name, [...query.keys()]);
      if (typeof value !== 'string') throw invalid(name, `be given once, as ${allowed(schema)}`);
      if (value === '' || (schema.type === 'integer' && !/^(0|[1-9][0-9]*)$/.test(value))) {
        throw invalid(name, `be ${allowed(schema)}`);
      }
    }
    next();
  };
}

/**
 * An error of the validator in our words: its own are for developers, and change with its versions.
 * @returns what to throw on: any other error as it is.
 */
export function explain(thrown: unknown, { parameters }: Operation): unknown {
  if (!(thrown instanceof validatorErrors.BadRequest)) return thrown;
  const [, name] = /^\/(?:query|params)\/([^/]+)/.exec(thrown.errors[0]?.path ?? '') ?? [];
  const parameter = parameters.find((it) => it.name === name);
  return parameter === undefined ? thrown : invalid(parameter.name, `be ${allowed(parameter.schema)}`);
}

function invalid(name: string, must: string): ProblemError {
  return new ProblemError('validation_error', `\`${name}\` must ${must}.`);
}

function unknown(name: string, known: readonly string[]): ProblemError {
  const what = name.length <= MAX_ECHOED_NAME ? `\`${name}\` is not a parameter here` : 'Unknown parameter';
  const instead = known.length === 0 ? 'there are none' : `those are ${known.map((it) => `\`${it}\``).join(', ')}`;
  return new ProblemError('validation_error', `${what}: ${instead}.`);
}

/** @returns what a schema allows, as a noun. */
function allowed({ type, enum: values, format, minimum, maximum }: Schema): string {
  if (values !== undefined) return `one of ${values.map((it) => `\`${it}\``).join(', ')}`;
  if (type === 'integer') return `a whole number from ${String(minimum)} to ${String(maximum)}`;
  if (format === 'uuid') return 'the id of an item, a UUID';
  return `a ${type ?? 'value'} as documented`;
}
