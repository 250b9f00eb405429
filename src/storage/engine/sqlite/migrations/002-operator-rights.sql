-- Operator tokens get rights, a source, an expiry and a revocation; handoff keys can be retired; quotes can be deleted
-- by age; work that only one process of all may do can be claimed.

-- The default grants nothing. Tokens that exist keep every right that there was.
ALTER TABLE operator_tokens ADD COLUMN scopes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE operator_tokens ADD COLUMN source TEXT;
ALTER TABLE operator_tokens ADD COLUMN expires_at_ms INTEGER;
ALTER TABLE operator_tokens ADD COLUMN revoked_at_ms INTEGER;
UPDATE operator_tokens SET scopes = '["handoff:resolve","supply:read","supply:write"]';

ALTER TABLE handoff_keys ADD COLUMN retired_at_ms INTEGER;

-- Quotes expire nearly in the order in which they are stored: the index grows at its end.
CREATE INDEX quotes_by_expiry ON quotes (expires_at_ms);

CREATE TABLE task_claims (
  task TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
