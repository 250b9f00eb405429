-- The open nights of an inventory type as one value, restrictions as ranges.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE TABLE open_nights (
  type_id integer PRIMARY KEY,
  nights datemultirange NOT NULL
);
CREATE INDEX open_nights_by_range ON open_nights USING gist (nights);
CREATE TABLE stay_rules (
  type_id integer NOT NULL,
  nights daterange NOT NULL,
  closed_to_arrival boolean NOT NULL,
  closed_to_departure boolean NOT NULL,
  min_stay_arrival integer,
  min_stay_through integer,
  max_stay integer
);
CREATE INDEX stay_rules_by_range ON stay_rules USING gist (type_id, nights);
