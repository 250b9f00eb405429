-- Passkeys of people who use the console.

CREATE TABLE passkeys (
  passkey_id text COLLATE "C" NOT NULL PRIMARY KEY,
  -- The authenticator's id of it, base64url.
  credential_id text COLLATE "C" NOT NULL UNIQUE,
  -- COSE, base64url.
  public_key text COLLATE "C" NOT NULL,
  -- As the authenticator last said; 0 where it does not count.
  sign_count bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  -- Null: not used yet.
  last_used_at_ms bigint
);

-- Challenges that were answered rightly, until they expire: none is answered twice.
CREATE TABLE passkey_challenges (
  -- SHA-256, hex.
  challenge_hash text COLLATE "C" NOT NULL PRIMARY KEY,
  expires_at_ms bigint NOT NULL
);

-- One row: the key that seals challenges, the same for all processes.
CREATE TABLE passkey_seal (
  seal_id text COLLATE "C" NOT NULL PRIMARY KEY,
  seal_key text COLLATE "C" NOT NULL
);

-- The passkey that opened the session; null: a link did.
ALTER TABLE console_sessions ADD COLUMN passkey_id text COLLATE "C";
-- The last renewal of its sign-in, and the passkey of it.
ALTER TABLE console_sessions ADD COLUMN renewed_at_ms bigint;
ALTER TABLE console_sessions ADD COLUMN renewed_by text COLLATE "C";
