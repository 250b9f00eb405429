-- What only the traveller's page shows of a property, JSON: pictures and the terms of a stay.
-- Apart from the document: a quote and a follower read that one, and would read these for nothing.
CREATE TABLE property_details (
  property_id TEXT NOT NULL PRIMARY KEY,
  details TEXT NOT NULL
) STRICT;
