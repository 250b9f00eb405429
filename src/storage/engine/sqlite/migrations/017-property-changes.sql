-- When partners last had a reason to read a property again, and who saw it come and go. The order of changes is that of
-- `properties`; a row here whose row_revision is another one than there was not written by the newest writer, which is
-- a release that does not know this table.
CREATE TABLE property_changes (
  property_id TEXT NOT NULL PRIMARY KEY,
  -- The revision in `properties` that this row is about.
  row_revision INTEGER NOT NULL,
  content_revision INTEGER NOT NULL,
  calendar_revision INTEGER NOT NULL,
  -- Of what is stored, without who may see it; null when it is not known.
  content_digest TEXT,
  calendar_digest TEXT,
  -- JSON, a list of partners or "all"; [] when it is withdrawn.
  visible_to TEXT NOT NULL,
  -- JSON: for a partner ('' for all others) the revision at which it began to see the property, or stopped to (negative).
  views TEXT NOT NULL,
  -- Of the newest of these; null when there are none.
  viewed_at_ms INTEGER
) STRICT;
CREATE INDEX property_changes_by_view ON property_changes (viewed_at_ms) WHERE viewed_at_ms IS NOT NULL;

INSERT INTO property_changes
SELECT property_id, revision, revision, revision, NULL, NULL,
  coalesce(CASE json_type(document, '$.visibleTo')
    WHEN 'array' THEN json_extract(document, '$.visibleTo')
    WHEN 'text' THEN '"all"'
  END, '[]'),
  '{}', NULL
FROM properties;
