-- What became of quotes at their travellers, and the totals per day that stay when quotes are deleted.

CREATE TABLE handoff_visits (
  quote_id TEXT NOT NULL PRIMARY KEY,
  opened_count INTEGER NOT NULL,
  first_opened_at_ms INTEGER,
  outcome TEXT CHECK (outcome IN ('unchanged', 'price_changed', 'unavailable', 'expired')),
  continued_at_ms INTEGER
) STRICT, WITHOUT ROWID;

-- Only of quotes that are deleted; days since 1970-01-01, UTC.
CREATE TABLE attribution_days (
  day INTEGER NOT NULL,
  partner_id TEXT NOT NULL,
  quotes INTEGER NOT NULL,
  opened INTEGER NOT NULL,
  continued INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  price_changed INTEGER NOT NULL,
  unavailable INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  PRIMARY KEY (day, partner_id)
) STRICT, WITHOUT ROWID;

-- The quotes of a day are counted without reading them; it grows at its end.
CREATE INDEX quotes_by_creation ON quotes (created_at_ms, partner_id, quote_id);
