-- Operator tokens get rights, a source, an expiry and a revocation; handoff keys can be retired; quotes can be deleted
-- by age; work that only one process of all may do can be claimed.

-- The default grants nothing. Tokens that exist keep every right that there was.
ALTER TABLE operator_tokens
  ADD COLUMN scopes text NOT NULL DEFAULT '[]',
  ADD COLUMN source text COLLATE "C",
  ADD COLUMN expires_at_ms bigint,
  ADD COLUMN revoked_at_ms bigint;
UPDATE operator_tokens SET scopes = '["handoff:resolve","supply:read","supply:write"]';

ALTER TABLE handoff_keys ADD COLUMN retired_at_ms bigint;

-- Quotes expire nearly in the order in which they are stored: the index grows at its end.
CREATE INDEX quotes_by_expiry ON quotes (expires_at_ms);

CREATE TABLE task_claims (
  task text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  until_ms bigint NOT NULL
);
