-- A store as version 1 made it, with records of each collection in two accounts, two of them of one instant.
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

INSERT INTO accounts VALUES (1, 'acme'), (2, 'other');
-- The hash of rollcall_ and 40 zeros.
INSERT INTO keys VALUES ('83e7cf73', 1, x'1095147d904cbca80aafa387a2697123fab402654e1c911f3b415dbed608914a', 'nightly job', '2026-11-21T10:05:45.363Z', NULL);

INSERT INTO automations VALUES (1, 1794933613319000, '4e6bfa81-0dbf-4f6b-ae37-211071cced1d', 'enabled',
  '{"id":"4e6bfa81-0dbf-4f6b-ae37-211071cced1d","name":"Abandoned cart","status":"enabled","created_at":"2026-11-17 16:40:13.319+00","updated_at":"2026-11-17 20:59:38.690+00"}');
INSERT INTO automations VALUES (1, 1794933613319000, '8b95d57b-cbb3-48f1-b60a-0f3ef3a80cd0', 'disabled',
  '{"id":"8b95d57b-cbb3-48f1-b60a-0f3ef3a80cd0","name":"Review request","status":"disabled","created_at":"2026-11-17 16:40:13.319+00","updated_at":"2026-11-17 23:36:24.873+00"}');
INSERT INTO automations VALUES (2, 1794933613319000, '8b95d57b-cbb3-48f1-b60a-0f3ef3a80cd0', 'enabled',
  '{"id":"8b95d57b-cbb3-48f1-b60a-0f3ef3a80cd0","name":"Theirs","status":"enabled","created_at":"2026-11-17 16:40:13.319+00","updated_at":"2026-11-17 23:36:24.873+00"}');
INSERT INTO contact_properties VALUES (1, 1746704556237759, '7de3cb13-fca0-4de6-ab6d-01bf4f5e3118', NULL,
  '{"id":"7de3cb13-fca0-4de6-ab6d-01bf4f5e3118","key":"crm_id","type":"string","fallback_value":null,"created_at":"2025-05-08 11:42:36.237759+00"}');
INSERT INTO contact_imports VALUES (1, 1794989167496922, '5f441594-d788-4eb9-bd7d-b33f8b93e28b', 'queued',
  '{"object":"contact_import","id":"5f441594-d788-4eb9-bd7d-b33f8b93e28b","status":"queued","created_at":"2026-11-18 08:06:07.496922+00","completed_at":null,"counts":{"total":0,"created":0,"updated":0,"skipped":0,"failed":0}}');
INSERT INTO contact_imports VALUES (1, 1794992332483000, '53d84f3e-1165-4f37-bd43-b44b273b70ae', 'completed',
  '{"object":"contact_import","id":"53d84f3e-1165-4f37-bd43-b44b273b70ae","status":"completed","created_at":"2026-11-18 08:58:52.483+00","completed_at":"2026-11-18 09:01:20.004512+00","counts":{"total":1,"created":1,"updated":0,"skipped":0,"failed":0}}');

PRAGMA application_id = 0x526f6c6c;
PRAGMA user_version = 1;
