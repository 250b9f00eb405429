-- The catalogue, who may use it, and the quotes that were given.
-- Instants are Unix milliseconds. Lists are JSON text. Ids compare byte by byte (COLLATE "C"), whatever the database's
-- own order of text is. Documents are text, not jsonb: that would reject an escaped NUL and forget the order of keys.

-- One row: the revision of the newest change that a follower has to see. Its row lock orders all writers; much room
-- in the page lets each update stay in it.
CREATE TABLE revision (
  only_row smallint PRIMARY KEY CHECK (only_row = 1),
  revision bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO revision (only_row, revision) VALUES (1, 0);

-- A withdrawn property keeps its row as a tombstone, without content.
CREATE TABLE properties (
  property_id text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL,
  source text COLLATE "C" NOT NULL,
  withdrawn smallint NOT NULL CHECK (withdrawn IN (0, 1)),
  changed_at_ms bigint NOT NULL,
  content_hash text COLLATE "C",
  lowest_rates bytea,
  document text COLLATE "C",
  CHECK ((document IS NULL) = (withdrawn = 1)),
  CHECK ((content_hash IS NULL) = (withdrawn = 1)),
  CHECK ((lowest_rates IS NULL) = (withdrawn = 1))
);
CREATE INDEX properties_by_change ON properties (revision, property_id);
CREATE INDEX properties_by_source ON properties (source, property_id) WHERE withdrawn = 0;

CREATE TABLE inventory_types (
  property_id text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  inventory_type_id text COLLATE "C" NOT NULL,
  nights bytea NOT NULL,
  rates bytea NOT NULL,
  PRIMARY KEY (property_id, position)
);

CREATE TABLE partners (
  partner_id text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL,
  name text NOT NULL,
  origins text NOT NULL,
  disabled smallint NOT NULL CHECK (disabled IN (0, 1)),
  created_at_ms bigint NOT NULL
);

CREATE TABLE credentials (
  credential_id text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL UNIQUE,
  scopes text NOT NULL,
  quota bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint,
  revoked_at_ms bigint
);

CREATE TABLE handoff_keys (
  key_id text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL,
  secret text NOT NULL,
  created_at_ms bigint NOT NULL
);

CREATE TABLE operator_tokens (
  operator_token_id text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL,
  name text NOT NULL,
  token_hash text COLLATE "C" NOT NULL UNIQUE,
  created_at_ms bigint NOT NULL
);

CREATE TABLE quotes (
  quote_id text COLLATE "C" PRIMARY KEY,
  property_id text NOT NULL,
  partner_id text NOT NULL,
  credential_id text NOT NULL,
  inventory_type_id text NOT NULL,
  locale text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  answer text NOT NULL,
  breakdown text NOT NULL
);
