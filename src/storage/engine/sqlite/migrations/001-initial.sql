-- The catalogue, who may use it, and the quotes that were given.
-- Instants are Unix milliseconds. Lists are JSON text. Text compares byte by byte (BINARY), as ids are ordered.

-- One row: the revision of the newest change that a follower has to see.
CREATE TABLE revision (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  revision INTEGER NOT NULL
) STRICT;
INSERT INTO revision (only_row, revision) VALUES (1, 0);

-- Rowid tables: rows of some KB would leave the leaves of a WITHOUT ROWID tree for overflow pages.
-- A withdrawn property keeps its row as a tombstone, without content.
CREATE TABLE properties (
  property_id TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL,
  source TEXT NOT NULL,
  withdrawn INTEGER NOT NULL CHECK (withdrawn IN (0, 1)),
  changed_at_ms INTEGER NOT NULL,
  content_hash TEXT,
  lowest_rates BLOB,
  document TEXT,
  CHECK ((document IS NULL) = (withdrawn = 1)),
  CHECK ((content_hash IS NULL) = (withdrawn = 1)),
  CHECK ((lowest_rates IS NULL) = (withdrawn = 1))
) STRICT;
CREATE INDEX properties_by_change ON properties (revision, property_id);
CREATE INDEX properties_by_source ON properties (source, property_id) WHERE withdrawn = 0;

-- nights stand before rates: reading the first never touches the pages of the second.
CREATE TABLE inventory_types (
  property_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  inventory_type_id TEXT NOT NULL,
  nights BLOB NOT NULL,
  rates BLOB NOT NULL,
  PRIMARY KEY (property_id, position)
) STRICT;

CREATE TABLE partners (
  partner_id TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  origins TEXT NOT NULL,
  disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE credentials (
  credential_id TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL,
  partner_id TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  quota INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  revoked_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE handoff_keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL,
  secret TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_tokens (
  operator_token_id TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Appended by rowid; only the small index of random ids is touched at random.
CREATE TABLE quotes (
  quote_id TEXT NOT NULL PRIMARY KEY,
  property_id TEXT NOT NULL,
  partner_id TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  inventory_type_id TEXT NOT NULL,
  locale TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  answer TEXT NOT NULL,
  breakdown TEXT NOT NULL
) STRICT;
