-- How much the price had changed when the page of a quote was first opened, in thousandths of the quoted one. Null where
-- it had not, or where the release before wrote the visit.
ALTER TABLE handoff_visits ADD COLUMN price_change_per_mille bigint;
