-- Why the last try of a delivery had no status.
ALTER TABLE webhook_deliveries ADD COLUMN last_error TEXT;
