-- The tables after all migrations, written by `npm run schema`; only migrations change a database.

CREATE TABLE activity_writers (
  writer text COLLATE "C" NOT NULL,
  last_slice bigint NOT NULL,
  written_at_ms bigint NOT NULL,
  CONSTRAINT activity_writers_pkey PRIMARY KEY (writer)
);

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
  CONSTRAINT attribution_days_pkey PRIMARY KEY (day, partner_id)
);

CREATE TABLE audit_log (
  entry_id text COLLATE "C" NOT NULL,
  "position" bigint NOT NULL,
  at_ms bigint NOT NULL,
  person text COLLATE "C" NOT NULL,
  role text COLLATE "C",
  act text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  before text,
  after text,
  CONSTRAINT audit_log_pkey PRIMARY KEY (entry_id, "position")
);

CREATE TABLE calendar_layers (
  property_id text COLLATE "C" NOT NULL,
  inventory_type_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  changed_at_ms bigint NOT NULL,
  nights bytea NOT NULL,
  rates bytea NOT NULL,
  CONSTRAINT calendar_layers_pkey PRIMARY KEY (property_id, inventory_type_id, source)
);

CREATE INDEX calendar_layers_by_source ON public.calendar_layers USING btree (source, property_id);

CREATE TABLE console_links (
  link_hash text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  expires_at_ms bigint NOT NULL,
  CONSTRAINT console_links_pkey PRIMARY KEY (link_hash)
);

CREATE TABLE console_sessions (
  session_id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  last_seen_at_ms bigint NOT NULL,
  passkey_id text COLLATE "C",
  renewed_at_ms bigint,
  renewed_by text COLLATE "C",
  CONSTRAINT console_sessions_pkey PRIMARY KEY (session_id),
  CONSTRAINT console_sessions_token_hash_key UNIQUE (token_hash)
);

CREATE TABLE conversions (
  reference text COLLATE "C" NOT NULL,
  quote_id text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  day bigint NOT NULL,
  is_test bigint NOT NULL,
  booked_at_ms bigint,
  cancelled_at_ms bigint,
  total bigint,
  currency text COLLATE "C",
  CONSTRAINT conversions_pkey PRIMARY KEY (reference)
);

CREATE INDEX conversions_by_day ON public.conversions USING btree (day, partner_id);

CREATE INDEX conversions_by_quote ON public.conversions USING btree (quote_id);

CREATE TABLE credentials (
  credential_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  scopes text NOT NULL,
  quota bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint,
  revoked_at_ms bigint,
  is_test integer NOT NULL DEFAULT 0,
  networks text,
  scopes_within text,
  CONSTRAINT credentials_pkey PRIMARY KEY (credential_id),
  CONSTRAINT credentials_token_hash_key UNIQUE (token_hash)
);

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
  CONSTRAINT demand_days_pkey PRIMARY KEY (day, city, country, arrival_week, nights, guests, partner_id)
);

CREATE TABLE handoff_keys (
  key_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  secret text NOT NULL,
  created_at_ms bigint NOT NULL,
  retired_at_ms bigint,
  CONSTRAINT handoff_keys_pkey PRIMARY KEY (key_id)
);

CREATE TABLE handoff_visits (
  quote_id text COLLATE "C" NOT NULL,
  opened_count bigint NOT NULL,
  first_opened_at_ms bigint,
  outcome text,
  continued_at_ms bigint,
  price_change_per_mille bigint,
  CONSTRAINT handoff_visits_outcome_check CHECK ((outcome = ANY (ARRAY['unchanged'::text, 'price_changed'::text, 'unavailable'::text, 'expired'::text]))),
  CONSTRAINT handoff_visits_pkey PRIMARY KEY (quote_id)
);

CREATE TABLE ical_feeds (
  feed_id text COLLATE "C" NOT NULL,
  property_id text COLLATE "C" NOT NULL,
  inventory_type_id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  name text,
  every_seconds bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  next_poll_at_ms bigint NOT NULL,
  polled_at_ms bigint,
  confirmed_at_ms bigint,
  failure_count bigint NOT NULL,
  failure text,
  etag text COLLATE "C",
  last_modified text COLLATE "C",
  content_hash text COLLATE "C",
  held_hash text COLLATE "C",
  held_nights text,
  event_count bigint,
  night_count bigint,
  CONSTRAINT ical_feeds_pkey PRIMARY KEY (feed_id)
);

CREATE TABLE inventory_types (
  property_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  inventory_type_id text COLLATE "C" NOT NULL,
  nights bytea NOT NULL,
  rates bytea NOT NULL,
  CONSTRAINT inventory_types_pkey PRIMARY KEY (property_id, "position")
);

CREATE TABLE operator_tokens (
  operator_token_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  name text NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  scopes text NOT NULL DEFAULT '[]'::text,
  source text COLLATE "C",
  expires_at_ms bigint,
  revoked_at_ms bigint,
  CONSTRAINT operator_tokens_pkey PRIMARY KEY (operator_token_id),
  CONSTRAINT operator_tokens_token_hash_key UNIQUE (token_hash)
);

CREATE TABLE partners (
  partner_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  name text NOT NULL,
  origins text NOT NULL,
  disabled smallint NOT NULL,
  created_at_ms bigint NOT NULL,
  CONSTRAINT partners_disabled_check CHECK ((disabled = ANY (ARRAY[0, 1]))),
  CONSTRAINT partners_pkey PRIMARY KEY (partner_id)
);

CREATE TABLE passkey_challenges (
  challenge_hash text COLLATE "C" NOT NULL,
  expires_at_ms bigint NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge_hash)
);

CREATE TABLE passkey_seal (
  seal_id text COLLATE "C" NOT NULL,
  seal_key text COLLATE "C" NOT NULL,
  CONSTRAINT passkey_seal_pkey PRIMARY KEY (seal_id)
);

CREATE TABLE passkeys (
  passkey_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  public_key text COLLATE "C" NOT NULL,
  sign_count bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  last_used_at_ms bigint,
  CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkeys_pkey PRIMARY KEY (passkey_id)
);

CREATE TABLE properties (
  property_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  source text COLLATE "C" NOT NULL,
  withdrawn smallint NOT NULL,
  changed_at_ms bigint NOT NULL,
  content_hash text COLLATE "C",
  lowest_rates bytea,
  document text COLLATE "C",
  layered smallint NOT NULL DEFAULT 0,
  CONSTRAINT properties_check CHECK (((document IS NULL) = (withdrawn = 1))),
  CONSTRAINT properties_check1 CHECK (((content_hash IS NULL) = (withdrawn = 1))),
  CONSTRAINT properties_check2 CHECK (((lowest_rates IS NULL) = (withdrawn = 1))),
  CONSTRAINT properties_layered_check CHECK ((layered = ANY (ARRAY[0, 1]))),
  CONSTRAINT properties_pkey PRIMARY KEY (property_id),
  CONSTRAINT properties_withdrawn_check CHECK ((withdrawn = ANY (ARRAY[0, 1])))
);

CREATE INDEX properties_by_change ON public.properties USING btree (revision, property_id);

CREATE INDEX properties_by_source ON public.properties USING btree (source, property_id) WHERE (withdrawn = 0);

CREATE TABLE property_changes (
  property_id text COLLATE "C" NOT NULL,
  row_revision bigint NOT NULL,
  content_revision bigint NOT NULL,
  calendar_revision bigint NOT NULL,
  content_digest text,
  calendar_digest text,
  visible_to text NOT NULL,
  views text NOT NULL,
  viewed_at_ms bigint,
  CONSTRAINT property_changes_pkey PRIMARY KEY (property_id)
);

CREATE INDEX property_changes_by_view ON public.property_changes USING btree (viewed_at_ms) WHERE (viewed_at_ms IS NOT NULL);

CREATE TABLE property_details (
  property_id text COLLATE "C" NOT NULL,
  details text NOT NULL,
  CONSTRAINT property_details_pkey PRIMARY KEY (property_id)
);

CREATE TABLE published_calendars (
  property_id text COLLATE "C" NOT NULL,
  inventory_type_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  secret_hash text COLLATE "C",
  published_at_ms bigint NOT NULL,
  CONSTRAINT published_calendars_pkey PRIMARY KEY (property_id, inventory_type_id)
);

CREATE INDEX published_calendars_by_revision ON public.published_calendars USING btree (revision);

CREATE TABLE quote_counts (
  day bigint NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  quotes bigint NOT NULL,
  CONSTRAINT quote_counts_pkey PRIMARY KEY (day, credential_id)
);

CREATE TABLE quotes (
  quote_id text COLLATE "C" NOT NULL,
  property_id text NOT NULL,
  partner_id text NOT NULL,
  credential_id text NOT NULL,
  inventory_type_id text NOT NULL,
  locale text NOT NULL,
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  answer text NOT NULL,
  breakdown text NOT NULL,
  is_test integer NOT NULL DEFAULT 0,
  CONSTRAINT quotes_pkey PRIMARY KEY (quote_id)
);

CREATE INDEX quotes_by_creation ON public.quotes USING btree (created_at_ms, partner_id, quote_id) WHERE (is_test = 0);

CREATE INDEX quotes_by_expiry ON public.quotes USING btree (expires_at_ms);

CREATE TABLE request_log (
  at_ms bigint NOT NULL,
  correlation_id text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  status bigint NOT NULL,
  code text COLLATE "C",
  duration_us bigint NOT NULL,
  city text COLLATE "C",
  property_id text COLLATE "C",
  check_in bigint,
  check_out bigint,
  guests bigint,
  page bigint,
  total bigint,
  quote_id text COLLATE "C",
  CONSTRAINT request_log_pkey PRIMARY KEY (at_ms, correlation_id)
);

CREATE INDEX request_log_by_code ON public.request_log USING btree (code, at_ms) WHERE (code IS NOT NULL);

CREATE INDEX request_log_by_correlation ON public.request_log USING btree (correlation_id);

CREATE INDEX request_log_by_partner ON public.request_log USING btree (partner_id, at_ms);

CREATE TABLE revision (
  only_row smallint NOT NULL,
  revision bigint NOT NULL,
  CONSTRAINT revision_only_row_check CHECK ((only_row = 1)),
  CONSTRAINT revision_pkey PRIMARY KEY (only_row)
) WITH (fillfactor=10);

CREATE TABLE revision_stamps (
  revision bigint NOT NULL,
  stamp text COLLATE "C" NOT NULL,
  CONSTRAINT revision_stamps_pkey PRIMARY KEY (revision)
);

CREATE TABLE running_processes (
  process_id text COLLATE "C" NOT NULL,
  release text COLLATE "C" NOT NULL,
  knows bigint NOT NULL,
  machine text COLLATE "C" NOT NULL,
  pid bigint NOT NULL,
  started_at_ms bigint NOT NULL,
  seen_at_ms bigint NOT NULL,
  CONSTRAINT running_processes_pkey PRIMARY KEY (process_id)
);

CREATE TABLE schema_additions (
  version integer NOT NULL,
  name text NOT NULL,
  applied_at_ms bigint NOT NULL,
  CONSTRAINT schema_additions_pkey PRIMARY KEY (version)
);

CREATE TABLE schema_releases (
  version integer NOT NULL,
  release text NOT NULL,
  needs integer NOT NULL,
  CONSTRAINT schema_releases_pkey PRIMARY KEY (version)
);

CREATE TABLE schema_version (
  version integer NOT NULL,
  name text NOT NULL,
  applied_at_ms bigint NOT NULL,
  CONSTRAINT schema_version_pkey PRIMARY KEY (version)
);

CREATE TABLE site_settings (
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C",
  revision bigint NOT NULL,
  CONSTRAINT site_settings_pkey PRIMARY KEY (name)
);

CREATE TABLE supply_confirmations (
  property_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  confirmed_at_ms bigint NOT NULL,
  CONSTRAINT supply_confirmations_pkey PRIMARY KEY (property_id, source)
);

CREATE INDEX supply_confirmations_by_source ON public.supply_confirmations USING btree (source, property_id);

CREATE TABLE supply_keys (
  source text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  used_at_ms bigint NOT NULL,
  body_hash text COLLATE "C" NOT NULL,
  outcome text NOT NULL,
  CONSTRAINT supply_keys_pkey PRIMARY KEY (source, idempotency_key)
);

CREATE INDEX supply_keys_by_age ON public.supply_keys USING btree (used_at_ms);

CREATE TABLE supply_mappings (
  source text COLLATE "C" NOT NULL,
  external_key text COLLATE "C" NOT NULL,
  property_id text COLLATE "C" NOT NULL,
  inventory_type_id text COLLATE "C" NOT NULL,
  CONSTRAINT supply_mappings_pkey PRIMARY KEY (source, external_key)
);

CREATE TABLE supply_message_properties (
  message_id text COLLATE "C" NOT NULL,
  property_id text COLLATE "C" NOT NULL,
  said text NOT NULL,
  CONSTRAINT supply_message_properties_pkey PRIMARY KEY (message_id, property_id)
);

CREATE INDEX supply_messages_by_property ON public.supply_message_properties USING btree (property_id, message_id);

CREATE TABLE supply_messages (
  message_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  received_at_ms bigint NOT NULL,
  verdict text NOT NULL,
  revision bigint NOT NULL,
  changed bigint NOT NULL,
  unchanged bigint NOT NULL,
  detail text NOT NULL,
  entries text,
  CONSTRAINT supply_messages_pkey PRIMARY KEY (message_id)
);

CREATE INDEX supply_messages_by_source ON public.supply_messages USING btree (source, message_id);

CREATE TABLE task_claims (
  task text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  until_ms bigint NOT NULL,
  CONSTRAINT task_claims_pkey PRIMARY KEY (task)
);

CREATE TABLE traffic_days (
  from_ms bigint NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
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
  CONSTRAINT traffic_days_pkey PRIMARY KEY (from_ms, partner_id, credential_id, operation, code)
);

CREATE TABLE traffic_minutes (
  from_ms bigint NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
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
  CONSTRAINT traffic_minutes_pkey PRIMARY KEY (from_ms, partner_id, credential_id, operation, code)
);

CREATE TABLE traffic_sums (
  from_ms bigint NOT NULL,
  operation text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
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
  CONSTRAINT traffic_sums_pkey PRIMARY KEY (from_ms, operation, code)
);

CREATE TABLE unknown_places (
  day bigint NOT NULL,
  place text COLLATE "C" NOT NULL,
  searches bigint NOT NULL,
  CONSTRAINT unknown_places_pkey PRIMARY KEY (day, place)
);

CREATE TABLE unmet_stays (
  city text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  check_in bigint NOT NULL,
  nights bigint NOT NULL,
  guests bigint NOT NULL,
  searches bigint NOT NULL,
  last_day bigint NOT NULL,
  judged_at_ms bigint,
  judgement text COLLATE "C",
  CONSTRAINT unmet_stays_pkey PRIMARY KEY (city, country, check_in, nights, guests)
);

CREATE INDEX unmet_stays_by_searches ON public.unmet_stays USING btree (searches);

CREATE TABLE webhook_deliveries (
  delivery_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  body text NOT NULL,
  created_at_ms bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  tries_left bigint NOT NULL,
  tried_at_ms bigint,
  last_status bigint,
  next_attempt_at_ms bigint,
  last_error text,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (delivery_id)
);

CREATE INDEX webhook_deliveries_by_age ON public.webhook_deliveries USING btree (webhook_id, created_at_ms);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, next_attempt_at_ms) WHERE (next_attempt_at_ms IS NOT NULL);

CREATE INDEX webhook_deliveries_oldest ON public.webhook_deliveries USING btree (created_at_ms);

CREATE TABLE webhook_keys (
  webhook_id text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  secret text COLLATE "C" NOT NULL,
  private_key text NOT NULL,
  ends_at_ms bigint,
  CONSTRAINT webhook_keys_pkey PRIMARY KEY (webhook_id, created_at_ms, secret)
);

CREATE TABLE webhooks (
  webhook_id text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  events text NOT NULL,
  created_at_ms bigint NOT NULL,
  disabled_at_ms bigint,
  disabled_reason text,
  failing_since_ms bigint,
  failed_tries bigint NOT NULL DEFAULT 0,
  changes_revision bigint,
  changes_at_ms bigint,
  CONSTRAINT webhooks_pkey PRIMARY KEY (webhook_id)
);

CREATE INDEX webhooks_by_partner ON public.webhooks USING btree (partner_id);
