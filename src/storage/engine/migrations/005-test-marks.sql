-- Credentials that see only the sandbox, and their quotes, which no report of attribution counts.

ALTER TABLE credentials ADD COLUMN is_test integer NOT NULL DEFAULT 0;
ALTER TABLE quotes ADD COLUMN is_test integer NOT NULL DEFAULT 0;

-- The quotes of a day are still counted without reading them.
DROP INDEX quotes_by_creation;
CREATE INDEX quotes_by_creation ON quotes (created_at_ms, partner_id, quote_id) WHERE is_test = 0;
