-- A row per night and inventory type, found by type and night or by night.
CREATE TABLE nights (
  type_id integer NOT NULL,
  night date NOT NULL,
  units integer NOT NULL,
  stop_sell boolean NOT NULL,
  closed_to_arrival boolean NOT NULL,
  closed_to_departure boolean NOT NULL,
  min_stay_arrival integer,
  min_stay_through integer,
  max_stay integer,
  PRIMARY KEY (type_id, night)
);
CREATE INDEX nights_by_night ON nights (night, type_id);
