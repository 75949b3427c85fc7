/** Validation: the rules for parameters, the error messages for parameters that break a rule, and the setup of express-openapi-validator. */
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { allowed as allowedBy } from '../../contract/wording.ts';
import type { Contract, Operation, Schema } from '../../contract/document.ts';
import { ProblemError } from '../../contract/problems.ts';

// A longer name is not repeated in the response: it may be a misplaced key.
const MAX_ECHOED_NAME = 32;

/**
 * @param validator the middleware from `validatorOf`, which validates values by their schemas and fills in defaults.
 * @returns handlers that reject every parameter that the contract does not allow, with a `validation_error` that names it.
 */
export function checkParameters(
  operation: Pick<Operation, 'parameters'>,
  validator: readonly RequestHandler[],
): (RequestHandler | ErrorRequestHandler)[] {
  const { parameters } = operation;
  const query = new Map(
    parameters.filter((parameter) => parameter.in === 'query').map(({ name, schema }) => [name, schema]),
  );
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
 * Rejects invalid values that the validator accepts. The validator reads ` 5`, `05`, `0x10`, `1e1` and numbers beyond every bound as
 * integers, and drops names such as `limit[`. Empty and repeated parameters are rejected here too, because the validator's errors do
 * not name the reason.
 */
function checkSpelling(query: ReadonlyMap<string, Schema>, name: string, value: unknown): void {
  const schema = query.get(name);
  if (schema === undefined) throw unknown(name, [...query.keys()]);
  if (typeof value !== 'string') throw invalid(name, `be sent only once, as ${allowed(schema)}`);
  if (value === '' || (schema.type === 'integer' && !isPlainInteger(value))) {
    throw invalid(name, `be ${allowed(schema)}`);
  }
}

const isPlainInteger = (text: string): boolean => /^(0|[1-9][0-9]*)$/.test(text) && Number.isSafeInteger(Number(text));

// The only rule between two parameters, which OpenAPI can express in prose only.
function checkCursors({ after, before }: { readonly after?: unknown; readonly before?: unknown }): void {
  if (after === undefined || before === undefined) return;
  throw new ProblemError('validation_error', '`after` and `before` cannot be combined. Send only one of them.', {
    parameter: 'after, before',
  });
}

/** Replaces an error of the validator, whose messages are for developers and change with its versions. Returns other values unchanged. */
function explain(thrown: unknown, { parameters }: Pick<Operation, 'parameters'>): unknown {
  if (!(thrown instanceof OpenApiValidator.error.BadRequest)) return thrown;
  const [, name] = /^\/(?:query|params)\/([^/]+)/.exec(thrown.errors[0]?.path ?? '') ?? [];
  const parameter = parameters.find((declared) => declared.name === name);
  return parameter === undefined ? thrown : invalid(parameter.name, `be ${allowed(parameter.schema)}`);
}

/** @param name of a declared parameter: the log has it. */
function invalid(name: string, must: string): ProblemError {
  return new ProblemError('validation_error', `\`${name}\` must ${must}.`, { parameter: name });
}

function unknown(name: string, known: readonly string[]): ProblemError {
  const isShown = name.length <= MAX_ECHOED_NAME && !/\p{Cc}/u.test(name);
  const what = isShown ? `Unknown parameter \`${name}\`.` : 'Unknown parameter.';
  const instead =
    known.length === 0
      ? 'This operation has no query parameters.'
      : `Allowed parameters: ${known.map((parameterName) => `\`${parameterName}\``).join(', ')}.`;
  return new ProblemError('validation_error', `${what} ${instead}`);
}

/** @returns a noun phrase for the values that a schema allows. */
const allowed = (schema: Schema): string => allowedBy(schema, (value) => `\`${String(value)}\``);

const validators = new WeakMap<Contract, readonly RequestHandler[]>();

/**
 * @returns the middleware that validates a request against the contract and fills in defaults. There is one per contract, because it
 *   compiles every schema. If it cannot read the contract, it fails only at the first request.
 */
export function validatorOf(contract: Contract): readonly RequestHandler[] {
  const validator = validators.get(contract) ?? createValidator(contract);
  validators.set(contract, validator);
  return validator;
}

/**
 * The validator gets a document of only what it validates, without references, because it compiles every schema that a reference names. It
 * also compiles the schema of OpenAPI itself, even if it does not validate the document. That of 3.1 takes less time than that of 3.0, and
 * these parameters mean the same in both.
 */
function createValidator({ version, operations }: Contract): readonly RequestHandler[] {
  const paths = operations.map(({ path, parameters }) => [path, { get: { parameters, responses: {} } }] as const);
  const apiSpec = { openapi: '3.1.0', info: { title: '', version }, paths: Object.fromEntries(paths) };
  const validator = OpenApiValidator.middleware({
    apiSpec: apiSpec as unknown as Options['apiSpec'], // Read-only, because it is copied.
    validateApiSpec: false, // The linters do.
    validateSecurity: false, // The validator's bearer check accepts `Basic bearer`; see authentication.ts.
    fileUploader: false,
    useRequestUrl: true, // The target as express.ts has set it.
  });
  return validator as readonly RequestHandler[]; // The validator's type of requests has an additional property.
}

type Options = Parameters<typeof OpenApiValidator.middleware>[0];
