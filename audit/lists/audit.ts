/** Audits a list: finds out how it paginates, and checks it by the rules. */
import { attempt, createRunner } from '../rules/runner.ts';
import type { Changing } from '../rules/runner.ts';
import { isNamed } from '../rules/rule.ts';
import type { Outcome, Result } from '../rules/rule.ts';
import { own, say } from '../rules/text.ts';
import type { Shown, Text } from '../rules/text.ts';
import { showOutcome } from '../session/redact.ts';
import { Spent, Untestable } from '../session/session.ts';
import type { Clock } from '../session/session.ts';
import { Audited } from './audited.ts';
import type { Asked } from './audited.ts';
import type { Coverage } from './readings.ts';
import type { Rule } from './list-rule.ts';
import { VALUE_RULES } from './bad-values.ts';
import { BOUND_RULES } from './bound-rules.ts';
import type { Commands } from './commands.ts';
import { DECLARED_RULES } from './declared-rules.ts';
import { FILTER_RULES } from './filter-rules.ts';
import { GET_RULES } from './get-rules.ts';
import { isGuess } from './infer/ids.ts';
import { OnePage, infer } from './infer/infer.ts';
import type { Inferred } from './infer/infer.ts';
import { ITEM_RULES } from './item-rules.ts';
import { List } from './list.ts';
import { LIST_RULES } from './list-rules.ts';
import type { Given, Profile } from './profile.ts';
import { Responses } from './openapi-responses.ts';
import type { Schemas } from './openapi-responses.ts';
import { OPENAPI_RULES } from './openapi-rules.ts';
import type { ListOperation } from './openapi.ts';
import { firstTarget } from './parameters.ts';
import { boundsOf, openSession } from './session.ts';
import type { Session, SessionOptions } from './session.ts';
import { SORT_RULES } from './sort-rules.ts';
import { STATED_RULES } from './stated-rules.ts';
import { LENGTH_RULES, TRUTH_RULES } from './command-rules.ts';
import { MOVE_RULES } from './moves.ts';
import { NotAnId } from './walk.ts';
import { WALK_RULES } from './walk-rules.ts';

export { OnePage };

/** All rules, those that others depend on first, and those that change the list last. */
export const RULES: readonly Rule[] = [
  ...[...WALK_RULES, ...STATED_RULES, ...LIST_RULES, ...ITEM_RULES, ...VALUE_RULES],
  ...[...DECLARED_RULES, ...GET_RULES, ...FILTER_RULES, ...SORT_RULES, ...BOUND_RULES],
  ...[...TRUTH_RULES, ...MOVE_RULES, ...LENGTH_RULES, ...OPENAPI_RULES],
];

export interface AuditOptions {
  /** The list, and what the user says of it. */
  readonly profile: Given;
  /** 1,000 on loopback, otherwise 300. */
  readonly maxRequests?: number | undefined;
  /** How long the audit may take, in milliseconds; ten minutes by default. */
  readonly timeoutMs?: number | undefined;
  /** The rules to check, by their ids or areas; all by default. */
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  /** The URLs of the second and further pages, if the user has given some: they name the parameters. */
  readonly page2?: readonly string[] | undefined;
  /** The user's own commands. The rules that need one that is not given are left out. */
  readonly commands?: Commands | undefined;
  /** The operation of an OpenAPI document that describes the list. */
  readonly described?: { readonly operation: ListOperation; readonly schemas: Schemas } | undefined;
  /** Called with what is done next. */
  readonly progress?: ((what: string) => void) | undefined;
  /** Called with each request in one line before it is sent. */
  readonly trace?: ((request: Shown) => void) | undefined;
  /** Called once with the profile as it was found, what was tried in vain, and the list. */
  readonly inferred?: ((found: Inferred & { readonly list: List }) => Promise<void> | void) | undefined;
  readonly clock?: Clock | undefined;
  /** The only origin that is requested: that of the profile's URL by default. The URL may be made by a document. */
  readonly origin?: string | undefined;
  /** @returns the proxy of a URL. */
  readonly proxyOf?: SessionOptions['proxyOf'];
  /** The most bytes of a body; 32 MB by default. */
  readonly maxBodyBytes?: number | undefined;
}

/** The results, each as soon as it is known. The iteration throws `Untestable` if the list cannot be audited. */
export interface AuditRun extends AsyncIterable<Result> {
  /** The number of requests so far. */
  readonly sent: number;
  /** The profile, once it is known: as it is read, and as it may be saved. */
  readonly profile: Profile | undefined;
  readonly saved: Profile | undefined;
  /** How many items were read, once one traversal has been made, and whether that reached the end. */
  readonly length: Audited['length'];
  /** What was read with each small size. */
  readonly coverage: readonly Coverage[];
  /** @returns a text as it may be shown, without the secrets of the list. */
  readonly show: (text: Text) => Shown;
}

/** @returns the run; it starts with the iteration. */
export function audit({
  profile: given,
  only,
  skip = [],
  page2,
  commands,
  described,
  ...options
}: AuditOptions): AuditRun {
  const { progress = () => undefined, inferred = () => undefined, maxRequests, timeoutMs, ...sending } = options;
  const bounds = boundsOf(given.url);
  const responses =
    described && new Responses(described.operation, described.schemas, firstTarget(given.url).replace(/\?.*$/, ''));
  const session = openSession(
    given,
    { ...bounds, requests: maxRequests ?? bounds.requests, runMs: timeoutMs ?? bounds.runMs },
    { ...sending, seen: (answer) => responses?.see(answer) },
  );
  const asked: Asked = { commands, responses };
  let audited: Audited | undefined;
  let saved: Profile | undefined;

  async function* results(): AsyncGenerator<Result> {
    let end: Untestable | undefined;
    try {
      progress('finding out how the list paginates');
      const found = await infer(given, session, page2);
      const subject = await withId(found, session, asked, given.id !== undefined);
      const { list } = subject;
      const { id } = list.profile;
      audited = subject;
      saved = { ...found.saved, id };
      await inferred({ ...found, profile: list.profile, saved, list });
      const isOn = ({ on }: Rule): boolean => on?.isDeclaredIn(given, asked) ?? true;
      const kept = RULES.filter((it) => !isNamed(it.id, skip) && (isOn(it) || isNamed(it.id, only ?? [])));
      const runner = createRunner(kept, async (rule) => {
        if (end !== undefined) return notChecked(end.text);
        if (!isOn(rule)) return notChecked(say`it needs ${own(rule.on?.by ?? '')}`);
        try {
          return await attempt(() => rule.check(subject), rule.changes === true ? CHANGED : subject);
        } catch (error) {
          if (!(error instanceof Untestable)) throw error;
          if (error instanceof Spent) return notChecked(error.text); // What needs fewer requests is checked.
          end = error;
          return notChecked(error.text);
        }
      });
      const isWanted = (id: string): boolean => only === undefined || isNamed(id, only);
      for await (const { rule, outcome, ms } of runner.judgeAll(
        kept.filter((it) => isWanted(it.id)),
        isWanted,
        progress,
      )) {
        const { id, title, why, change } = rule;
        yield {
          rule: id,
          title,
          ms,
          ...(outcome.outcome === 'failed' || outcome.outcome === 'noted' ? { why, change } : {}),
          ...showOutcome(outcome, session.redaction.show),
        };
      }
      if (end !== undefined) throw end;
    } finally {
      session.close();
    }
  }
  return {
    get sent() {
      return session.sent;
    },
    get profile() {
      return audited?.list.profile;
    },
    get saved() {
      return saved;
    },
    get length() {
      return audited?.length;
    },
    get coverage() {
      return audited?.coverage ?? [];
    },
    show: session.redaction.show,
    [Symbol.asyncIterator]: results,
  };
}

/** @returns the list with its id: of those that are guessed, the first one that no two different items of the whole list share. */
async function withId(
  { profile, ids, sightings, stated, later }: Inferred,
  session: Session,
  asked: Asked,
  isGiven: boolean,
): Promise<Audited> {
  let reason: unknown;
  for (const id of ids.slice(0, MAX_IDS)) {
    // The sightings have the ids of the first candidate.
    const seen = id === profile.id ? sightings : [];
    const subject = new Audited(new List({ ...profile, id }, session), { ...asked, stated, later, sightings: seen });
    try {
      if (isGuess(id) && !isGiven) await subject.requireIds();
      return subject;
    } catch (error) {
      if (!(error instanceof NotAnId)) throw error;
      reason ??= error;
    }
  }
  throw reason;
}
const MAX_IDS = 3;

/** What a rule changes itself, it reads again itself. */
const CHANGED: Changing = { what: 'list', attempts: 1, hasChanged: () => Promise.resolve(false) };

const notChecked = (reason: Text): Outcome<Text> => ({ outcome: 'not_checked', reason });
