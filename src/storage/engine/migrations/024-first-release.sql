-- Needs: 24
-- The schema of the first release. Instants are Unix milliseconds, days are counted from 1970-01-01 (UTC), lists are
-- JSON text. Ids compare byte by byte, whatever the database's own order of text is. Documents are text, not jsonb,
-- which would refuse an escaped NUL and forget the order of keys.

-- One row: the revision of the newest change that a follower has to see. Its row lock orders all writers of PostgreSQL;
-- much room in the page lets each update stay in it.
CREATE TABLE revision (
  only_row {smallint} PRIMARY KEY CHECK (only_row = 1),
  revision {bigint} NOT NULL
) {one_row};
INSERT INTO revision (only_row, revision) VALUES (1, 0);

-- `{strict}`: rows of some KB would leave the leaves of a WITHOUT ROWID tree, which `{keyed}` is, for overflow pages.
-- A withdrawn property keeps its row as a tombstone, without content.
CREATE TABLE properties (
  property_id {ctext} NOT NULL PRIMARY KEY,
  revision {bigint} NOT NULL,
  source {ctext} NOT NULL,
  withdrawn {smallint} NOT NULL CHECK (withdrawn IN (0, 1)),
  changed_at_ms {bigint} NOT NULL,
  content_hash {ctext},
  lowest_rates {blob},
  document {ctext},
  -- 1: calendar_layers has rows. 0: the only calendar is that of the property's own source, in inventory_types.
  layered {smallint} NOT NULL DEFAULT 0 CHECK (layered IN (0, 1)),
  CHECK ((document IS NULL) = (withdrawn = 1)),
  CHECK ((content_hash IS NULL) = (withdrawn = 1)),
  CHECK ((lowest_rates IS NULL) = (withdrawn = 1))
) {strict};
CREATE INDEX properties_by_change ON properties (revision, property_id);
CREATE INDEX properties_by_source ON properties (source, property_id) WHERE withdrawn = 0;

-- nights stand before rates: reading the first never touches the pages of the second.
CREATE TABLE inventory_types (
  property_id {ctext} NOT NULL,
  position integer NOT NULL,
  inventory_type_id {ctext} NOT NULL,
  nights {blob} NOT NULL,
  rates {blob} NOT NULL,
  PRIMARY KEY (property_id, position)
) {strict};

CREATE TABLE partners (
  partner_id {ctext} NOT NULL PRIMARY KEY,
  revision {bigint} NOT NULL,
  name text NOT NULL,
  origins text NOT NULL,
  disabled {smallint} NOT NULL CHECK (disabled IN (0, 1)),
  created_at_ms {bigint} NOT NULL
) {keyed};

CREATE TABLE credentials (
  credential_id {ctext} NOT NULL PRIMARY KEY,
  revision {bigint} NOT NULL,
  partner_id {ctext} NOT NULL,
  token_hash {ctext} NOT NULL UNIQUE,
  scopes text NOT NULL,
  quota {bigint} NOT NULL,
  created_at_ms {bigint} NOT NULL,
  expires_at_ms {bigint},
  revoked_at_ms {bigint},
  -- It sees only the sandbox.
  is_test integer NOT NULL DEFAULT 0,
  -- Networks that the token may come from, JSON; null: from anywhere. The scopes that it has there are in a column of
  -- their own, and `scopes` is then empty.
  networks text,
  scopes_within text
) {keyed};

CREATE TABLE handoff_keys (
  key_id {ctext} NOT NULL PRIMARY KEY,
  revision {bigint} NOT NULL,
  secret text NOT NULL,
  created_at_ms {bigint} NOT NULL,
  retired_at_ms {bigint}
) {keyed};

CREATE TABLE operator_tokens (
  operator_token_id {ctext} NOT NULL PRIMARY KEY,
  revision {bigint} NOT NULL,
  name text NOT NULL,
  token_hash {ctext} NOT NULL UNIQUE,
  created_at_ms {bigint} NOT NULL,
  -- The default grants nothing.
  scopes text NOT NULL DEFAULT '[]',
  source {ctext},
  expires_at_ms {bigint},
  revoked_at_ms {bigint}
) {keyed};

-- Appended by rowid; only the small index of random ids is touched at random.
CREATE TABLE quotes (
  quote_id {ctext} NOT NULL PRIMARY KEY,
  property_id text NOT NULL,
  partner_id text NOT NULL,
  credential_id text NOT NULL,
  inventory_type_id text NOT NULL,
  locale text NOT NULL,
  created_at_ms {bigint} NOT NULL,
  expires_at_ms {bigint} NOT NULL,
  answer text NOT NULL,
  breakdown text NOT NULL,
  -- No report of attribution counts it.
  is_test integer NOT NULL DEFAULT 0
) {strict};
-- Quotes expire nearly in the order in which they are stored: the index grows at its end.
CREATE INDEX quotes_by_expiry ON quotes (expires_at_ms);
-- The quotes of a day are counted without reading them; it grows at its end, too.
CREATE INDEX quotes_by_creation ON quotes (created_at_ms, partner_id, quote_id) WHERE is_test = 0;

-- Work that only one process of all may do can be claimed.
CREATE TABLE task_claims (
  task {ctext} NOT NULL PRIMARY KEY,
  holder {ctext} NOT NULL,
  until_ms {bigint} NOT NULL
) {keyed};

-- What became of quotes at their travellers.
CREATE TABLE handoff_visits (
  quote_id {ctext} NOT NULL PRIMARY KEY,
  opened_count {bigint} NOT NULL,
  first_opened_at_ms {bigint},
  outcome text CHECK (outcome IN ('unchanged', 'price_changed', 'unavailable', 'expired')),
  continued_at_ms {bigint},
  -- How much the price had changed when the page of a quote was first opened, in thousandths of the quoted one. Null
  -- where it had not, or where it is not known.
  price_change_per_mille {bigint}
) {keyed};

-- Totals of quotes that are deleted.
CREATE TABLE attribution_days (
  day {bigint} NOT NULL,
  partner_id {ctext} NOT NULL,
  quotes {bigint} NOT NULL,
  opened {bigint} NOT NULL,
  continued {bigint} NOT NULL,
  unchanged {bigint} NOT NULL,
  price_changed {bigint} NOT NULL,
  unavailable {bigint} NOT NULL,
  expired {bigint} NOT NULL,
  PRIMARY KEY (day, partner_id)
) {keyed};

-- One calendar per source beside the one that partners see. A layer that sets nothing has no row.
CREATE TABLE calendar_layers (
  property_id {ctext} NOT NULL,
  inventory_type_id {ctext} NOT NULL,
  source {ctext} NOT NULL,
  changed_at_ms {bigint} NOT NULL,
  nights {blob} NOT NULL,
  rates {blob} NOT NULL,
  PRIMARY KEY (property_id, inventory_type_id, source)
) {strict};
CREATE INDEX calendar_layers_by_source ON calendar_layers (source, property_id);

-- When a source last said what a property's calendar is, changed or not. property_id '' is a word for all that the
-- source has confirmed before.
CREATE TABLE supply_confirmations (
  property_id {ctext} NOT NULL,
  source {ctext} NOT NULL,
  confirmed_at_ms {bigint} NOT NULL,
  PRIMARY KEY (property_id, source)
) {keyed};
CREATE INDEX supply_confirmations_by_source ON supply_confirmations (source, property_id);

-- message_id grows with time: newest first is by key, and so is deleting the oldest.
CREATE TABLE supply_messages (
  message_id {ctext} NOT NULL PRIMARY KEY,
  source {ctext} NOT NULL,
  kind text NOT NULL,
  received_at_ms {bigint} NOT NULL,
  verdict text NOT NULL,
  revision {bigint} NOT NULL,
  changed {bigint} NOT NULL,
  unchanged {bigint} NOT NULL,
  detail text NOT NULL,
  -- The first entries of the message, JSON; null for messages without entries.
  entries text
) {strict};
CREATE INDEX supply_messages_by_source ON supply_messages (source, message_id);

-- What a message said of each property, JSON.
CREATE TABLE supply_message_properties (
  message_id {ctext} NOT NULL,
  property_id {ctext} NOT NULL,
  said text NOT NULL,
  PRIMARY KEY (message_id, property_id)
) {strict};
CREATE INDEX supply_messages_by_property ON supply_message_properties (property_id, message_id);

CREATE TABLE supply_keys (
  source {ctext} NOT NULL,
  idempotency_key {ctext} NOT NULL,
  used_at_ms {bigint} NOT NULL,
  body_hash {ctext} NOT NULL,
  outcome text NOT NULL,
  PRIMARY KEY (source, idempotency_key)
) {strict};
CREATE INDEX supply_keys_by_age ON supply_keys (used_at_ms);

CREATE TABLE supply_mappings (
  source {ctext} NOT NULL,
  external_key {ctext} NOT NULL,
  property_id {ctext} NOT NULL,
  inventory_type_id {ctext} NOT NULL,
  PRIMARY KEY (source, external_key)
) {keyed};

CREATE TABLE ical_feeds (
  feed_id {ctext} NOT NULL PRIMARY KEY,
  property_id {ctext} NOT NULL,
  inventory_type_id {ctext} NOT NULL,
  url text NOT NULL,
  name text,
  every_seconds {bigint} NOT NULL,
  created_at_ms {bigint} NOT NULL,
  next_poll_at_ms {bigint} NOT NULL,
  polled_at_ms {bigint},
  confirmed_at_ms {bigint},
  failure_count {bigint} NOT NULL,
  failure text,
  etag {ctext},
  last_modified {ctext},
  content_hash {ctext},
  -- A fetch that would open too much waits here for the next identical one.
  held_hash {ctext},
  held_nights text,
  -- Of the calendar that was read last.
  event_count {bigint},
  night_count {bigint}
) {strict};

-- Which history a revision counts: each write transaction puts a random stamp beside the revision that it takes, and
-- the last ones are kept. A process that remembers a pair which is not here any more has followed another history.
CREATE TABLE revision_stamps (
  revision {bigint} NOT NULL PRIMARY KEY,
  stamp {ctext} NOT NULL
) {strict};
INSERT INTO revision_stamps (revision, stamp) SELECT revision, {random} FROM revision;

-- How many quotes a credential has had on a day, for the bound on them. Two days are kept.
CREATE TABLE quote_counts (
  day {bigint} NOT NULL,
  credential_id {ctext} NOT NULL,
  quotes {bigint} NOT NULL,
  PRIMARY KEY (day, credential_id)
) {keyed};

-- Calendars that other platforms subscribe to. A row stays when its calendar is not published any more, so that
-- processes that follow see it go.
CREATE TABLE published_calendars (
  property_id {ctext} NOT NULL,
  inventory_type_id {ctext} NOT NULL,
  revision {bigint} NOT NULL,
  -- SHA-256 of the secret in its URL, hex; null when it is not published.
  secret_hash {ctext},
  published_at_ms {bigint} NOT NULL,
  PRIMARY KEY (property_id, inventory_type_id)
) {keyed};
CREATE INDEX published_calendars_by_revision ON published_calendars (revision);

-- Quotes that became bookings, as the operator's booking system reports them. A row outlives its quote.
CREATE TABLE conversions (
  -- The booking system's own name of the booking.
  reference {ctext} NOT NULL PRIMARY KEY,
  quote_id {ctext} NOT NULL,
  -- Of the quote, which retention may have deleted: its partner and the day (UTC) on which it was made.
  partner_id {ctext} NOT NULL,
  day {bigint} NOT NULL,
  is_test {bigint} NOT NULL,
  -- Null when only its cancellation was reported.
  booked_at_ms {bigint},
  cancelled_at_ms {bigint},
  -- Minor units, in the currency of the quote; both null when they were not told.
  total {bigint},
  currency {ctext}
) {keyed};
CREATE INDEX conversions_by_day ON conversions (day, partner_id);
CREATE INDEX conversions_by_quote ON conversions (quote_id);

-- What only the traveller's page shows of a property, JSON: pictures and the terms of a stay.
-- Apart from the document: a quote and a follower read that one, and would read these for nothing.
CREATE TABLE property_details (
  property_id {ctext} NOT NULL PRIMARY KEY,
  details text NOT NULL
) {strict};

-- Sign-in to the console. A link signs in once: the row goes when it is used.
CREATE TABLE console_links (
  -- SHA-256 of what the link carries, hex.
  link_hash {ctext} NOT NULL PRIMARY KEY,
  name {ctext} NOT NULL,
  role {ctext} NOT NULL,
  expires_at_ms {bigint} NOT NULL
) {keyed};

-- A row ends with its session.
CREATE TABLE console_sessions (
  session_id {ctext} NOT NULL PRIMARY KEY,
  -- SHA-256 of the cookie's value, hex.
  token_hash {ctext} NOT NULL UNIQUE,
  name {ctext} NOT NULL,
  role {ctext} NOT NULL,
  created_at_ms {bigint} NOT NULL,
  last_seen_at_ms {bigint} NOT NULL,
  -- The passkey that opened the session; null: a link did.
  passkey_id {ctext},
  -- The last renewal of its sign-in, and the passkey of it.
  renewed_at_ms {bigint},
  renewed_by {ctext}
) {keyed};

-- Who changed what. No token, secret or address is in it.
CREATE TABLE audit_log (
  -- Ids are in the order of time; one act may change several things.
  entry_id {ctext} NOT NULL,
  position {bigint} NOT NULL,
  at_ms {bigint} NOT NULL,
  person {ctext} NOT NULL,
  -- Null for the command line.
  role {ctext},
  act {ctext} NOT NULL,
  subject {ctext} NOT NULL,
  -- JSON; null where there was, or is, nothing to name.
  before text,
  after text,
  PRIMARY KEY (entry_id, position)
) {keyed};

-- Processes that serve the database. Each says every minute that it still runs.
CREATE TABLE running_processes (
  process_id {ctext} NOT NULL PRIMARY KEY,
  release {ctext} NOT NULL,
  -- The highest migration that it knows.
  knows {bigint} NOT NULL,
  machine {ctext} NOT NULL,
  pid {bigint} NOT NULL,
  started_at_ms {bigint} NOT NULL,
  -- By its own clock.
  seen_at_ms {bigint} NOT NULL
) {strict};

-- When partners last had a reason to read a property again, and who saw it come and go. The order of changes is that of
-- `properties`; a row here whose row_revision is another one than there is not about what is stored now.
CREATE TABLE property_changes (
  property_id {ctext} NOT NULL PRIMARY KEY,
  -- The revision in `properties` that this row is about.
  row_revision {bigint} NOT NULL,
  content_revision {bigint} NOT NULL,
  calendar_revision {bigint} NOT NULL,
  -- Of what is stored, without who may see it; null when it is not known.
  content_digest text,
  calendar_digest text,
  -- JSON, a list of partners or "all"; [] when it is withdrawn.
  visible_to text NOT NULL,
  -- JSON: for a partner ('' for all others) the revision at which it began to see the property, or, negative, stopped.
  views text NOT NULL,
  -- Of the newest of these; null when there are none.
  viewed_at_ms {bigint}
) {strict};
CREATE INDEX property_changes_by_view ON property_changes (viewed_at_ms) WHERE viewed_at_ms IS NOT NULL;

-- Webhooks of partners.
CREATE TABLE webhooks (
  webhook_id {ctext} NOT NULL PRIMARY KEY,
  partner_id {ctext} NOT NULL,
  url text NOT NULL,
  -- JSON list of event types.
  events text NOT NULL,
  created_at_ms {bigint} NOT NULL,
  disabled_at_ms {bigint},
  -- 'operator', 'gone' (it answered 410) or 'failing' (for too long); null while it is enabled.
  disabled_reason text,
  -- The first failed try since the last delivery, and how many have failed since.
  failing_since_ms {bigint},
  failed_tries {bigint} NOT NULL DEFAULT 0,
  -- The revision up to which `changes.available` has been said, and when; null: from now on.
  changes_revision {bigint},
  changes_at_ms {bigint}
) {keyed};
CREATE INDEX webhooks_by_partner ON webhooks (partner_id);

-- The keys that sign them. Each row signs until it ends: after a rotation, the old one and the new one do.
CREATE TABLE webhook_keys (
  webhook_id {ctext} NOT NULL,
  created_at_ms {bigint} NOT NULL,
  -- HMAC-SHA256 and the seed of ed25519, base64.
  secret {ctext} NOT NULL,
  private_key text NOT NULL,
  ends_at_ms {bigint},
  PRIMARY KEY (webhook_id, created_at_ms, secret)
) {keyed};

-- What was or is to be delivered.
CREATE TABLE webhook_deliveries (
  -- Sent as `webhook-id`.
  delivery_id {ctext} NOT NULL PRIMARY KEY,
  webhook_id {ctext} NOT NULL,
  event {ctext} NOT NULL,
  body text NOT NULL,
  created_at_ms {bigint} NOT NULL,
  -- 'pending', 'delivered' or 'failed'.
  status {ctext} NOT NULL,
  attempts {bigint} NOT NULL,
  -- Tries that are left at most; a replay has one.
  tries_left {bigint} NOT NULL,
  tried_at_ms {bigint},
  -- HTTP status of the last answer; null without one.
  last_status {bigint},
  -- 0: at once, whatever the clock says; null: never again.
  next_attempt_at_ms {bigint},
  -- Why the last try of a delivery had no status.
  last_error text
) {strict};
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at_ms)
  WHERE next_attempt_at_ms IS NOT NULL;
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (webhook_id, created_at_ms);
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (created_at_ms);

-- Passkeys of people who use the console.
CREATE TABLE passkeys (
  passkey_id {ctext} NOT NULL PRIMARY KEY,
  -- The authenticator's id of it, base64url.
  credential_id {ctext} NOT NULL UNIQUE,
  -- COSE, base64url.
  public_key {ctext} NOT NULL,
  -- As the authenticator last said; 0 where it does not count.
  sign_count {bigint} NOT NULL,
  name {ctext} NOT NULL,
  role {ctext} NOT NULL,
  created_at_ms {bigint} NOT NULL,
  -- Null: not used yet.
  last_used_at_ms {bigint}
) {keyed};

-- Challenges that were answered rightly, until they expire: none is answered twice.
CREATE TABLE passkey_challenges (
  -- SHA-256, hex.
  challenge_hash {ctext} NOT NULL PRIMARY KEY,
  expires_at_ms {bigint} NOT NULL
) {keyed};

-- One row: the key that seals challenges, the same for all processes.
CREATE TABLE passkey_seal (
  seal_id {ctext} NOT NULL PRIMARY KEY,
  seal_key {ctext} NOT NULL
) {keyed};

-- Settings of the site, which administrators change while the service runs. A value that was removed leaves its row:
-- each change then has a revision above all before.
CREATE TABLE site_settings (
  -- The name of its environment variable.
  name {ctext} NOT NULL PRIMARY KEY,
  -- As the environment would have it; of a file its bytes, as a data URL. Null: not set here.
  value {ctext},
  revision {bigint} NOT NULL
) {keyed};
