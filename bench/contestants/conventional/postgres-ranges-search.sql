-- $1 folded city, $2 country or null, $3 check-in, $4 check-out, $5 nights, $6 guests, $7 limit, $8 offset
WITH eligible AS MATERIALIZED (
  SELECT DISTINCT t.property_id
  FROM open_nights o
  JOIN inventory_types t ON t.type_id = o.type_id AND t.guests_max >= $6
  JOIN properties p ON p.property_id = t.property_id
  WHERE p.city_folded = $1 AND ($2::text IS NULL OR p.country = $2)
    AND o.nights @> daterange($3, $4)
    AND NOT EXISTS (
      SELECT FROM stay_rules r
      WHERE r.type_id = o.type_id AND r.nights && daterange($3, $4, '[]')
        AND (
          (r.nights @> $3::date AND (r.closed_to_arrival OR r.min_stay_arrival > $5 OR r.max_stay < $5))
          OR (r.nights && daterange($3, $4) AND r.min_stay_through > $5)
          OR (r.nights @> $4::date AND r.closed_to_departure)
        )
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
