/** The profiles that ship as examples: each audits a list of its API's shape without a failure, and is what an inference finds there. */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { RULES, audit } from '../../../audit/lists/audit.ts';
import { MAX_REQUESTS } from '../../../audit/lists/infer/next.ts';
import { parseProfile } from '../../../audit/lists/profile.ts';
import type { Given, Profile } from '../../../audit/lists/profile.ts';
import { namesIn } from '../../../audit/lists/saved-profile.ts';
import { afterTest } from '../../support/after-test.ts';
import { serve } from './shapes/server.ts';
import { SHAPES } from './shapes/shapes.ts';

const FOLDER = new URL('../../../audit/profiles/', import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(`${name}.yaml`, FOLDER), 'utf8');
const profiles = readdirSync(FOLDER).map((it) => it.replace('.yaml', ''));
const own = profiles.filter((it) => !it.startsWith('rollcall-')); // Those are generated from the contract.

test('each profile has few lines, the first of which is a comment', () => {
  for (const name of profiles) {
    const lines = textOf(name).trimEnd().split('\n');
    expect([name, !own.includes(name) || lines.length <= 24, lines[0]?.startsWith('# ')]).toEqual([name, true, true]);
  }
});

/** What an inference does not find: it finds another way that is as good, or nothing. */
const DIFFERS: Readonly<Record<string, Partial<Record<keyof Profile, unknown>>>> = {
  asana: { next: { url: 'next_page.uri' } },
  box: { next: { token: 'marker', from: 'next_marker' } }, // '' is an end in any case, here and below.
  cloudflare: { error: undefined },
  hubspot: { next: { url: 'paging.next.link' } },
  kubernetes: { next: { token: 'continue', from: 'metadata.continue' } },
  openai: { previous: { id: 'before' } }, // What `has_more` of a backward page says is not looked for.
  slack: { next: { token: 'cursor', from: 'response_metadata.next_cursor' }, error: undefined },
  stripe: { previous: { id: 'ending_before' } },
};
const COUNT = 24;

describe.each(own)('%s', (name) => {
  const shape = SHAPES.find((it) => it.name === (name === 'gitlab' ? 'gitlab-keyset' : name))?.shape;
  if (shape === undefined) throw new Error(`no shape ${name}`);
  const env = Object.fromEntries(namesIn(textOf(name)).map((it) => [it, `value-of-${it}`]));
  const { items, id, size, next, previous, error } = parseProfile(textOf(name), env);
  const declared = definedOf({ items, id, size, next, previous, error });
  /** @returns the list of the shape, whose every request needs its headers. */
  const given = async (): Promise<Given> => {
    const list = await serve(shape, { count: COUNT });
    afterTest(() => list[Symbol.asyncDispose]());
    return { url: list.url, headers: shape.headers ?? {} };
  };

  test('its profile audits a list of its shape, and nothing fails', async () => {
    const profile = { ...(await given()), ...declared };
    const run = audit({ profile });
    const results = [];
    for await (const it of run) results.push(it);
    expect(results.filter((it) => it.outcome === 'failed')).toEqual([]);
    expect(results).toHaveLength(RULES.filter((it) => it.on?.isDeclaredIn(profile, {}) ?? true).length);
    expect(run.length).toEqual({ items: COUNT, isWhole: true, known: COUNT });
    const passed = results.filter((it) => it.outcome === 'passed').map((it) => it.rule);
    expect(passed).toEqual(
      expect.arrayContaining(['page.error', 'end.never', 'items.repeated', 'items.missing', 'order.unstable']),
    );
  });

  test('an inference finds the profile', async () => {
    let found: Profile | undefined;
    let sent = 0;
    const run = audit({
      profile: await given(),
      only: ['link.origin'],
      inferred: ({ profile, list }) => {
        found = profile;
        ({ sent } = list.session);
      },
    });
    for await (const { outcome } of run) expect(outcome).not.toBe('failed');
    expect(found).toMatchObject(definedOf({ ...declared, size: { param: size?.param }, ...DIFFERS[name] }));
    expect(sent).toBeLessThanOrEqual(MAX_REQUESTS);
  });
});

function definedOf(all: Partial<Record<keyof Profile, unknown>>): Partial<Profile> {
  return Object.fromEntries(Object.entries(all).filter(([, it]) => it !== undefined)); // Of a profile.
}
