-- Ages of the children among the guests, with commas between, ascending; null where none were given.
ALTER TABLE request_log ADD COLUMN child_ages {ctext};

-- Exact stays that were searched and found nothing: `unmet_stays` with the ages of children in its key. Nothing reads
-- `unmet_stays` any more.
CREATE TABLE unmet_parties (
  city {ctext} NOT NULL,
  country {ctext} NOT NULL,
  -- Days since 1970-01-01.
  check_in {bigint} NOT NULL,
  nights {bigint} NOT NULL,
  guests {bigint} NOT NULL,
  -- As in `request_log`; empty where all are adults.
  child_ages {ctext} NOT NULL,
  searches {bigint} NOT NULL,
  -- The last day (UTC) on which it was searched.
  last_day {bigint} NOT NULL,
  -- Null until it is judged.
  judged_at_ms {bigint},
  -- JSON: causes and nearest; null too when its check-in has passed everywhere in the city.
  judgement {ctext},
  PRIMARY KEY (city, country, check_in, nights, guests, child_ages)
) {keyed};
CREATE INDEX unmet_parties_by_searches ON unmet_parties (searches);
INSERT INTO unmet_parties
  SELECT city, country, check_in, nights, guests, '', searches, last_day, judged_at_ms, judgement FROM unmet_stays;
