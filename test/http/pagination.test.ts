/** Pages against a plain sorted model: any records, limits and filters, while records come, change and go. */
import { expect, test } from '@jest/globals';
import fc from '../support/fast-check.ts';
import request from 'supertest';
import type { Schemas } from '../../contract/types.ts';
import { openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { ENGINE } from '../support/engine.ts';

type Automation = Schemas['Automation'];
/** A record with its instant, known from how it was made, not from how the server reads it. */
interface Made {
  readonly record: Automation;
  readonly us: bigint;
}

const pad = (value: bigint | number, length: number): string => String(value).padStart(length, '0');

/** Writes an instant with a number of fractional digits and an offset; digits that do not fit are not cut off. */
function write(us: bigint, digits: number, offset: number, style: 'short' | 'long'): string {
  const local = us + BigInt(offset) * 60_000_000n;
  const fraction = pad(((local % 1_000_000n) + 1_000_000n) % 1_000_000n, 6);
  const needed = fraction.replace(/0+$/, '').length;
  const shown = fraction.slice(0, Math.max(digits, needed));
  const seconds = new Date(Number((local - BigInt(fraction)) / 1000n)).toISOString().slice(0, 19).replace('T', ' ');
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const tail = style === 'short' && minutes === 0 ? '' : `:${pad(minutes, 2)}`;
  return `${seconds}${shown === '' ? '' : `.${shown}`}${offset < 0 ? '-' : '+'}${pad(hours, 2)}${tail}`;
}

// Few instants, so that ties are common: within a microsecond, a second, before 1970, and beyond 2^53 microseconds.
const instant = fc.constantFrom(
  0n,
  1n,
  -1n,
  1_776_347_380_678_000n,
  1_776_347_380_678_001n,
  1_776_347_380_000_000n,
  1_776_347_381_000_000n,
  -86_400_000_000n,
  10_413_792_000_000_001n,
  10_413_792_000_000_002n,
);
const id = fc.uuid({ version: [1, 4, 7] });
const made: fc.Arbitrary<Made> = fc
  .record({
    id,
    us: instant,
    digits: fc.nat(6),
    offset: fc.constantFrom(0, 60, -210, 330, 840),
    style: fc.constantFrom('short', 'long'),
    isEnabled: fc.boolean(),
  })
  .map(({ id, us, digits, offset, style, isEnabled }) => ({
    us,
    record: {
      id,
      name: 'n',
      status: isEnabled ? 'enabled' : 'disabled',
      created_at: write(us, digits, offset, style),
      updated_at: '2026-01-01 00:00:00+00',
    },
  }));
const collection = fc.uniqueArray(made, { maxLength: 30, selector: ({ record }) => record.id });
// To PostgreSQL every step is a round trip.
const runs = (numRuns: number): { numRuns: number } => ({ numRuns: ENGINE === 'postgres' ? numRuns / 5 : numRuns });
const status = fc.constantFrom(undefined, 'enabled', 'disabled');
const limit = fc.integer({ min: 1, max: 12 });

/** Newest first, ties by id descending. */
const compare = (a: Made, b: Made): number =>
  a.us === b.us ? (a.record.id < b.record.id ? 1 : -1) : a.us < b.us ? 1 : -1;
const sorted = (all: Iterable<Made>): Made[] => [...all].sort(compare);

interface Asked {
  readonly limit: number;
  readonly status?: string | undefined;
  readonly after?: string;
  readonly before?: string;
}
type Page = Schemas['AutomationList'];

/** What the list is by the rules, straight from a sorted array; `undefined` for a cursor that is not in it. */
function modelPage(all: Iterable<Made>, { limit, status, after, before }: Asked): Page | undefined {
  const list = sorted(all);
  const at = list.findIndex(({ record }) => record.id === (after ?? before));
  if ((after ?? before) !== undefined && at === -1) return undefined;
  const side = before === undefined ? list.slice(at + 1) : list.slice(0, at);
  const matching = side.map(({ record }) => record).filter((it) => status === undefined || it.status === status);
  const data = before === undefined ? matching.slice(0, limit) : matching.slice(-limit);
  return { object: 'list', has_more: matching.length > limit, data };
}

async function ask(t: TestApp, asked: Asked, key = t.key): Promise<{ status: number; page: Page }> {
  const query = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${String(value)}`],
  );
  const response = await request(t.app)
    .get(`/automations?${query.join('&')}`)
    .set('authorization', `Bearer ${key}`);
  return { status: response.status, page: response.body as Page };
}

const ids = ({ data }: Pick<Page, 'data'>): string[] => data.map((it) => it.id);
const records = (all: Iterable<Made>): { automations: Automation[] } => ({
  automations: [...all].map((it) => it.record),
});

type Change =
  | { readonly kind: 'put'; readonly made: Made }
  | { readonly kind: 'restatus'; readonly pick: number }
  | { readonly kind: 'remove'; readonly pick: number };
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), made }),
  fc.record({ kind: fc.constant('restatus' as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }),
);

test.each(['after', 'before'] as const)(
  'a list that changes between pages: a traversal with `%s` returns each item that stays exactly once',
  async (direction) => {
    const t = await openTestApp();
    await fc.assert(
      fc.asyncProperty(
        collection,
        limit,
        status,
        fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 30 }),
        async (own, limit, status, rounds) => {
          await t.put(records(own), { replace: true });
          const now = new Map(own.map((it) => [it.record.id, it]));
          const touched = new Set<string>();
          const apply = async (step: Change): Promise<void> => {
            const picked = step.kind === 'put' ? undefined : [...now.values()][step.pick % Math.max(now.size, 1)];
            const next = step.kind === 'put' ? step.made : picked;
            if (next === undefined) return;
            touched.add(next.record.id);
            if (step.kind === 'remove') {
              now.delete(next.record.id);
              await t.put(records(now.values()), { replace: true });
              return;
            }
            const status = next.record.status === 'enabled' ? 'disabled' : 'enabled';
            const made = step.kind === 'put' ? next : { ...next, record: { ...next.record, status } as const };
            now.set(made.record.id, made);
            await t.put(records([made]));
          };

          // `before` goes up from the oldest item, which is given; `after` down from the head of the list.
          const start = direction === 'before' ? sorted(own).at(-1)?.record : undefined;
          if (direction === 'before' && start === undefined) return;
          const seen: string[] = start === undefined ? [] : [start.id];
          for (let round = 0; ; round += 1) {
            const cursor = seen.at(-1);
            const asked: Asked = {
              limit,
              status,
              ...(cursor === undefined ? {} : direction === 'after' ? { after: cursor } : { before: cursor }),
            };
            const { status: responded, page } = await ask(t, asked);
            const expected = modelPage(now.values(), asked);
            if (expected === undefined) {
              // The item at the cursor is gone: go on from its neighbour, as the contract says.
              expect(responded).toBe(404);
              seen.pop();
              if (seen.length === 0) break;
              continue;
            }
            expect(page).toEqual(expected);
            seen.push(...(direction === 'after' ? ids(page) : ids(page).reverse()));
            if (!page.has_more) break;
            for (const step of rounds[round] ?? []) await apply(step);
          }

          const stayed = sorted(own)
            .map((it) => it.record)
            .filter((it) => !touched.has(it.id) && (status === undefined || it.status === status || it === start))
            .map((it) => it.id);
          const seenOfThose = seen.filter((it) => stayed.includes(it));
          const isCut = seen.length === 0 && own.length > 0;
          if (!isCut) expect(seenOfThose).toEqual(direction === 'after' ? stayed : stayed.reverse());
        },
      ),
      runs(100),
    );
  },
);
