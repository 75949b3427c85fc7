/** Asks each list once before anything is judged: whether somebody answers, and lets the key in. */
import { COLLECTIONS, operationsOf } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import { NoAnswer } from './answer.ts';
import { Untestable } from './session.ts';
import type { Exchange, Session } from './session.ts';

/** @throws Untestable if nothing can be said about an implementation: it is down, elsewhere, or does not know a key. */
export async function assertReady(contract: Contract, session: Session): Promise<void> {
  const { key, key2 } = session.server;
  for (const [name, secret] of [
    ['key', key],
    ['second key (--key2)', key2],
  ] as const) {
    if (secret === undefined) continue;
    const answers: Exchange[] = [];
    for (const collection of COLLECTIONS)
      answers.push(await ask(contract, session, operationsOf(collection).list, secret));
    judge(answers, name);
  }
}

async function ask(
  contract: Contract,
  session: Session,
  list: Parameters<Contract['operation']>[0],
  key: string,
): Promise<Exchange> {
  const operation = contract.operation(list);
  try {
    return await session.send({ target: operation.path, authorization: `Bearer ${key}` }, operation);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new Untestable(`The server does not answer GET ${operation.path}: ${error.message}.`);
  }
}

function judge(answers: readonly Exchange[], key: string): void {
  const [first] = answers;
  if (first === undefined) return;
  const all = (is: (status: number) => boolean): boolean => answers.every((it) => is(it.status));
  const what = `${first.request} is answered ${String(first.status)}`;
  if (all((it) => it === 401 || it === 403)) throw new Untestable(`The ${key} is refused: ${what}.`);
  if (all((it) => it >= 300 && it < 400)) {
    const location = first.headers.get('location') ?? 'nowhere';
    throw new Untestable(
      `The server redirects to ${location}: ${what}. Redirects are not followed: give the address itself.`,
    );
  }
  if (all((it) => it === 404 || it === 405)) {
    throw new Untestable(`There is nothing of the contract at this address: ${what}. Is it the base URL of the API?`);
  }
  if (all((it) => it >= 500)) throw new Untestable(`The server fails: ${what}.`);
}
