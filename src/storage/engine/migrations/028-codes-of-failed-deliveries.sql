-- Why the last try of a delivery had no status, as JSON of a code with values; null also where an earlier release tried.
ALTER TABLE webhook_deliveries ADD COLUMN last_wrong text;
