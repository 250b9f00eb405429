-- $1 ranges of nights as JSON
INSERT INTO nights
SELECT type_id, night, units, stop_sell, closed_to_arrival, closed_to_departure, min_stay_arrival, min_stay_through,
  max_stay, rate
FROM json_to_recordset($1) AS ranges (
  type_id integer, first date, last date, units integer, stop_sell boolean, closed_to_arrival boolean,
  closed_to_departure boolean, min_stay_arrival integer, min_stay_through integer, max_stay integer, rate integer
),
generate_series(first, last, interval '1 day') AS night
