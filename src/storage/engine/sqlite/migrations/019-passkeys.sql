-- Passkeys of people who use the console.

CREATE TABLE passkeys (
  passkey_id TEXT NOT NULL PRIMARY KEY,
  -- The authenticator's id of it, base64url.
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE, base64url.
  public_key TEXT NOT NULL,
  -- As the authenticator last said; 0 where it does not count.
  sign_count INTEGER NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  -- Null: not used yet.
  last_used_at_ms INTEGER
) STRICT, WITHOUT ROWID;

-- Challenges that were answered rightly, until they expire: none is answered twice.
CREATE TABLE passkey_challenges (
  -- SHA-256, hex.
  challenge_hash TEXT NOT NULL PRIMARY KEY,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: the key that seals challenges, the same for all processes.
CREATE TABLE passkey_seal (
  seal_id TEXT NOT NULL PRIMARY KEY,
  seal_key TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The passkey that opened the session; null: a link did.
ALTER TABLE console_sessions ADD COLUMN passkey_id TEXT;
-- The last renewal of its sign-in, and the passkey of it.
ALTER TABLE console_sessions ADD COLUMN renewed_at_ms INTEGER;
ALTER TABLE console_sessions ADD COLUMN renewed_by TEXT;
