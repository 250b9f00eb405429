CREATE TABLE properties (
  property_id text COLLATE "C" PRIMARY KEY,
  city_folded text NOT NULL,
  name text NOT NULL,
  description text,
  property_type text NOT NULL,
  city text NOT NULL,
  country text NOT NULL,
  area text,
  guests integer NOT NULL,
  bathrooms double precision NOT NULL,
  amenities text[] NOT NULL,
  rating_score double precision,
  rating_count integer,
  starting_price text,
  currency text NOT NULL,
  timezone text NOT NULL
);
CREATE INDEX properties_by_city ON properties (city_folded, country);
CREATE TABLE inventory_types (
  type_id integer PRIMARY KEY,
  property_id text COLLATE "C" NOT NULL REFERENCES properties,
  guests_max integer NOT NULL,
  -- Cents, beside the rates of nights.
  included_guests integer,
  extra_guest_rate integer NOT NULL,
  cleaning_fee integer NOT NULL
);
CREATE INDEX inventory_types_by_property ON inventory_types (property_id);
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
CREATE INDEX nights_by_night ON nights (night, type_id);
