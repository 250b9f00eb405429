/** One call for each problem code, to paste into a shell; a test runs each of them as it stands here. */
import type { ProblemCode } from '../../contract/partner/problems.ts';

const SEARCH = '"$URL/v1/properties?city=Testville"';
const STAY = 'checkIn=$CHECK_IN&checkOut=$CHECK_OUT';

/** It finds test properties. */
export const FIRST_TEST_CALL = call(SEARCH);

/** The variables are those of the page, and of `docs/contract.md`. */
export const TESTING_CALLS: Readonly<Record<ProblemCode, string>> = {
  VALIDATION_ERROR: call('"$URL/v1/properties?citi=Testville"'),
  INVALID_JSON: call('-H "Content-Type: application/json" -d "{" "$URL/v1/quotes"'),
  PARTNER_AUTH_REQUIRED: `curl -s ${SEARCH}`,
  INVALID_PARTNER_CREDENTIAL: `curl -s -H "Authorization: Bearer sp_test_wrong" ${SEARCH}`,
  PARTNER_ACCESS_REVOKED: forced('revoked'),
  PARTNER_SCOPE_INSUFFICIENT: call(
    `"$URL/v1/properties/test-always/availability?${STAY}"`,
    '$NARROW_TEST_TOKEN',
  ),
  ORIGIN_NOT_ALLOWED: call(`-H "Origin: https://not-listed.example" ${SEARCH}`),
  PARTNER_OPERATION_NOT_FOUND: call('"$URL/v1/nothing"'),
  PROPERTY_NOT_FOUND: call('"$URL/v1/properties/test-hidden"'),
  STAY_UNAVAILABLE: quote('test-sold-out'),
  QUOTE_UNAVAILABLE: quote('test-quote-unavailable'),
  PAYLOAD_TOO_LARGE: `head -c 20000 /dev/zero | ${call('--data-binary @- -H "Content-Type: application/json" "$URL/v1/quotes"')}`,
  RATE_LIMIT_EXCEEDED: forced('rate-limited'),
  INTERNAL_ERROR: forced('internal-error'),
  PARTNER_API_UNAVAILABLE: forced('unavailable'),
  HANDOFF_INVALID:
    'curl -s -H "Authorization: Bearer $OPERATOR_TOKEN" -H "Content-Type: application/json" -d "{\\"handoff\\":\\"x\\"}" "$OPERATOR_URL/handoff/resolve"',
};

function call(rest: string, token = '$TEST_TOKEN'): string {
  return `curl -s -H "Authorization: Bearer ${token}" ${rest}`;
}

function forced(answer: string): string {
  return call(`-H "Stayport-Test: ${answer}" ${SEARCH}`);
}

function quote(propertyId: string): string {
  const stay = '\\"stay\\":{\\"checkIn\\":\\"$CHECK_IN\\",\\"checkOut\\":\\"$CHECK_OUT\\",\\"guests\\":2}';
  const body = `{\\"propertyId\\":\\"${propertyId}\\",${stay},\\"locale\\":\\"en-GB\\"}`;
  return call(`-H "Content-Type: application/json" -d "${body}" "$URL/v1/quotes"`);
}
