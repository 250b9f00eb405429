-- Webhooks of partners, the keys that sign them, and what was or is to be delivered.

CREATE TABLE webhooks (
  webhook_id text COLLATE "C" NOT NULL PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  -- JSON list of event types.
  events text NOT NULL,
  created_at_ms bigint NOT NULL,
  disabled_at_ms bigint,
  -- 'operator', 'gone' (it answered 410) or 'failing' (for too long); null while it is enabled.
  disabled_reason text,
  -- The first failed try since the last delivery, and how many have failed since.
  failing_since_ms bigint,
  failed_tries bigint NOT NULL DEFAULT 0,
  -- The revision up to which `changes.available` has been said, and when; null: from now on.
  changes_revision bigint,
  changes_at_ms bigint
);
CREATE INDEX webhooks_by_partner ON webhooks (partner_id);

-- Each row signs until it ends: after a rotation, the old one and the new one do.
CREATE TABLE webhook_keys (
  webhook_id text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  -- HMAC-SHA256 and the seed of ed25519, base64.
  secret text COLLATE "C" NOT NULL,
  private_key text NOT NULL,
  ends_at_ms bigint,
  PRIMARY KEY (webhook_id, created_at_ms, secret)
);

CREATE TABLE webhook_deliveries (
  -- Sent as `webhook-id`.
  delivery_id text COLLATE "C" NOT NULL PRIMARY KEY,
  webhook_id text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  body text NOT NULL,
  created_at_ms bigint NOT NULL,
  -- 'pending', 'delivered' or 'failed'.
  status text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  -- Tries that are left at most; a replay has one.
  tries_left bigint NOT NULL,
  tried_at_ms bigint,
  -- HTTP status of the last answer; null without one.
  last_status bigint,
  -- 0: at once, whatever the clock says; null: never again.
  next_attempt_at_ms bigint
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at_ms)
  WHERE next_attempt_at_ms IS NOT NULL;
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (webhook_id, created_at_ms);
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (created_at_ms);
