#!/usr/bin/env bash
# Makes the four calls to a running container. The arguments are the command that runs another one inside of it:
#   ops/try-container.sh docker compose exec -T stayport
set -euo pipefail

inside=("$@")
base=${BASE_URL:-http://127.0.0.1:8080}
field() { "${inside[@]}" node -p "JSON.parse(require('fs').readFileSync(0, 'utf8'))$1"; }

"${inside[@]}" node bin/stayport import catalogue sample/italy.ndjson
partner=$("${inside[@]}" node bin/stayport partner create --name "Container test" --json | field .partnerId)
token=$("${inside[@]}" node bin/stayport credential issue --partner "$partner" --test --json | field .token)
from=$(date -u -d '+30 days' +%F)
to=$(date -u -d '+32 days' +%F)
stay="checkIn=$from&checkOut=$to&guests=2"
call() { curl --silent --show-error --fail-with-body -H "Authorization: Bearer $token" "$@"; echo; }

# A test token sees the sandbox, whose dates are never in the past. A credential works within a second.
sleep 2
call "$base/v1/properties?city=Testville&$stay"
call "$base/v1/properties/test-always"
call "$base/v1/properties/test-always/availability?$stay"
call -H 'Content-Type: application/json' "$base/v1/quotes" \
  --data "{\"propertyId\":\"test-always\",\"stay\":{\"checkIn\":\"$from\",\"checkOut\":\"$to\",\"guests\":2},\"locale\":\"en-GB\"}"
