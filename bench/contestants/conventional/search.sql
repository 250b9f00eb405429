-- $1 folded city, $2 country or null, $3 check-in, $4 check-out, $5 nights, $6 guests, $7 limit, $8 offset
WITH eligible AS MATERIALIZED (
  SELECT DISTINCT hosting.property_id
  FROM (
    SELECT t.type_id, t.property_id
    FROM properties p
    JOIN inventory_types t ON t.property_id = p.property_id AND t.guests_max >= $6
    JOIN nights n ON n.type_id = t.type_id AND n.night >= $3 AND n.night < $4 AND n.units >= 1 AND NOT n.stop_sell
    WHERE p.city_folded = $1 AND ($2::text IS NULL OR p.country = $2)
    GROUP BY t.type_id, t.property_id
    HAVING count(*) = $5
      AND coalesce(max(n.min_stay_through), 1) <= $5
      AND bool_and(
        n.night <> $3
        OR (NOT n.closed_to_arrival AND coalesce(n.min_stay_arrival, 1) <= $5 AND coalesce(n.max_stay, $5) >= $5)
      )
  ) hosting
  WHERE NOT EXISTS (
    SELECT FROM nights d WHERE d.type_id = hosting.type_id AND d.night = $4 AND d.closed_to_departure
  )
)
SELECT counted.total, page.*
FROM (SELECT count(*)::integer AS total FROM eligible) counted
LEFT JOIN LATERAL (
  SELECT p.*
  FROM (SELECT property_id FROM eligible ORDER BY property_id LIMIT $7 OFFSET $8) ids
  JOIN properties p USING (property_id)
) page ON true
ORDER BY page.property_id
