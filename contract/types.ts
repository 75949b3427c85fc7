/** The contract as types: the call that a handler receives, and the replies that it may return. All types derive from `openapi.yaml`. */
import type { components, operations } from '../generated/openapi.ts';
import type { OPERATIONS } from '../generated/operations.ts';

export type Schemas = components['schemas'];
export type Problem = Schemas['Problem'];
export type ProblemName = Schemas['ProblemName'];
export type OperationId = keyof operations;

declare const jsonOf: unique symbol;
/** JSON text of a `T`. Only `json` and the store create it, so that a body always has the declared schema. */
export type Json<T> = string & { readonly [jsonOf]: T };

/** @returns the JSON text of `value`, branded with the type of `value`. */
export function json<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>; // The brand exists in types only.
}

declare const account: unique symbol;
/** A store's handle of an account. Every access to records takes one. */
export type Account = number & { readonly [account]: true };

/** The statuses that the contract declares for an operation. */
export type Status<Op extends OperationId> = Extract<keyof operations[Op]['responses'], number>;

/** The JSON body that the contract declares for an operation and a status; `never` if there is none. */
export type Body<Op extends OperationId, S extends Status<Op>> = operations[Op]['responses'][S] extends {
  content: { 'application/json': infer B };
}
  ? B
  : never;

/** The responses that the contract declares for any operation, by status. */
export type Responses = {
  [S in Status<OperationId>]: {
    [Op in OperationId]: S extends keyof operations[Op]['responses'] ? operations[Op]['responses'][S] : never;
  }[OperationId];
};

type Declared<Parameters> = [NonNullable<Parameters>] extends [never] ? object : NonNullable<Parameters>;
type Query<Op extends OperationId> = Declared<operations[Op]['parameters']['query']>;
/** The query parameters with a default, which the validator fills in. */
type Defaulted<Op extends OperationId> = Extract<keyof Query<Op>, keyof (typeof OPERATIONS)[Op]['defaults']>;

/** A validated request. */
export interface Call<Op extends OperationId> {
  /** The account of the key, whose records are requested. */
  readonly account: Account;
  /** Query parameters. Those with a default in the contract are always present. */
  readonly query: Readonly<Query<Op> & Required<Pick<Query<Op>, Defaulted<Op>>>>;
  readonly path: Readonly<Declared<operations[Op]['parameters']['path']>>;
}

declare const replyTo: unique symbol;
/** A reply of operation `Op`. Only `send` creates replies: the symbol is private. */
export interface HandlerReply<Op extends OperationId> {
  readonly [replyTo]: Op;
  readonly status: number;
  readonly body: string;
}

/**
 * Makes a reply: a status that the contract declares for the operation, and its body.
 * It is a function because TypeScript does not reject extra properties in a returned literal.
 */
export type Send<Op extends OperationId> = <const S extends Status<Op>>(
  status: S,
  body: Json<Body<Op, S>>,
) => HandlerReply<Op>;

/** Executes an operation. It throws `ProblemError` for the errors of the contract. */
export type Handler<Op extends OperationId> = (
  call: Call<Op>,
  send: Send<Op>,
) => HandlerReply<Op> | Promise<HandlerReply<Op>>;

/** One handler for every operation of the contract. */
export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
