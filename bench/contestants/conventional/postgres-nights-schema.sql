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
  rate integer,
  PRIMARY KEY (type_id, night)
);
-- Cents, beside the rates of nights.
CREATE TABLE type_prices (
  type_id integer PRIMARY KEY,
  included_guests integer,
  extra_guest_rate integer NOT NULL,
  cleaning_fee integer NOT NULL
);
CREATE INDEX nights_by_night ON nights (night, type_id);
