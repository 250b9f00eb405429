-- Reports ask for the answers of a partner, or for those with one code, newest first; a success has no code.
CREATE INDEX request_log_by_partner ON request_log (partner_id, at_ms);
CREATE INDEX request_log_by_code ON request_log (code, at_ms) WHERE code IS NOT NULL;

-- Answers of a day (UTC) by operation and code: `traffic_days` added up, once the minutes of the day have become it.
-- Every day up to the last one here is here, so reports read later ones only from `traffic_days`.
CREATE TABLE traffic_sums (
  from_ms bigint NOT NULL,
  operation text COLLATE "C" NOT NULL,
  -- Empty for a success.
  code text COLLATE "C" NOT NULL,
  -- As in `traffic_days`.
  d0 bigint NOT NULL,
  d1 bigint NOT NULL,
  d2 bigint NOT NULL,
  d3 bigint NOT NULL,
  d4 bigint NOT NULL,
  d5 bigint NOT NULL,
  d6 bigint NOT NULL,
  d7 bigint NOT NULL,
  d8 bigint NOT NULL,
  d9 bigint NOT NULL,
  d10 bigint NOT NULL,
  d11 bigint NOT NULL,
  d12 bigint NOT NULL,
  d13 bigint NOT NULL,
  d14 bigint NOT NULL,
  d15 bigint NOT NULL,
  PRIMARY KEY (from_ms, operation, code)
);
