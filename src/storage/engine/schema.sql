-- The tables of SQLite after all migrations, written by `npm run schema`; only migrations change a database.
-- PostgreSQL has the same tables, columns and indexes, in its own types: `engine-words.ts` has what differs.

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

CREATE TABLE audit_log (
  -- Ids are in the order of time; one act may change several things.
  entry_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  person TEXT NOT NULL,
  -- Null for the command line.
  role TEXT,
  act TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- JSON; null where there was, or is, nothing to name.
  before text,
  after text,
  PRIMARY KEY (entry_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE calendar_layers (
  property_id TEXT NOT NULL,
  inventory_type_id TEXT NOT NULL,
  source TEXT NOT NULL,
  changed_at_ms INTEGER NOT NULL,
  nights BLOB NOT NULL,
  rates BLOB NOT NULL,
  PRIMARY KEY (property_id, inventory_type_id, source)
) STRICT;

CREATE INDEX calendar_layers_by_source ON calendar_layers (source, property_id);

CREATE TABLE connection_rooms (
  name TEXT NOT NULL,
  room TEXT NOT NULL,
  source TEXT NOT NULL,
  property_id TEXT NOT NULL,
  inventory_type_id TEXT NOT NULL,
  mapped_at_ms INTEGER NOT NULL,
  -- The last reading that could be used.
  read_at_ms INTEGER,
  -- A reading that is held back, as JSON.
  held text,
  failure_wrong text,
  -- Nights without an exact price, by reason, as JSON.
  unpriced text NOT NULL,
  -- Its nights are closed because no reading was good for too long.
  is_closed INTEGER NOT NULL,
  PRIMARY KEY (name, room)
) STRICT, WITHOUT ROWID;

CREATE TABLE connections (
  name TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  -- The provider's own id of the account.
  account text NOT NULL,
  created_at_ms INTEGER NOT NULL,
  -- Secrets, as JSON: the parts of the key, and tokens made from it.
  key text NOT NULL,
  tokens text NOT NULL,
  key_ends_at_ms INTEGER,
  settings text NOT NULL,
  allowed text NOT NULL,
  every_seconds INTEGER NOT NULL,
  max_age_seconds INTEGER NOT NULL,
  next_poll_at_ms INTEGER NOT NULL,
  polled_at_ms INTEGER,
  read_at_ms INTEGER,
  failure_count INTEGER NOT NULL,
  failure text,
  failure_wrong text,
  -- Whether a person is asked for: a key, a right, a clock.
  is_refused INTEGER NOT NULL,
  -- What the account has, as JSON, and when it was listed.
  rooms text NOT NULL,
  rooms_at_ms INTEGER,
  -- Calls of the provider's window, as JSON.
  calls text NOT NULL,
  comparison text
) STRICT;

CREATE TABLE console_links (
  -- SHA-256 of what the link carries, hex.
  link_hash TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE console_sessions (
  session_id TEXT NOT NULL PRIMARY KEY,
  -- SHA-256 of the cookie's value, hex.
  token_hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL,
  -- The passkey that opened the session; null: a link did.
  passkey_id TEXT,
  -- The last renewal of its sign-in, and the passkey of it.
  renewed_at_ms INTEGER,
  renewed_by TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE conversions (
  -- The booking system's own name of the booking.
  reference TEXT NOT NULL PRIMARY KEY,
  quote_id TEXT NOT NULL,
  -- Of the quote, which retention may have deleted: its partner and the day (UTC) on which it was made.
  partner_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  is_test INTEGER NOT NULL,
  -- Null when only its cancellation was reported.
  booked_at_ms INTEGER,
  cancelled_at_ms INTEGER,
  -- Minor units, in the currency of the quote; both null when they were not told.
  total INTEGER,
  currency TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX conversions_by_day ON conversions (day, partner_id);

CREATE INDEX conversions_by_quote ON conversions (quote_id);

CREATE TABLE credentials (
  credential_id TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL,
  partner_id TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  scopes text NOT NULL,
  quota INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  revoked_at_ms INTEGER,
  -- It sees only the sandbox.
  is_test integer NOT NULL DEFAULT 0,
  -- Networks that the token may come from, JSON; null: from anywhere. The scopes that it has there are in a column of
  -- their own, and `scopes` is then empty.
  networks text,
  scopes_within text
) STRICT, WITHOUT ROWID;

CREATE TABLE handoff_keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL,
  secret text NOT NULL,
  created_at_ms INTEGER NOT NULL,
  retired_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE handoff_visits (
  quote_id TEXT NOT NULL PRIMARY KEY,
  opened_count INTEGER NOT NULL,
  first_opened_at_ms INTEGER,
  outcome text CHECK (outcome IN ('unchanged', 'price_changed', 'unavailable', 'expired')),
  continued_at_ms INTEGER,
  -- How much the price had changed when the page of a quote was first opened, in thousandths of the quoted one. Null
  -- where it had not, or where it is not known.
  price_change_per_mille INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE ical_feeds (
  feed_id TEXT NOT NULL PRIMARY KEY,
  property_id TEXT NOT NULL,
  inventory_type_id TEXT NOT NULL,
  url text NOT NULL,
  name text,
  every_seconds INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  next_poll_at_ms INTEGER NOT NULL,
  polled_at_ms INTEGER,
  confirmed_at_ms INTEGER,
  failure_count INTEGER NOT NULL,
  failure text,
  etag TEXT,
  last_modified TEXT,
  content_hash TEXT,
  -- A fetch that would open too much waits here for the next identical one.
  held_hash TEXT,
  held_nights text,
  -- Of the calendar that was read last.
  event_count INTEGER,
  night_count INTEGER
, failure_wrong text) STRICT;

CREATE TABLE inventory_types (
  property_id TEXT NOT NULL,
  position integer NOT NULL,
  inventory_type_id TEXT NOT NULL,
  nights BLOB NOT NULL,
  rates BLOB NOT NULL,
  PRIMARY KEY (property_id, position)
) STRICT;

CREATE TABLE operator_tokens (
  operator_token_id TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL,
  name text NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at_ms INTEGER NOT NULL,
  -- The default grants nothing.
  scopes text NOT NULL DEFAULT '[]',
  source TEXT,
  expires_at_ms INTEGER,
  revoked_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE partners (
  partner_id TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL,
  name text NOT NULL,
  origins text NOT NULL,
  disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE passkey_challenges (
  -- SHA-256, hex.
  challenge_hash TEXT NOT NULL PRIMARY KEY,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE passkey_seal (
  seal_id TEXT NOT NULL PRIMARY KEY,
  seal_key TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE passkeys (
  passkey_id TEXT NOT NULL PRIMARY KEY,
  -- The authenticator's id of it, base64url.
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE, base64url.
  public_key TEXT NOT NULL,
  -- As the authenticator last said; 0 where it does not count.
  sign_count INTEGER NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  -- Null: not used yet.
  last_used_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE properties (
  property_id TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL,
  source TEXT NOT NULL,
  withdrawn INTEGER NOT NULL CHECK (withdrawn IN (0, 1)),
  changed_at_ms INTEGER NOT NULL,
  content_hash TEXT,
  lowest_rates BLOB,
  document TEXT,
  -- 1: calendar_layers has rows. 0: the only calendar is that of the property's own source, in inventory_types.
  layered INTEGER NOT NULL DEFAULT 0 CHECK (layered IN (0, 1)),
  CHECK ((document IS NULL) = (withdrawn = 1)),
  CHECK ((content_hash IS NULL) = (withdrawn = 1)),
  CHECK ((lowest_rates IS NULL) = (withdrawn = 1))
) STRICT;

CREATE INDEX properties_by_change ON properties (revision, property_id);

CREATE INDEX properties_by_source ON properties (source, property_id) WHERE withdrawn = 0;

CREATE TABLE property_changes (
  property_id TEXT NOT NULL PRIMARY KEY,
  -- The revision in `properties` that this row is about.
  row_revision INTEGER NOT NULL,
  content_revision INTEGER NOT NULL,
  calendar_revision INTEGER NOT NULL,
  -- Of what is stored, without who may see it; null when it is not known.
  content_digest text,
  calendar_digest text,
  -- JSON, a list of partners or "all"; [] when it is withdrawn.
  visible_to text NOT NULL,
  -- JSON: for a partner ('' for all others) the revision at which it began to see the property, or, negative, stopped.
  views text NOT NULL,
  -- Of the newest of these; null when there are none.
  viewed_at_ms INTEGER
) STRICT;

CREATE INDEX property_changes_by_view ON property_changes (viewed_at_ms) WHERE viewed_at_ms IS NOT NULL;

CREATE TABLE property_details (
  property_id TEXT NOT NULL PRIMARY KEY,
  details text NOT NULL
) STRICT;

CREATE TABLE published_calendars (
  property_id TEXT NOT NULL,
  inventory_type_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  -- SHA-256 of the secret in its URL, hex; null when it is not published.
  secret_hash TEXT,
  published_at_ms INTEGER NOT NULL,
  PRIMARY KEY (property_id, inventory_type_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX published_calendars_by_revision ON published_calendars (revision);

CREATE TABLE quote_counts (
  day INTEGER NOT NULL,
  credential_id TEXT NOT NULL,
  quotes INTEGER NOT NULL,
  PRIMARY KEY (day, credential_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE quotes (
  quote_id TEXT NOT NULL PRIMARY KEY,
  property_id text NOT NULL,
  partner_id text NOT NULL,
  credential_id text NOT NULL,
  inventory_type_id text NOT NULL,
  locale text NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  answer text NOT NULL,
  breakdown text NOT NULL,
  -- No report of attribution counts it.
  is_test integer NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX quotes_by_creation ON quotes (created_at_ms, partner_id, quote_id) WHERE is_test = 0;

CREATE INDEX quotes_by_expiry ON quotes (expires_at_ms);

CREATE TABLE revision (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  revision INTEGER NOT NULL
) STRICT;

CREATE TABLE revision_stamps (
  revision INTEGER NOT NULL PRIMARY KEY,
  stamp TEXT NOT NULL
) STRICT;

CREATE TABLE running_processes (
  process_id TEXT NOT NULL PRIMARY KEY,
  release TEXT NOT NULL,
  -- The highest migration that it knows.
  knows INTEGER NOT NULL,
  machine TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at_ms INTEGER NOT NULL,
  -- By its own clock.
  seen_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE schema_releases (
        version integer NOT NULL PRIMARY KEY,
        release text NOT NULL,
        needs integer NOT NULL
      ) STRICT;

CREATE TABLE schema_version (
        version integer NOT NULL PRIMARY KEY,
        name text NOT NULL,
        applied_at_ms INTEGER NOT NULL
      ) STRICT;

CREATE TABLE site_settings (
  -- The name of its environment variable.
  name TEXT NOT NULL PRIMARY KEY,
  -- As the environment would have it; of a file its bytes, as a data URL. Null: not set here.
  value TEXT,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE supply_confirmations (
  property_id TEXT NOT NULL,
  source TEXT NOT NULL,
  confirmed_at_ms INTEGER NOT NULL,
  PRIMARY KEY (property_id, source)
) STRICT, WITHOUT ROWID;

CREATE INDEX supply_confirmations_by_source ON supply_confirmations (source, property_id);

CREATE TABLE supply_keys (
  source TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  used_at_ms INTEGER NOT NULL,
  body_hash TEXT NOT NULL,
  outcome text NOT NULL,
  PRIMARY KEY (source, idempotency_key)
) STRICT;

CREATE INDEX supply_keys_by_age ON supply_keys (used_at_ms);

CREATE TABLE supply_mappings (
  source TEXT NOT NULL,
  external_key TEXT NOT NULL,
  property_id TEXT NOT NULL,
  inventory_type_id TEXT NOT NULL,
  PRIMARY KEY (source, external_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE supply_message_properties (
  message_id TEXT NOT NULL,
  property_id TEXT NOT NULL,
  said text NOT NULL,
  PRIMARY KEY (message_id, property_id)
) STRICT;

CREATE INDEX supply_messages_by_property ON supply_message_properties (property_id, message_id);

CREATE TABLE supply_messages (
  message_id TEXT NOT NULL PRIMARY KEY,
  source TEXT NOT NULL,
  kind text NOT NULL,
  received_at_ms INTEGER NOT NULL,
  verdict text NOT NULL,
  revision INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  detail text NOT NULL,
  -- The first entries of the message, JSON; null for messages without entries.
  entries text
) STRICT;

CREATE INDEX supply_messages_by_source ON supply_messages (source, message_id);

CREATE TABLE task_claims (
  task TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_deliveries (
  -- Sent as `webhook-id`.
  delivery_id TEXT NOT NULL PRIMARY KEY,
  webhook_id TEXT NOT NULL,
  event TEXT NOT NULL,
  body text NOT NULL,
  created_at_ms INTEGER NOT NULL,
  -- 'pending', 'delivered' or 'failed'.
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  -- Tries that are left at most; a replay has one.
  tries_left INTEGER NOT NULL,
  tried_at_ms INTEGER,
  -- HTTP status of the last answer; null without one.
  last_status INTEGER,
  -- 0: at once, whatever the clock says; null: never again.
  next_attempt_at_ms INTEGER,
  -- Why the last try of a delivery had no status.
  last_error text
, last_wrong text) STRICT;

CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (webhook_id, created_at_ms);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at_ms)
  WHERE next_attempt_at_ms IS NOT NULL;

CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (created_at_ms);

CREATE TABLE webhook_keys (
  webhook_id TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  -- HMAC-SHA256 and the seed of ed25519, base64.
  secret TEXT NOT NULL,
  private_key text NOT NULL,
  ends_at_ms INTEGER,
  PRIMARY KEY (webhook_id, created_at_ms, secret)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhooks (
  webhook_id TEXT NOT NULL PRIMARY KEY,
  partner_id TEXT NOT NULL,
  url text NOT NULL,
  -- JSON list of event types.
  events text NOT NULL,
  created_at_ms INTEGER NOT NULL,
  disabled_at_ms INTEGER,
  -- 'operator', 'gone' (it answered 410) or 'failing' (for too long); null while it is enabled.
  disabled_reason text,
  -- The first failed try since the last delivery, and how many have failed since.
  failing_since_ms INTEGER,
  failed_tries INTEGER NOT NULL DEFAULT 0,
  -- The revision up to which `changes.available` has been said, and when; null: from now on.
  changes_revision INTEGER,
  changes_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX webhooks_by_partner ON webhooks (partner_id);

-- The tables of activity: on SQLite in a file of their own beside the database, on PostgreSQL in the database.

CREATE TABLE activity_writers (
  writer TEXT NOT NULL PRIMARY KEY,
  last_slice INTEGER NOT NULL,
  written_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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
  quote_id TEXT, reasons TEXT, child_ages TEXT,
  PRIMARY KEY (at_ms, correlation_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX request_log_by_code ON request_log (code, at_ms) WHERE code IS NOT NULL;

CREATE INDEX request_log_by_correlation ON request_log (correlation_id);

CREATE INDEX request_log_by_partner ON request_log (partner_id, at_ms);

CREATE TABLE schema_releases (
        version integer NOT NULL PRIMARY KEY,
        release text NOT NULL,
        needs integer NOT NULL
      ) STRICT;

CREATE TABLE schema_version (
        version integer NOT NULL PRIMARY KEY,
        name text NOT NULL,
        applied_at_ms INTEGER NOT NULL
      ) STRICT;

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

CREATE TABLE unknown_places (
  day INTEGER NOT NULL,
  place TEXT NOT NULL,
  searches INTEGER NOT NULL,
  PRIMARY KEY (day, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE unmet_parties (
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  -- Days since 1970-01-01.
  check_in INTEGER NOT NULL,
  nights INTEGER NOT NULL,
  guests INTEGER NOT NULL,
  -- As in `request_log`; empty where all are adults.
  child_ages TEXT NOT NULL,
  searches INTEGER NOT NULL,
  -- The last day (UTC) on which it was searched.
  last_day INTEGER NOT NULL,
  -- Null until it is judged.
  judged_at_ms INTEGER,
  -- JSON: causes and nearest; null too when its check-in has passed everywhere in the city.
  judgement TEXT,
  PRIMARY KEY (city, country, check_in, nights, guests, child_ages)
) STRICT, WITHOUT ROWID;

CREATE INDEX unmet_parties_by_searches ON unmet_parties (searches);

CREATE TABLE unmet_stays (
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  -- Days since 1970-01-01.
  check_in INTEGER NOT NULL,
  nights INTEGER NOT NULL,
  guests INTEGER NOT NULL,
  searches INTEGER NOT NULL,
  -- The last day (UTC) on which it was searched.
  last_day INTEGER NOT NULL,
  -- Null until it is judged.
  judged_at_ms INTEGER,
  -- JSON: causes and nearest; null too when its check-in has passed everywhere in the city.
  judgement TEXT,
  PRIMARY KEY (city, country, check_in, nights, guests)
) STRICT, WITHOUT ROWID;

CREATE INDEX unmet_stays_by_searches ON unmet_stays (searches);
