-- Supply: one calendar per source beside the one that partners see, what arrived with its verdict, and where the names
-- of other systems lead.

-- 1: calendar_layers has rows. 0: the only calendar is that of the property's own source, and inventory_types holds it.
ALTER TABLE properties ADD COLUMN layered INTEGER NOT NULL DEFAULT 0 CHECK (layered IN (0, 1));

-- A layer that sets nothing has no row.
CREATE TABLE calendar_layers (
  property_id TEXT NOT NULL,
  inventory_type_id TEXT NOT NULL,
  source TEXT NOT NULL,
  changed_at_ms INTEGER NOT NULL,
  nights BLOB NOT NULL,
  rates BLOB NOT NULL,
  PRIMARY KEY (property_id, inventory_type_id, source)
) STRICT;

-- When a source last said what a property's calendar is, changed or not. property_id '' is a word for all that the
-- source has confirmed before.
CREATE TABLE supply_confirmations (
  property_id TEXT NOT NULL,
  source TEXT NOT NULL,
  confirmed_at_ms INTEGER NOT NULL,
  PRIMARY KEY (property_id, source)
) STRICT, WITHOUT ROWID;

-- message_id grows with time: newest first is by key, and so is deleting the oldest.
CREATE TABLE supply_messages (
  message_id TEXT NOT NULL PRIMARY KEY,
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  received_at_ms INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  revision INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX supply_messages_by_source ON supply_messages (source, message_id);

-- What a message said of each property, JSON.
CREATE TABLE supply_message_properties (
  message_id TEXT NOT NULL,
  property_id TEXT NOT NULL,
  said TEXT NOT NULL,
  PRIMARY KEY (message_id, property_id)
) STRICT;
CREATE INDEX supply_messages_by_property ON supply_message_properties (property_id, message_id);

CREATE TABLE supply_keys (
  source TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  used_at_ms INTEGER NOT NULL,
  body_hash TEXT NOT NULL,
  outcome TEXT NOT NULL,
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

CREATE TABLE ical_feeds (
  feed_id TEXT NOT NULL PRIMARY KEY,
  property_id TEXT NOT NULL,
  inventory_type_id TEXT NOT NULL,
  url TEXT NOT NULL,
  name TEXT,
  every_seconds INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  next_poll_at_ms INTEGER NOT NULL,
  polled_at_ms INTEGER,
  confirmed_at_ms INTEGER,
  failure_count INTEGER NOT NULL,
  failure TEXT,
  etag TEXT,
  last_modified TEXT,
  content_hash TEXT,
  -- A fetch that would open too much waits here for the next identical one.
  held_hash TEXT,
  held_nights TEXT
) STRICT;
