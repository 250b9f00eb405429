-- Who is signed in to the console, and who changed what.

-- A link signs in once: the row goes when it is used.
CREATE TABLE console_links (
  -- SHA-256 of what the link carries, hex.
  link_hash TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A row ends with its session.
CREATE TABLE console_sessions (
  session_id TEXT NOT NULL PRIMARY KEY,
  -- SHA-256 of the cookie's value, hex.
  token_hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who changed what. No token, secret or address is in it.
CREATE TABLE audit_log (
  -- Ids are in the order of time; one act may change several things.
  entry_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  person TEXT NOT NULL,
  -- Null for the command line.
  role TEXT,
  act TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- JSON; null where there was, or is, nothing to name.
  before TEXT,
  after TEXT,
  PRIMARY KEY (entry_id, position)
) STRICT, WITHOUT ROWID;
