/**
 * The tables, as numbered migrations. `user_version` is the number of migrations applied. Never edit a released one.
 */
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

  CREATE TABLE automations (
    account INTEGER NOT NULL REFERENCES accounts (id),
    created_us INTEGER NOT NULL,
    id TEXT NOT NULL,
    status TEXT,
    json TEXT NOT NULL,
    PRIMARY KEY (account, created_us DESC, id DESC)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX automations_id ON automations (account, id);
  CREATE INDEX automations_status ON automations (account, status, created_us DESC, id DESC);

  CREATE TABLE contact_properties (
    account INTEGER NOT NULL REFERENCES accounts (id),
    created_us INTEGER NOT NULL,
    id TEXT NOT NULL,
    status TEXT,
    json TEXT NOT NULL,
    PRIMARY KEY (account, created_us DESC, id DESC)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX contact_properties_id ON contact_properties (account, id);

  CREATE TABLE contact_imports (
    account INTEGER NOT NULL REFERENCES accounts (id),
    created_us INTEGER NOT NULL,
    id TEXT NOT NULL,
    status TEXT,
    json TEXT NOT NULL,
    PRIMARY KEY (account, created_us DESC, id DESC)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX contact_imports_id ON contact_imports (account, id);
  CREATE INDEX contact_imports_status ON contact_imports (account, status, created_us DESC, id DESC);
  `,

  // One table for all collections. `fingerprint` is the hash of the schema that the records of a collection were
  // checked against. It is unknown for records from the old tables.
  `
  CREATE TABLE collections (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    fingerprint TEXT
  ) STRICT;
  CREATE TABLE records (
    account INTEGER NOT NULL REFERENCES accounts (id),
    collection INTEGER NOT NULL REFERENCES collections (id),
    created_us INTEGER NOT NULL,
    id BLOB NOT NULL, -- The 16 bytes of the UUID: they sort like its text, and take half the room.
    filter TEXT, -- The value of the property that the collection is filtered by.
    json TEXT NOT NULL, -- The very text that is served.
    -- Clustered in list order, so that a page is one contiguous read.
    PRIMARY KEY (account, collection, created_us DESC, id DESC)
  ) STRICT, WITHOUT ROWID;

  INSERT INTO collections (id, name) VALUES (1, 'automations'), (2, 'contactProperties'), (3, 'contactImports');
  INSERT INTO records SELECT account, 1, created_us, unhex(id, '-'), status, json FROM automations;
  INSERT INTO records SELECT account, 2, created_us, unhex(id, '-'), NULL, json FROM contact_properties;
  INSERT INTO records SELECT account, 3, created_us, unhex(id, '-'), status, json FROM contact_imports;
  CREATE UNIQUE INDEX records_id ON records (account, collection, id);
  CREATE INDEX records_filter ON records (account, collection, filter, created_us DESC, id DESC)
    WHERE filter IS NOT NULL;
  DROP TABLE automations;
  DROP TABLE contact_properties;
  DROP TABLE contact_imports;
  `,

  // `expires_at` is ISO 8601, UTC, with milliseconds, so that the texts sort like the instants.
  `
  ALTER TABLE keys ADD COLUMN expires_at TEXT;
  CREATE INDEX keys_expiry ON keys (expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL;
  `,

  // A record's checksum follows its text in the same column, because a page of two columns takes twice as long to read.
  // The connection that migrates provides the function.
  `
  ALTER TABLE records RENAME COLUMN json TO stored;
  UPDATE records SET stored = with_checksum(account, collection, stored);
  `,

  // `at` is ISO 8601, UTC, with milliseconds. An account without a row was last imported by an older version, or never.
  `
  CREATE TABLE last_imports (
    account INTEGER PRIMARY KEY REFERENCES accounts (id),
    at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX last_imports_at ON last_imports (at);
  `,

  // The number of a removed account never comes back: servers know accounts by it, for example in their rate limits. The
  // foreign keys are checked again when the transaction commits.
  `
  PRAGMA defer_foreign_keys = ON;
  CREATE TEMP TABLE numbered AS SELECT id, name FROM accounts;
  DROP TABLE accounts;
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  INSERT INTO accounts SELECT id, name FROM numbered;
  DROP TABLE numbered;
  `,
];
