-- $1 folded city, $2 check-in, $3 check-out, $4 nights, $5 guests, $6 limit. Cents; no taxes, as in the city's data.
WITH hosting AS MATERIALIZED (
  SELECT t.property_id,
    sum(n.rate) + $4 * greatest(0, $5 - coalesce(t.included_guests, $5)) * t.extra_guest_rate + t.cleaning_fee AS total
  FROM properties p
  JOIN inventory_types t ON t.property_id = p.property_id AND t.guests_max >= $5
  JOIN nights n ON n.type_id = t.type_id AND n.night >= $2 AND n.night < $3 AND n.units >= 1 AND NOT n.stop_sell
  WHERE p.city_folded = $1
  GROUP BY t.type_id, t.property_id
  HAVING count(*) = $4
    AND coalesce(max(n.min_stay_through), 1) <= $4
    AND bool_and(
      n.night <> $2
      OR (NOT n.closed_to_arrival AND coalesce(n.min_stay_arrival, 1) <= $4 AND coalesce(n.max_stay, $4) >= $4)
    )
    AND NOT EXISTS (SELECT FROM nights d WHERE d.type_id = t.type_id AND d.night = $3 AND d.closed_to_departure)
)
SELECT property_id, min(total)::integer AS total
FROM hosting
GROUP BY property_id
ORDER BY total, property_id
LIMIT $6
