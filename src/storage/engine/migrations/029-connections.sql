-- Accounts at property management systems whose calendars and prices are read by the clock.
CREATE TABLE connections (
  name {ctext} NOT NULL PRIMARY KEY,
  kind {ctext} NOT NULL,
  -- The provider's own id of the account.
  account text NOT NULL,
  created_at_ms {bigint} NOT NULL,
  -- Secrets, as JSON: the parts of the key, and tokens made from it.
  key text NOT NULL,
  tokens text NOT NULL,
  key_ends_at_ms {bigint},
  settings text NOT NULL,
  allowed text NOT NULL,
  every_seconds {bigint} NOT NULL,
  max_age_seconds {bigint} NOT NULL,
  next_poll_at_ms {bigint} NOT NULL,
  polled_at_ms {bigint},
  read_at_ms {bigint},
  failure_count {bigint} NOT NULL,
  failure text,
  failure_wrong text,
  -- Whether a person is asked for: a key, a right, a clock.
  is_refused {bigint} NOT NULL,
  -- What the account has, as JSON, and when it was listed.
  rooms text NOT NULL,
  rooms_at_ms {bigint},
  -- Calls of the provider's window, as JSON.
  calls text NOT NULL,
  comparison text
) {strict};

-- A room that is mapped to an inventory type, or was: its layer is deleted before its row.
CREATE TABLE connection_rooms (
  name {ctext} NOT NULL,
  room {ctext} NOT NULL,
  source {ctext} NOT NULL,
  property_id {ctext} NOT NULL,
  inventory_type_id {ctext} NOT NULL,
  mapped_at_ms {bigint} NOT NULL,
  -- The last reading that could be used.
  read_at_ms {bigint},
  -- A reading that is held back, as JSON.
  held text,
  failure_wrong text,
  -- Nights without an exact price, by reason, as JSON.
  unpriced text NOT NULL,
  -- Its nights are closed because no reading was good for too long.
  is_closed {bigint} NOT NULL,
  PRIMARY KEY (name, room)
) {keyed};
