/** The contract as types: what a handler is given and what it may answer. All of it comes from `openapi.yaml`. */
import type { components, operations } from '../../generated/openapi.ts';
import type { OPERATIONS } from '../../generated/operations.ts';

export type Schemas = components['schemas'];
export type Problem = Schemas['Problem'];
export type ProblemName = Schemas['ProblemName'];
export type OperationId = keyof operations;

declare const jsonOf: unique symbol;
/** JSON text that holds a `T`. Only `json` and the store make one, so a body cannot be of another schema. */
export type Json<T> = string & { readonly [jsonOf]: T };

/** @returns the JSON text of `value`, which remembers the type it was made from. */
export function json<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>; // The brand exists in types only.
}

declare const account: unique symbol;
/** A store's own handle of an account. Records are reached through it alone. */
export type Account = number & { readonly [account]: true };

/** The statuses the contract declares for an operation. */
export type Status<Op extends OperationId> = Extract<keyof operations[Op]['responses'], number>;

/** The JSON body the contract declares for an operation's answer of one status; `never` where it has none. */
export type Body<Op extends OperationId, S extends Status<Op>> = operations[Op]['responses'][S] extends {
  content: { 'application/json': infer B };
}
  ? B
  : never;

type Declared<Parameters> = [NonNullable<Parameters>] extends [never] ? object : NonNullable<Parameters>;
type Query<Op extends OperationId> = Declared<operations[Op]['parameters']['query']>;
/** The query parameters that have a default: the validator fills them in. */
type Defaulted<Op extends OperationId> = Extract<keyof Query<Op>, keyof (typeof OPERATIONS)[Op]['defaults']>;

/** A request that the contract allows, in its own terms. */
export interface Call<Op extends OperationId> {
  /** Whose records are asked for: the account of the key. */
  readonly account: Account;
  /** Query parameters. Those with a default in the contract are always there. */
  readonly query: Readonly<Query<Op> & Required<Pick<Query<Op>, Defaulted<Op>>>>;
  readonly path: Readonly<Declared<operations[Op]['parameters']['path']>>;
}

declare const replyTo: unique symbol;
/** An answer of operation `Op`. Made by `send` alone: nobody else has the symbol. */
export interface Reply<Op extends OperationId> {
  readonly [replyTo]: Op;
  readonly status: number;
  readonly body: string;
}

/**
 * Makes the answer: a status the contract declares for the operation, and its body.
 * A function, because TypeScript does not refuse extra properties in a literal that is merely returned.
 */
export type Send<Op extends OperationId> = <const S extends Status<Op>>(
  status: S,
  body: Json<Body<Op, S>>,
) => Reply<Op>;

/** An operation: from a call to an answer. It throws `ProblemError` for the errors of the contract. */
export type Handler<Op extends OperationId> = (call: Call<Op>, send: Send<Op>) => Reply<Op> | Promise<Reply<Op>>;

/** One handler for every operation of the contract. */
export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
