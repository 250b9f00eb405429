-- Calendars that other platforms subscribe to, what messages said, and what feeds read.

-- A row stays when its calendar is not published any more, so that processes that follow see it go.
CREATE TABLE published_calendars (
  property_id text COLLATE "C" NOT NULL,
  inventory_type_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  -- SHA-256 of the secret in its URL, hex; null when it is not published.
  secret_hash text COLLATE "C",
  published_at_ms bigint NOT NULL,
  PRIMARY KEY (property_id, inventory_type_id)
);
CREATE INDEX published_calendars_by_revision ON published_calendars (revision);

-- Which properties a source speaks of.
CREATE INDEX calendar_layers_by_source ON calendar_layers (source, property_id);
CREATE INDEX supply_confirmations_by_source ON supply_confirmations (source, property_id);

-- The first entries of the message, JSON; null for messages without entries.
ALTER TABLE supply_messages ADD COLUMN entries text;

-- Of the calendar that was read last.
ALTER TABLE ical_feeds ADD COLUMN event_count bigint;
ALTER TABLE ical_feeds ADD COLUMN night_count bigint;
