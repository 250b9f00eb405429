CREATE TABLE properties (
  property_id TEXT NOT NULL PRIMARY KEY,
  city_folded TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  property_type TEXT NOT NULL,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  area TEXT,
  guests INTEGER NOT NULL,
  bathrooms REAL NOT NULL,
  amenities TEXT NOT NULL,
  rating_score REAL,
  rating_count INTEGER,
  starting_price TEXT,
  currency TEXT NOT NULL,
  timezone TEXT NOT NULL
) STRICT;
CREATE INDEX properties_by_city ON properties (city_folded, country);
CREATE TABLE inventory_types (
  type_id INTEGER PRIMARY KEY,
  property_id TEXT NOT NULL,
  guests_max INTEGER NOT NULL
) STRICT;
CREATE INDEX inventory_types_by_property ON inventory_types (property_id, guests_max);
CREATE TABLE nights (
  type_id INTEGER NOT NULL,
  night INTEGER NOT NULL,
  units INTEGER NOT NULL,
  stop_sell INTEGER NOT NULL,
  closed_to_arrival INTEGER NOT NULL,
  closed_to_departure INTEGER NOT NULL,
  min_stay_arrival INTEGER,
  min_stay_through INTEGER,
  max_stay INTEGER,
  PRIMARY KEY (type_id, night)
) STRICT, WITHOUT ROWID;
