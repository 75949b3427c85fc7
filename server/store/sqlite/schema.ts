/** The tables, as numbered migrations: `user_version` counts those a file has seen. Never edit one that was released. */
import type { Collection } from '../../contract/collections.ts';

/** The table of each collection. */
export const TABLES = {
  automations: 'automations',
  contactProperties: 'contact_properties',
  contactImports: 'contact_imports',
} as const satisfies Record<Collection, string>;

// Clustered in list order, so that a page is one contiguous read. `json` is the very text that is served.
const collection = (table: string): string => `
  CREATE TABLE ${table} (
    account INTEGER NOT NULL REFERENCES accounts (id),
    created_us INTEGER NOT NULL,
    id TEXT NOT NULL,
    status TEXT,
    json TEXT NOT NULL,
    PRIMARY KEY (account, created_us DESC, id DESC)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX ${table}_id ON ${table} (account, id);`;

const statusIndex = (table: string): string =>
  `CREATE INDEX ${table}_status ON ${table} (account, status, created_us DESC, id DESC);`;

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id),
    hash BLOB NOT NULL UNIQUE,
    label TEXT NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT
  ) STRICT, WITHOUT ROWID;
  ${collection('automations')}
  ${statusIndex('automations')}
  ${collection('contact_properties')}
  ${collection('contact_imports')}
  ${statusIndex('contact_imports')}
  `,
];
