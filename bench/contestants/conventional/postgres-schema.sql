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
  guests_max integer NOT NULL
);
CREATE INDEX inventory_types_by_property ON inventory_types (property_id);
