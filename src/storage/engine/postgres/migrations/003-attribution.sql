-- What became of quotes at their travellers, and the totals per day that stay when quotes are deleted.

CREATE TABLE handoff_visits (
  quote_id text COLLATE "C" PRIMARY KEY,
  opened_count bigint NOT NULL,
  first_opened_at_ms bigint,
  outcome text CHECK (outcome IN ('unchanged', 'price_changed', 'unavailable', 'expired')),
  continued_at_ms bigint
);

-- Only of quotes that are deleted; days since 1970-01-01, UTC.
CREATE TABLE attribution_days (
  day bigint NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  quotes bigint NOT NULL,
  opened bigint NOT NULL,
  continued bigint NOT NULL,
  unchanged bigint NOT NULL,
  price_changed bigint NOT NULL,
  unavailable bigint NOT NULL,
  expired bigint NOT NULL,
  PRIMARY KEY (day, partner_id)
);

-- The quotes of a day are counted without reading them; it grows at its end.
CREATE INDEX quotes_by_creation ON quotes (created_at_ms, partner_id, quote_id);
