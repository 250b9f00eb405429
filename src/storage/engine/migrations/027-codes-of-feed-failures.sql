-- Why the last poll of a feed failed, as JSON of a code with values; null also where an earlier release polled.
ALTER TABLE ical_feeds ADD COLUMN failure_wrong text;
