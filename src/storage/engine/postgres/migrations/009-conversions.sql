-- Quotes that became bookings, as the operator's booking system reports them. A row outlives its quote.
CREATE TABLE conversions (
  -- The booking system's own name of the booking.
  reference text COLLATE "C" NOT NULL PRIMARY KEY,
  quote_id text COLLATE "C" NOT NULL,
  -- Of the quote, which retention may have deleted: its partner and the day (UTC) on which it was made.
  partner_id text COLLATE "C" NOT NULL,
  day bigint NOT NULL,
  is_test bigint NOT NULL,
  -- Null when only its cancellation was reported.
  booked_at_ms bigint,
  cancelled_at_ms bigint,
  -- Minor units, in the currency of the quote; both null when they were not told.
  total bigint,
  currency text COLLATE "C"
);
CREATE INDEX conversions_by_day ON conversions (day, partner_id);
CREATE INDEX conversions_by_quote ON conversions (quote_id);
