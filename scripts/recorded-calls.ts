/**
 * The commands and calls that `record-answers.ts` records. `{name}` stands for the value that this name had in the last
 * answer which had one: `{credentialId}` is the credential that was issued last.
 */
import type { Asked } from '../test/kit/http-exchange.ts';
import { GOOD_REQUESTS } from '../test/kit/partner-client.ts';

/** One line each, split at blanks. Each is run as a program asks (`--json`), and then as a person does. */
export const COMMANDS: readonly string[] = `
partner list
partner create --name Acme --partner-id acme --origin https://acme.example --origin https://two.example
partner create --name Bits
partner create
partner create --name x --origin nowhere
partner create --name x --partner-id -bad-
partner update acme --name Acme-2
partner update acme --disable
partner update acme --enable --origin https://three.example
partner update acme
partner update acme --enable --disable
partner update nobody --disable
partner list
partner nothing
credential list
credential issue --partner acme
credential issue --partner acme --scope quotes:write --scope changes:read --quota 7 --expires 2027-12-31 --test
credential issue --partner nobody
credential issue --partner acme --scope nothing
credential issue --partner acme --quota 0
credential issue --partner acme --expires 2020-01-01
credential issue --partner acme --expires soon
credential rotate {credentialId}
credential rotate {credentialId} --overlap 1h
credential rotate {credentialId} --overlap soon
credential rotate nothing
credential revoke {credentialId}
credential revoke nothing
credential revoke
credential list
credential list --partner acme
credential list --partner nobody
operator-token list
operator-token issue --name shop
operator-token issue --name pms --scope supply:write --source pms --expires 2027-12-31T00:00:00Z
operator-token issue --name x --source manual
operator-token issue --name x --source a|b
operator-token issue --name x --scope nothing
operator-token issue
operator-token revoke {operatorTokenId}
operator-token revoke nothing
operator-token list
handoff keys
handoff rotate-key
handoff rotate-key
handoff keys
handoff retire-key {keyId}
handoff retire-key nothing
handoff inspect nothing
console sessions
console link --name Ada
console link --name Ada --role admin --ttl 5m
console link --name Ada --role nothing
console link --name Ada --ttl 2d
console end
console end nothing
console end --all
console end cs_1 --all
import catalogue hotels.ndjson
import catalogue hotels.ndjson --dry-run --source other
import catalogue missing.ndjson
import catalogue hotels.ndjson --source manual
close --property ponte --from 2026-12-24 --to 2026-12-26
close --property ponte --type double --from 2026-12-28 --to 2026-12-28 --dry-run
close --property ponte --type nothing --from 2026-12-24 --to 2026-12-26
close --property nowhere --from 2026-12-24 --to 2026-12-26
close --property ponte --from 2026-12-26 --to 2026-12-24
close --property ponte --from soon --to later
close
open --property ponte --type double --from 2026-12-24 --to 2026-12-25
open --property ponte --from 2026-12-24 --to 2026-12-26
open --property nowhere --from 2026-12-24 --to 2026-12-26
freshness
freshness --stale-hours 24
source list
source retire pms
source retire nothing
source retire catalogue --dry-run
source retire catalogue --property nowhere
source retire manual --property ponte
property show ponte
property show ponte --source catalogue
property show ponte --source nothing
property show nowhere
property withdraw canal
property withdraw nowhere
quote show nothing
quote explain --property ponte --check-in 2026-12-01 --check-out 2026-12-03 --guests 2
quote explain --property ponte --check-in 2026-12-24 --check-out 2026-12-27 --guests 4
quote explain --property ponte --check-in 2026-12-03 --check-out 2026-12-01 --guests 2
quote explain --property nowhere --check-in 2026-12-01 --check-out 2026-12-03 --guests 2
attribution --from 2026-11-01 --to 2026-11-30
attribution --from 2026-11-01 --to 2026-11-30 --drift --csv
attribution --from 2026-11-30 --to 2026-11-01
requests
traffic
demand
mapping list
mapping set --source channex --external 994d --property ponte --type double
mapping set --source channex --external 995e --property ponte --type nothing
mapping set --source channex --external 996f --property nowhere --type double
mapping set --source channex --external 994d --property -bad- --type double
mapping set --source manual --external 994d --property ponte --type double
mapping set --external 994d
mapping list --source channex
mapping import mappings.csv --source channex
mapping delete --source channex --external 995e
mapping delete --source channex --external nothing
mapping list
ical list
ical subscribe --property ponte --type double --url {feedUrl} --name Airbnb
ical subscribe --property ponte --type nothing --url {feedUrl}
ical subscribe --property nowhere --type double --url {feedUrl}
ical subscribe --property ponte --type double --url ftp://x
ical subscribe --property ponte --type double --url {feedUrl} --every 2d
ical poll {feedId}
ical poll nothing
ical accept {feedId}
ical accept nothing
ical list
ical publish --property ponte --type double
ical publish --property ponte --type nothing
ical published
ical unpublish --property ponte --type double
ical unpublish --property nowhere --type double
ical unsubscribe {feedId}
ical unsubscribe nothing
audit
audit --since 0s
`
  .trim()
  .split('\n');

/** A call: `METHOD path`, then its body and what else is sent. */
export type Call = readonly [line: string, body?: unknown, headers?: Readonly<Record<string, string>>];

const NIGHTS = { propertyId: 'hotel-ponte', dateFrom: '2026-12-24', dateTo: '2026-12-26' };
const FEED = { propertyId: 'hotel-ponte', inventoryTypeId: 'double', url: '{feedUrl}' };
const PUBLISHED = 'inventory-types/hotel-ponte/double/published-calendar';
const ONE_MAPPING = { externalKey: '994d', propertyId: 'hotel-ponte', inventoryTypeId: 'double' };
const KEY = { 'idempotency-key': 'k1' };
const MERGED = { entries: [{ ...NIGHTS, inventoryTypeId: 'double', stopSell: true }] };

/** Below `/supply/v1/`, as a token that may speak for any source, then as one that speaks for `pms`. */
export const SUPPLY_CALLS: readonly Call[] = [
  ['GET sources'],
  ['GET sources?what=1'],
  ['GET properties'],
  ['GET properties?limit=1'],
  ['GET properties?limit=0'],
  ['GET properties/hotel-ponte'],
  ['GET properties/nowhere'],
  ['PATCH calendars?source=pms', MERGED],
  ['PATCH calendars?source=pms', { entries: 1 }],
  ['GET messages/nothing'],
  ['DELETE sources/pms?dryRun=true'],
  ['DELETE sources/pms?propertyId=-bad-'],
  ['DELETE sources/nothing'],
  ['DELETE sources/pms?propertyId=hotel-ponte&dryRun=perhaps'],
  ['DELETE sources/pms?propertyId=nowhere'],
  ['DELETE sources/pms'],
  ['DELETE sources/manual'],
  ['DELETE sources/%ff'],
  ['DELETE sources/owner?what=1'],
  ['GET mappings'],
  ['GET mappings?source=pms'],
  ['GET mappings?after=nothing'],
  ['GET mappings?after=WyIiLCIiXQ'],
  ['PUT mappings?source=pms', { mappings: [ONE_MAPPING] }],
  ['PUT mappings?source=manual', { mappings: [ONE_MAPPING] }],
  ['PUT mappings?source=pms', { mappings: [{ ...ONE_MAPPING, propertyId: '-bad-' }] }],
  ['PUT mappings?source=pms', { mappings: [{ ...ONE_MAPPING, more: 1 }] }],
  ['PUT mappings?source=pms', { mappings: {} }],
  ['PUT mappings?source=pms', { nothing: [] }],
  ['PUT mappings?source=pms', {}],
  ['PUT mappings?source=pms', { mappings: [{}, 7] }],
  ['PUT mappings?source=pms', { mappings: [{ ...ONE_MAPPING, externalKey: ' ' }] }],
  ['PUT mappings?source=pms', { mappings: [{ ...ONE_MAPPING, externalKey: 'x'.repeat(300) }] }],
  ['PUT mappings?source=pms', { mappings: [{ ...ONE_MAPPING, inventoryTypeId: 'a b' }] }],
  ['PUT mappings', { mappings: [ONE_MAPPING] }],
  ['PUT mappings?source=pms', '{'],
  ['PUT mappings?source=pms', { mappings: [ONE_MAPPING] }],
  ['DELETE mappings/994d?source=pms'],
  ['DELETE mappings/994d?source=pms'],
  ['DELETE mappings/994d'],
  ['DELETE mappings/%ff?source=pms'],
  ['GET feeds'],
  ['GET feeds?limit=1'],
  ['POST feeds', { ...FEED, name: 'Airbnb', every: '15m' }, KEY],
  ['POST feeds', { ...FEED, name: 'Airbnb', every: '15m' }, KEY],
  ['POST feeds', { ...FEED, name: 'Booking' }, KEY],
  ['POST feeds', { ...FEED, every: '2d' }],
  ['POST feeds', { ...FEED, every: 30 }],
  ['POST feeds', { ...FEED, url: 'ftp://x' }],
  ['POST feeds', { ...FEED, name: ' ' }],
  ['POST feeds', { ...FEED, name: null, every: null }],
  ['POST feeds', { ...FEED, inventoryTypeId: 'nothing' }],
  ['POST feeds', { ...FEED, propertyId: 'nowhere' }],
  ['POST feeds', { url: '{feedUrl}' }],
  ['POST feeds', { ...FEED, what: 1 }],
  ['POST feeds', []],
  ['POST feeds', ''],
  ['POST feeds', '{"url":1,"url":2}'],
  ['POST feeds', { ...FEED, url: '' }],
  ['POST feeds', { ...FEED, url: 'https://127.0.0.1/' + 'x'.repeat(2000) }],
  ['POST feeds', { ...FEED, url: 'https://user:secret@127.0.0.1/' }],
  ['POST feeds', { ...FEED, every: 'soon', name: 7 }],
  ['POST feeds', { ...FEED, propertyId: 'a b', inventoryTypeId: null }],
  ['POST feeds', FEED, { 'idempotency-key': 'ü' }],
  ['POST feeds?what=1', FEED],
  ['GET feeds/{feedId}'],
  ['GET feeds/nothing'],
  ['GET feeds/%00'],
  ['GET feeds/nothing?what=1'],
  ['GET feeds?after=nothing'],
  ['GET feeds?after=WyJmZWVkIl0'],
  ['POST feeds/{feedId}/poll'],
  ['POST feeds/{feedId}/accept'],
  ['POST feeds/nothing/poll'],
  ['POST feeds/nothing/accept'],
  ['DELETE feeds/nothing'],
  ['DELETE feeds/{feedId}'],
  ['POST close', { ...NIGHTS, dryRun: true }],
  ['POST close', NIGHTS],
  ['POST close', { ...NIGHTS, inventoryTypeId: 'double' }],
  ['POST close', { ...NIGHTS, inventoryTypeId: null }],
  ['POST close', { ...NIGHTS, inventoryTypeId: 'nothing' }],
  ['POST close', { ...NIGHTS, propertyId: 'nowhere' }],
  ['POST close', { ...NIGHTS, dateTo: '2026-12-20' }],
  ['POST close', { ...NIGHTS, dateTo: 'soon' }],
  ['POST close', { propertyId: 'hotel-ponte' }],
  ['POST close', { ...NIGHTS, what: 1 }],
  ['POST close', { ...NIGHTS, dryRun: 'yes' }],
  ['POST open', { ...NIGHTS, dateTo: '2026-12-25' }],
  ['POST open', { ...NIGHTS, propertyId: 7 }],
  ['POST open', NIGHTS],
  ['POST open?what=1', NIGHTS],
  ['POST open', { ...NIGHTS, dateFrom: '2026-02-30', inventoryTypeId: '-' }],
  ['POST open', { ...NIGHTS, dryRun: null }],
  ['POST open', 'nothing'],
  [`POST ${PUBLISHED}`],
  [`POST ${PUBLISHED}`],
  ['POST inventory-types/hotel-ponte/nothing/published-calendar'],
  ['POST inventory-types/nowhere/double/published-calendar'],
  ['POST inventory-types/hotel-ponte/a%20b/published-calendar'],
  ['DELETE inventory-types/../double/published-calendar'],
  [`POST ${PUBLISHED}?what=1`],
  ['GET published-calendars'],
  ['GET published-calendars?limit=1&after=WyJob3RlbCIsIiJd'],
  [`DELETE ${PUBLISHED}`],
  [`DELETE ${PUBLISHED}`],
  ['POST nothing'],
];

const STAY = 'checkIn=2026-12-01&checkOut=2026-12-04';

/** Each as a partner, and without a credential. */
export const PARTNER_CALLS: readonly Asked[] = [
  ...Object.values(GOOD_REQUESTS),
  ...[
    '/v1/properties',
    '/v1/properties?city=Venezia&guests=0&page=x',
    `/v1/properties?city=Venezia&${STAY}&guests=2&locale=en-GB`,
    '/v1/properties/nowhere',
    '/v1/properties/hotel-ponte?what=1',
    '/v1/properties/hotel-ponte/availability?checkIn=2026-12-04',
    '/content/v1/properties/nowhere',
    '/prices/v1/properties/hotel-ponte/calendar?nights=31',
    '/v1/nothing',
    '/problems/stay-unavailable',
    '/openapi.json',
    '/extras/openapi.json',
  ].map((path) => ({ path })),
  { method: 'HEAD', path: '/v1/properties/hotel-ponte' },
  { method: 'DELETE', path: '/v1/quotes' },
  { method: 'POST', path: '/v1/quotes', body: '{' },
  { method: 'POST', path: '/v1/quotes', body: '{"propertyId":"nowhere"}' },
];

export const WEB_PATHS: readonly string[] = [
  '/handoff?handoff={handoff}',
  '/handoff?handoff=nothing',
  '/handoff',
  '/nothing',
];

/** Forms of the console, behind the path of their page: first as a viewer, then as an administrator. */
export const FORMS: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
  ['partners/acme/issue', {}],
  ['partners/acme/issue', { quota: '9', expires: '2027-12-31', test: 'on' }],
  ['partners/acme/issue', { quota: '0' }],
  ['partners/acme/issue', { quota: 'x' }],
  ['partners/acme/issue', { expires: 'soon' }],
  ['partners/acme/issue', { expires: '2020-01-01T00:00:00Z' }],
  ['partners/nobody/issue', {}],
  ['partners/acme/rotate', { credentialId: '{credentialId}', overlap: '1h' }],
  ['partners/acme/rotate', { credentialId: '{credentialId}', overlap: 'soon' }],
  ['partners/acme/rotate', { credentialId: 'nothing' }],
  ['partners/acme/revoke', { credentialId: '{credentialId}' }],
  ['partners/acme/revoke', { credentialId: '{credentialId}' }],
  ['partners/acme/revoke', {}],
  ['properties/hotel-ponte/close', { type: 'double', from: '2026-12-28', to: '2026-12-29' }],
  ['properties/hotel-ponte/close', { from: '2026-12-28', to: '2026-12-29' }],
  ['properties/hotel-ponte/close', { type: 'nothing', from: '2026-12-28', to: '2026-12-29' }],
  ['properties/hotel-ponte/close', { from: 'soon', to: '2026-12-29' }],
  ['properties/hotel-ponte/open', { from: '2026-12-29', to: '2026-12-28' }],
  ['properties/hotel-ponte/open', { from: '2026-12-28', to: '2026-12-29' }],
  ['properties/nowhere/close', { from: '2026-12-28', to: '2026-12-29' }],
  ['supply/accept', { feedId: '{feedId}' }],
  ['supply/accept', { feedId: 'nothing' }],
  ['requests/{correlationId}/ask-again', {}],
  ['requests/nothing/ask-again', {}],
];
