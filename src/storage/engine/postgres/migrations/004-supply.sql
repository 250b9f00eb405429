-- Supply: one calendar per source beside the one that partners see, what arrived with its verdict, and where the names
-- of other systems lead.

-- 1: calendar_layers has rows. 0: the only calendar is that of the property's own source, and inventory_types holds it.
ALTER TABLE properties ADD COLUMN layered smallint NOT NULL DEFAULT 0 CHECK (layered IN (0, 1));

-- A layer that sets nothing has no row.
CREATE TABLE calendar_layers (
  property_id text COLLATE "C" NOT NULL,
  inventory_type_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  changed_at_ms bigint NOT NULL,
  nights bytea NOT NULL,
  rates bytea NOT NULL,
  PRIMARY KEY (property_id, inventory_type_id, source)
);

-- When a source last said what a property's calendar is, changed or not. property_id '' is a word for all that the
-- source has confirmed before.
CREATE TABLE supply_confirmations (
  property_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  confirmed_at_ms bigint NOT NULL,
  PRIMARY KEY (property_id, source)
);

-- message_id grows with time: newest first is by key, and so is deleting the oldest.
CREATE TABLE supply_messages (
  message_id text COLLATE "C" NOT NULL PRIMARY KEY,
  source text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  received_at_ms bigint NOT NULL,
  verdict text NOT NULL,
  revision bigint NOT NULL,
  changed bigint NOT NULL,
  unchanged bigint NOT NULL,
  detail text NOT NULL
);
CREATE INDEX supply_messages_by_source ON supply_messages (source, message_id);

-- What a message said of each property, JSON.
CREATE TABLE supply_message_properties (
  message_id text COLLATE "C" NOT NULL,
  property_id text COLLATE "C" NOT NULL,
  said text NOT NULL,
  PRIMARY KEY (message_id, property_id)
);
CREATE INDEX supply_messages_by_property ON supply_message_properties (property_id, message_id);

CREATE TABLE supply_keys (
  source text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  used_at_ms bigint NOT NULL,
  body_hash text COLLATE "C" NOT NULL,
  outcome text NOT NULL,
  PRIMARY KEY (source, idempotency_key)
);
CREATE INDEX supply_keys_by_age ON supply_keys (used_at_ms);

CREATE TABLE supply_mappings (
  source text COLLATE "C" NOT NULL,
  external_key text COLLATE "C" NOT NULL,
  property_id text COLLATE "C" NOT NULL,
  inventory_type_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (source, external_key)
);

CREATE TABLE ical_feeds (
  feed_id text COLLATE "C" NOT NULL PRIMARY KEY,
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
  -- A fetch that would open too much waits here for the next identical one.
  held_hash text COLLATE "C",
  held_nights text
);
