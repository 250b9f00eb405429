-- Exact stays that were searched and found nothing, and why, as it was last judged.
CREATE TABLE unmet_stays (
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  -- Days since 1970-01-01.
  check_in INTEGER NOT NULL,
  nights INTEGER NOT NULL,
  guests INTEGER NOT NULL,
  searches INTEGER NOT NULL,
  -- The last day (UTC) on which it was searched.
  last_day INTEGER NOT NULL,
  -- Null until it is judged.
  judged_at_ms INTEGER,
  -- JSON: causes and nearest; null too when its check-in has passed everywhere in the city.
  judgement TEXT,
  PRIMARY KEY (city, country, check_in, nights, guests)
) STRICT, WITHOUT ROWID;

CREATE INDEX unmet_stays_by_searches ON unmet_stays (searches);

-- What happened to one call.
CREATE INDEX request_log_by_correlation ON request_log (correlation_id);
