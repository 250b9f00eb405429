-- Quotes that became bookings, as the operator's booking system reports them. A row outlives its quote.
CREATE TABLE conversions (
  -- The booking system's own name of the booking.
  reference TEXT NOT NULL PRIMARY KEY,
  quote_id TEXT NOT NULL,
  -- Of the quote, which retention may have deleted: its partner and the day (UTC) on which it was made.
  partner_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  is_test INTEGER NOT NULL,
  -- Null when only its cancellation was reported.
  booked_at_ms INTEGER,
  cancelled_at_ms INTEGER,
  -- Minor units, in the currency of the quote; both null when they were not told.
  total INTEGER,
  currency TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX conversions_by_day ON conversions (day, partner_id);
CREATE INDEX conversions_by_quote ON conversions (quote_id);
