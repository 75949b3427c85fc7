/** The tables. `rollcall_store.version` is their version. */

/** Created before all other tables. Its only row holds the version and the epoch, and an upgrade locks this row. */
export const STORE = [
  `CREATE TABLE IF NOT EXISTS rollcall_store (
    id int PRIMARY KEY,
    version int NOT NULL,
    epoch uuid NOT NULL -- Another one whenever the version or a fingerprint has changed: servers look again.
  )`,
  `INSERT INTO rollcall_store (id, version, epoch) VALUES (1, 0, $1) ON CONFLICT (id) DO NOTHING`,
] as const;

/**
 * The account comes first in every key of the records, so that the tables can be distributed by it.
 * @param bytewise the collation that sorts by bytes.
 * @returns the statements that create the tables of version 1, followed by those that bring the tables to each further version. Never
 *   edit those of a released version.
 */
export const schemaWith = (bytewise: string): readonly string[] => [
  `
    CREATE TABLE rollcall_accounts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text ${bytewise} NOT NULL UNIQUE
    );
    CREATE TABLE rollcall_keys (
      id text ${bytewise} PRIMARY KEY,
      account bigint NOT NULL REFERENCES rollcall_accounts (id),
      hash bytea NOT NULL UNIQUE,
      label text NOT NULL,
      created_at text ${bytewise} NOT NULL, -- ISO 8601, UTC, with milliseconds, like the others: texts sort like instants.
      expires_at text ${bytewise},
      revoked_at text ${bytewise}
    );
    CREATE INDEX rollcall_keys_account ON rollcall_keys (account);
    CREATE INDEX rollcall_keys_expiry ON rollcall_keys (expires_at)
      WHERE revoked_at IS NULL AND expires_at IS NOT NULL;
    CREATE TABLE rollcall_collections (
      id int PRIMARY KEY,
      name text ${bytewise} NOT NULL UNIQUE,
      fingerprint text -- The hash of the schema that its records were checked against.
    );
    CREATE TABLE rollcall_records (
      account bigint NOT NULL, -- No foreign keys: they would cost each load a fifth. Loads lock what they refer to.
      collection int NOT NULL,
      created_us bigint NOT NULL,
      id uuid NOT NULL,
      filter text ${bytewise}, -- The value of the property that the collection is filtered by.
      json text NOT NULL, -- The very text that is served.
      PRIMARY KEY (account, collection, created_us, id),
      CONSTRAINT rollcall_records_id UNIQUE (account, collection, id)
    );
    CREATE INDEX rollcall_records_filter ON rollcall_records (account, collection, filter, created_us, id)
      WHERE filter IS NOT NULL;
    CREATE TABLE rollcall_last_imports (
      account bigint PRIMARY KEY,
      at text ${bytewise} NOT NULL
    );
    CREATE INDEX rollcall_last_imports_at ON rollcall_last_imports (at);
    `,
];
