-- Reports ask for the answers of a partner, or for those with one code, newest first; a success has no code.
CREATE INDEX request_log_by_partner ON request_log (partner_id, at_ms);
CREATE INDEX request_log_by_code ON request_log (code, at_ms) WHERE code IS NOT NULL;

-- Answers of a day (UTC) by operation and code: `traffic_days` added up, once the minutes of the day have become it.
-- Every day up to the last one here is here, so reports read later ones only from `traffic_days`.
CREATE TABLE traffic_sums (
  from_ms INTEGER NOT NULL,
  operation TEXT NOT NULL,
  -- Empty for a success.
  code TEXT NOT NULL,
  -- As in `traffic_days`.
  d0 INTEGER NOT NULL,
  d1 INTEGER NOT NULL,
  d2 INTEGER NOT NULL,
  d3 INTEGER NOT NULL,
  d4 INTEGER NOT NULL,
  d5 INTEGER NOT NULL,
  d6 INTEGER NOT NULL,
  d7 INTEGER NOT NULL,
  d8 INTEGER NOT NULL,
  d9 INTEGER NOT NULL,
  d10 INTEGER NOT NULL,
  d11 INTEGER NOT NULL,
  d12 INTEGER NOT NULL,
  d13 INTEGER NOT NULL,
  d14 INTEGER NOT NULL,
  d15 INTEGER NOT NULL,
  PRIMARY KEY (from_ms, operation, code)
) STRICT, WITHOUT ROWID;
