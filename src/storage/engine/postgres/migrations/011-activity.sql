-- What happened. Nothing in it is a token, an address, a header or a body.

-- The last slice that each thread wrote: one that is sent again counts once.
CREATE TABLE activity_writers (
  writer text COLLATE "C" NOT NULL PRIMARY KEY,
  last_slice bigint NOT NULL,
  written_at_ms bigint NOT NULL
);

-- Answers by minute, for two days.
CREATE TABLE traffic_minutes (
  from_ms bigint NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  -- Empty for a success.
  code text COLLATE "C" NOT NULL,
  -- Answers by how long they took: under 50 microseconds, then each bucket twice as long as the one before.
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
  PRIMARY KEY (from_ms, partner_id, credential_id, operation, code)
);

-- What minutes become: answers by day (UTC).
CREATE TABLE traffic_days (
  from_ms bigint NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  -- Empty for a success.
  code text COLLATE "C" NOT NULL,
  -- Answers by how long they took: under 50 microseconds, then each bucket twice as long as the one before.
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
  PRIMARY KEY (from_ms, partner_id, credential_id, operation, code)
);

-- Refused requests, quotes, and some of all others.
CREATE TABLE request_log (
  at_ms bigint NOT NULL,
  correlation_id text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  status bigint NOT NULL,
  -- Null for a success.
  code text COLLATE "C",
  duration_us bigint NOT NULL,
  city text COLLATE "C",
  property_id text COLLATE "C",
  -- Days since 1970-01-01.
  check_in bigint,
  check_out bigint,
  guests bigint,
  page bigint,
  total bigint,
  quote_id text COLLATE "C",
  PRIMARY KEY (at_ms, correlation_id)
);

-- Dated searches by what was searched. Days since 1970-01-01, UTC.
CREATE TABLE demand_days (
  day bigint NOT NULL,
  city text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  arrival_week text COLLATE "C" NOT NULL,
  nights text COLLATE "C" NOT NULL,
  guests text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  searches bigint NOT NULL,
  empty bigint NOT NULL,
  looks bigint NOT NULL,
  PRIMARY KEY (day, city, country, arrival_week, nights, guests, partner_id)
);

-- Places that were searched for and do not exist here.
CREATE TABLE unknown_places (
  day bigint NOT NULL,
  place text COLLATE "C" NOT NULL,
  searches bigint NOT NULL,
  PRIMARY KEY (day, place)
);
