/**
 * The statements that create the tables of version 1, followed by those that bring the tables to each further version, which is in
 * `user_version`. Never edit those of a released version.
 */
export const SCHEMA: readonly string[] = [
  `
    -- The number of a removed account never comes back: servers know accounts by it, for example in their rate limits.
    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE
    ) STRICT;

    -- All times are ISO 8601, UTC, with milliseconds, so that the texts sort like the instants.
    CREATE TABLE keys (
      id TEXT PRIMARY KEY,
      account INTEGER NOT NULL REFERENCES accounts (id),
      hash BLOB NOT NULL UNIQUE,
      label TEXT NOT NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT,
      revoked_at TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX keys_expiry ON keys (expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL;

    CREATE TABLE collections (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      fingerprint TEXT -- The hash of the schema that its records were checked against.
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
    CREATE UNIQUE INDEX records_id ON records (account, collection, id);
    CREATE INDEX records_filter ON records (account, collection, filter, created_us DESC, id DESC)
      WHERE filter IS NOT NULL;

    -- An account without a row was never imported.
    CREATE TABLE last_imports (
      account INTEGER PRIMARY KEY REFERENCES accounts (id),
      at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX last_imports_at ON last_imports (at);
    `,
];
