-- Exact stays that were searched and found nothing, and why, as it was last judged.
CREATE TABLE unmet_stays (
  city text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  -- Days since 1970-01-01.
  check_in bigint NOT NULL,
  nights bigint NOT NULL,
  guests bigint NOT NULL,
  searches bigint NOT NULL,
  -- The last day (UTC) on which it was searched.
  last_day bigint NOT NULL,
  -- Null until it is judged.
  judged_at_ms bigint,
  -- JSON: causes and nearest; null too when its check-in has passed everywhere in the city.
  judgement text COLLATE "C",
  PRIMARY KEY (city, country, check_in, nights, guests)
);

CREATE INDEX unmet_stays_by_searches ON unmet_stays (searches);

-- What happened to one call.
CREATE INDEX request_log_by_correlation ON request_log (correlation_id);
