-- Codes of the reasons that an answer gave, with blanks between; null without one.
ALTER TABLE request_log ADD COLUMN reasons {ctext};
