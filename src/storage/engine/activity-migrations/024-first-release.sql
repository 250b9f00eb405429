-- Needs: 24
-- What happened; SQLite has it in a file of its own beside the database. Nothing in it is a token, an address, a header
-- or a body.

-- The last slice that each thread wrote: one that is sent again counts once.
CREATE TABLE activity_writers (
  writer {ctext} NOT NULL PRIMARY KEY,
  last_slice {bigint} NOT NULL,
  written_at_ms {bigint} NOT NULL
) {keyed};

-- Answers by minute, for two days.
CREATE TABLE traffic_minutes (
  from_ms {bigint} NOT NULL,
  partner_id {ctext} NOT NULL,
  credential_id {ctext} NOT NULL,
  operation {ctext} NOT NULL,
  -- Empty for a success.
  code {ctext} NOT NULL,
  -- Answers by how long they took: under 50 microseconds, then each bucket twice as long as the one before.
  d0 {bigint} NOT NULL,
  d1 {bigint} NOT NULL,
  d2 {bigint} NOT NULL,
  d3 {bigint} NOT NULL,
  d4 {bigint} NOT NULL,
  d5 {bigint} NOT NULL,
  d6 {bigint} NOT NULL,
  d7 {bigint} NOT NULL,
  d8 {bigint} NOT NULL,
  d9 {bigint} NOT NULL,
  d10 {bigint} NOT NULL,
  d11 {bigint} NOT NULL,
  d12 {bigint} NOT NULL,
  d13 {bigint} NOT NULL,
  d14 {bigint} NOT NULL,
  d15 {bigint} NOT NULL,
  PRIMARY KEY (from_ms, partner_id, credential_id, operation, code)
) {keyed};

-- What minutes become: answers by day (UTC).
CREATE TABLE traffic_days (
  from_ms {bigint} NOT NULL,
  partner_id {ctext} NOT NULL,
  credential_id {ctext} NOT NULL,
  operation {ctext} NOT NULL,
  -- Empty for a success.
  code {ctext} NOT NULL,
  -- Answers by how long they took: under 50 microseconds, then each bucket twice as long as the one before.
  d0 {bigint} NOT NULL,
  d1 {bigint} NOT NULL,
  d2 {bigint} NOT NULL,
  d3 {bigint} NOT NULL,
  d4 {bigint} NOT NULL,
  d5 {bigint} NOT NULL,
  d6 {bigint} NOT NULL,
  d7 {bigint} NOT NULL,
  d8 {bigint} NOT NULL,
  d9 {bigint} NOT NULL,
  d10 {bigint} NOT NULL,
  d11 {bigint} NOT NULL,
  d12 {bigint} NOT NULL,
  d13 {bigint} NOT NULL,
  d14 {bigint} NOT NULL,
  d15 {bigint} NOT NULL,
  PRIMARY KEY (from_ms, partner_id, credential_id, operation, code)
) {keyed};

-- Refused requests, quotes, and some of all others.
CREATE TABLE request_log (
  at_ms {bigint} NOT NULL,
  correlation_id {ctext} NOT NULL,
  partner_id {ctext} NOT NULL,
  credential_id {ctext} NOT NULL,
  operation {ctext} NOT NULL,
  status {bigint} NOT NULL,
  -- Null for a success.
  code {ctext},
  duration_us {bigint} NOT NULL,
  city {ctext},
  property_id {ctext},
  -- Days since 1970-01-01.
  check_in {bigint},
  check_out {bigint},
  guests {bigint},
  page {bigint},
  total {bigint},
  quote_id {ctext},
  PRIMARY KEY (at_ms, correlation_id)
) {keyed};
-- What happened to one call.
CREATE INDEX request_log_by_correlation ON request_log (correlation_id);
-- Reports ask for the answers of a partner, or for those with one code, newest first; a success has no code.
CREATE INDEX request_log_by_partner ON request_log (partner_id, at_ms);
CREATE INDEX request_log_by_code ON request_log (code, at_ms) WHERE code IS NOT NULL;

-- Dated searches by what was searched. Days since 1970-01-01, UTC.
CREATE TABLE demand_days (
  day {bigint} NOT NULL,
  city {ctext} NOT NULL,
  country {ctext} NOT NULL,
  arrival_week {ctext} NOT NULL,
  nights {ctext} NOT NULL,
  guests {ctext} NOT NULL,
  partner_id {ctext} NOT NULL,
  searches {bigint} NOT NULL,
  empty {bigint} NOT NULL,
  looks {bigint} NOT NULL,
  PRIMARY KEY (day, city, country, arrival_week, nights, guests, partner_id)
) {keyed};

-- Places that were searched for and do not exist here.
CREATE TABLE unknown_places (
  day {bigint} NOT NULL,
  place {ctext} NOT NULL,
  searches {bigint} NOT NULL,
  PRIMARY KEY (day, place)
) {keyed};

-- Exact stays that were searched and found nothing, and why, as it was last judged.
CREATE TABLE unmet_stays (
  city {ctext} NOT NULL,
  country {ctext} NOT NULL,
  -- Days since 1970-01-01.
  check_in {bigint} NOT NULL,
  nights {bigint} NOT NULL,
  guests {bigint} NOT NULL,
  searches {bigint} NOT NULL,
  -- The last day (UTC) on which it was searched.
  last_day {bigint} NOT NULL,
  -- Null until it is judged.
  judged_at_ms {bigint},
  -- JSON: causes and nearest; null too when its check-in has passed everywhere in the city.
  judgement {ctext},
  PRIMARY KEY (city, country, check_in, nights, guests)
) {keyed};
CREATE INDEX unmet_stays_by_searches ON unmet_stays (searches);

-- Answers of a day (UTC) by operation and code: `traffic_days` added up, once the minutes of the day have become it.
-- Every day up to the last one here is here, so reports read later ones only from `traffic_days`.
CREATE TABLE traffic_sums (
  from_ms {bigint} NOT NULL,
  operation {ctext} NOT NULL,
  -- Empty for a success.
  code {ctext} NOT NULL,
  -- As in `traffic_days`.
  d0 {bigint} NOT NULL,
  d1 {bigint} NOT NULL,
  d2 {bigint} NOT NULL,
  d3 {bigint} NOT NULL,
  d4 {bigint} NOT NULL,
  d5 {bigint} NOT NULL,
  d6 {bigint} NOT NULL,
  d7 {bigint} NOT NULL,
  d8 {bigint} NOT NULL,
  d9 {bigint} NOT NULL,
  d10 {bigint} NOT NULL,
  d11 {bigint} NOT NULL,
  d12 {bigint} NOT NULL,
  d13 {bigint} NOT NULL,
  d14 {bigint} NOT NULL,
  d15 {bigint} NOT NULL,
  PRIMARY KEY (from_ms, operation, code)
) {keyed};
