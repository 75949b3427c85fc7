/** Valid records, each with an id of its own. */
import { randomUUID } from 'node:crypto';
import type { Schemas } from '../contract/types.ts';

/** @returns an enabled automation, but for the overrides. */
export function automation(overrides: Partial<Schemas['Automation']> = {}): Schemas['Automation'] {
  return {
    id: randomUUID(),
    name: 'Welcome series',
    status: 'enabled',
    created_at: '2026-04-16 13:49:40.678912+00',
    updated_at: '2026-05-02 08:11:05.004+00',
    ...overrides,
  };
}

/** @returns a property of type string with a fallback, but for the overrides. */
export function contactProperty(overrides: Partial<Schemas['ContactProperty']> = {}): Schemas['ContactProperty'] {
  return {
    id: randomUUID(),
    key: 'first_name',
    type: 'string',
    fallback_value: 'friend',
    created_at: '2026-02-03 09:30:00+00',
    ...overrides,
  };
}

/** @returns a completed import whose counts add up, but for the overrides. */
export function contactImport(overrides: Partial<Schemas['ContactImport']> = {}): Schemas['ContactImport'] {
  return {
    object: 'contact_import',
    id: randomUUID(),
    status: 'completed',
    created_at: '2026-04-16 13:49:40.678+00',
    completed_at: '2026-04-16 13:52:08.004512+00',
    counts: { total: 1200, created: 1100, updated: 80, skipped: 15, failed: 5 },
    ...overrides,
  };
}
