-- Who is signed in to the console, and who changed what.

-- A link signs in once: the row goes when it is used.
CREATE TABLE console_links (
  -- SHA-256 of what the link carries, hex.
  link_hash text COLLATE "C" NOT NULL PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  expires_at_ms bigint NOT NULL
);

-- A row ends with its session.
CREATE TABLE console_sessions (
  session_id text COLLATE "C" NOT NULL PRIMARY KEY,
  -- SHA-256 of the cookie's value, hex.
  token_hash text COLLATE "C" NOT NULL UNIQUE,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  last_seen_at_ms bigint NOT NULL
);

-- Who changed what. No token, secret or address is in it.
CREATE TABLE audit_log (
  -- Ids are in the order of time; one act may change several things.
  entry_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  at_ms bigint NOT NULL,
  person text COLLATE "C" NOT NULL,
  -- Null for the command line.
  role text COLLATE "C",
  act text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  -- JSON; null where there was, or is, nothing to name.
  before text,
  after text,
  PRIMARY KEY (entry_id, position)
);
