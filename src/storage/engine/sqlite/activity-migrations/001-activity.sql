-- What happened, in a file of its own beside the database. Nothing in it is a token, an address, a header or a body.

-- The last slice that each thread wrote: one that is sent again counts once.
CREATE TABLE activity_writers (
  writer TEXT NOT NULL PRIMARY KEY,
  last_slice INTEGER NOT NULL,
  written_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Answers by minute, for two days.
CREATE TABLE traffic_minutes (
  from_ms INTEGER NOT NULL,
  partner_id TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  -- Empty for a success.
  code TEXT NOT NULL,
  -- Answers by how long they took: under 50 microseconds, then each bucket twice as long as the one before.
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
  PRIMARY KEY (from_ms, partner_id, credential_id, operation, code)
) STRICT, WITHOUT ROWID;

-- What minutes become: answers by day (UTC).
CREATE TABLE traffic_days (
  from_ms INTEGER NOT NULL,
  partner_id TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  -- Empty for a success.
  code TEXT NOT NULL,
  -- Answers by how long they took: under 50 microseconds, then each bucket twice as long as the one before.
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
  PRIMARY KEY (from_ms, partner_id, credential_id, operation, code)
) STRICT, WITHOUT ROWID;

-- Refused requests, quotes, and some of all others.
CREATE TABLE request_log (
  at_ms INTEGER NOT NULL,
  correlation_id TEXT NOT NULL,
  partner_id TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  status INTEGER NOT NULL,
  -- Null for a success.
  code TEXT,
  duration_us INTEGER NOT NULL,
  city TEXT,
  property_id TEXT,
  -- Days since 1970-01-01.
  check_in INTEGER,
  check_out INTEGER,
  guests INTEGER,
  page INTEGER,
  total INTEGER,
  quote_id TEXT,
  PRIMARY KEY (at_ms, correlation_id)
) STRICT, WITHOUT ROWID;

-- Dated searches by what was searched. Days since 1970-01-01, UTC.
CREATE TABLE demand_days (
  day INTEGER NOT NULL,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  arrival_week TEXT NOT NULL,
  nights TEXT NOT NULL,
  guests TEXT NOT NULL,
  partner_id TEXT NOT NULL,
  searches INTEGER NOT NULL,
  empty INTEGER NOT NULL,
  looks INTEGER NOT NULL,
  PRIMARY KEY (day, city, country, arrival_week, nights, guests, partner_id)
) STRICT, WITHOUT ROWID;

-- Places that were searched for and do not exist here.
CREATE TABLE unknown_places (
  day INTEGER NOT NULL,
  place TEXT NOT NULL,
  searches INTEGER NOT NULL,
  PRIMARY KEY (day, place)
) STRICT, WITHOUT ROWID;
