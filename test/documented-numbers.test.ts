/**
 * Numbers in pages for people, each as the constant of the code that enforces it. Defaults of settings, tables of codes
 * and measured figures are written by `npm run tables`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as sessions from '../src/access/console-sessions.ts';
import { NETWORKS_MAX } from '../src/access/networks.ts';
import { CHALLENGE_MS_MAX, PASSKEYS_OF_PERSON_MAX } from '../src/access/passkeys.ts';
import { FIRST_LINK_TTL_MS } from '../src/app/cli/commands/first-link.ts';
import * as importFolder from '../src/app/service/imports/import-folder.ts';
import * as mcp from '../src/app/service/listeners/mcp-wiring.ts';
import { LOOK_MS_MAX } from '../src/app/service/pictures/picture-process.ts';
import * as pictures from '../src/app/service/pictures/picture-task.ts';
import { PAGES_WAITING_MAX } from '../src/app/service/context/reports.ts';
import { UPLOADS_MAX } from '../src/app/service/pictures/uploaded-pictures.ts';
import { MINUTES_KEPT_MS, UNMET_STAYS_MAX } from '../src/operator/activity/activity-retention.ts';
import { TRAFFIC_DAYS_KEPT } from '../src/operator/activity/activity-retention.ts';
import * as demandTable from '../src/operator/activity/demand-table.ts';
import { STAYS_JUDGED_MAX } from '../src/operator/activity/denial-analysis.ts';
import { RECENT_REQUESTS_MAX } from '../src/operator/activity/recent-requests.ts';
import { TRAFFIC_ROWS_MAX } from '../src/operator/activity/traffic-table.ts';
import { FILE_BYTES_MAX } from '../src/console/reading/import-state.ts';
import { MISTAKES_SHOWN_MAX } from '../src/supply/run/mistake-list.ts';
import { DAYS_SHOWN_MAX } from '../src/console/reading/paths.ts';
import { OPEN_NIGHTS, SORTED_MAX } from '../src/console/reading/property-table.ts';
import { SILENT_MS_MIN } from '../src/console/reading/sources.ts';
import { FORM_FIELDS_MAX } from '../src/console/http/console-exchange.ts';
import * as fileForm from '../src/console/http/file-form.ts';
import { PAGE_LIMITS, PICTURE_LIMITS } from '../src/console/http/request-limits.ts';
import { WRONG_ATTEMPTS_MAX } from '../src/console/http/sessions.ts';
import { BODY_BYTES_OF_TOKEN_MAX, BODY_BYTES_UNDERWAY_MAX } from '../src/operator/listener/memory-budget.ts';
import { AUDIT_ROWS_SHOWN_MAX } from '../src/console/pages/audit/read.ts';
import { DEMAND_ROWS_MAX, UNKNOWN_ROWS_MAX } from '../src/console/pages/demand/read.ts';
import { HEAT_MAP_MONTHS, TYPES_PER_PAGE } from '../src/console/pages/properties/read.ts';
import * as bulk from '../src/console/pages/pictures/acts.ts';
import { PROPERTIES_LISTED_MAX } from '../src/console/pages/pictures/read.ts';
import { UPLOAD_BYTES_MAX } from '../src/console/pages/property-form/pictures.ts';
import { PROPERTY_FORM_BYTES_MAX } from '../src/console/pages/property-form/save.ts';
import { PROPERTIES_JUDGED_MAX, REQUESTS_SHOWN } from '../src/console/pages/requests/read.ts';
import { JSON_ROWS_MAX, MESSAGES_SHOWN } from '../src/console/pages/supply/read.ts';
import * as foundStays from '../src/console/reading/found-stays.ts';
import * as today from '../src/console/pages/today/read.ts';
import { PAGE_LIMIT_MAX } from '../src/contract/operator/supply-parts.ts';
import { PRICED_IDS_MAX, WAIT_SECONDS_MAX, WINDOW_DATES_MAX } from '../src/contract/partner/limits.ts';
import { QUERY_PAIRS_MAX } from '../src/contract/reading/sent-pairs.ts';
import * as documents from '../src/domain/document/document-limits.ts';
import { SOURCE_LENGTH_MAX } from '../src/domain/layers.ts';
import { ENTRIES_KEPT_BYTES_MAX, NOTE_BYTES_MAX } from '../src/domain/ledger/message.ts';
import { IDEMPOTENCY_KEY_MS } from '../src/domain/ledger/rows.ts';
import { TRACED_MESSAGES_MAX } from '../src/domain/ledger/trace-property.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/domain/local-date.ts';
import { OPENING_DAYS_MAX } from '../src/domain/nearest-shifts.ts';
import { CITY_LENGTH_MAX, ID_LENGTH_MAX } from '../src/domain/property.ts';
import { IMAGES_MAX } from '../src/domain/property-details.ts';
import { ADVANCE_DAYS_MAX, STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../src/domain/stay-limits.ts';
import { IMPORT_MS_MAX, IMPORT_MS_PER_MIB } from '../src/http/listener/body-chunks.ts';
import { LOOPBACK_PLACES } from '../src/http/listener/connections.ts';
import { CLOSE_GRACE_MS } from '../src/http/listener/listener.ts';
import { PIPELINED_MAX } from '../src/http/listener/pipelining.ts';
import { FAILURE_LINES_PER_SECOND_MAX } from '../src/http/observability/failure-log.ts';
import { CREDENTIALS_COUNTED_MAX } from '../src/http/observability/metrics/request-meter.ts';
import { PICTURE_BYTES_MAX } from '../src/http/pages/picture-kind.ts';
import { WAITING_PER_CREDENTIAL_MAX } from '../src/partner/changes/long-polls.ts';
import { SANDBOX_CHANGE_MS } from '../src/partner/changes/sandbox-feed.ts';
import { DAYS_MOVED_MAX, SLOW_AT_ONCE_MAX, SLOW_SECONDS_MAX } from '../src/partner/http/sandbox-hook.ts';
import { SANDBOX_DAYS_WAITING_MAX } from '../src/partner/sandbox/sandbox.ts';
import { CHANGES_PAUSE_FAILING_MS, CHANGES_PAUSE_MS } from '../src/partner/webhooks/announce-changes.ts';
import { EXPIRY_NOTICE_MS } from '../src/partner/webhooks/announce-expiry.ts';
import { DELIVERIES_MAX, DELIVERY_DAYS_MAX } from '../src/partner/webhooks/delivery-retention.ts';
import { TRY_MS_MAX } from '../src/partner/webhooks/post-delivery.ts';
import { CLAIM_AGAIN_MS, CLAIM_MS } from '../src/partner/webhooks/start-webhooks.ts';
import { TRY_DELAYS_MS } from '../src/partner/webhooks/try-times.ts';
import { ROTATION_OVERLAP_MS } from '../src/partner/webhooks/webhook-changes.ts';
import * as sender from '../src/partner/webhooks/webhook-sender.ts';
import * as overload from '../src/runtime/event-loop-watch.ts';
import { CONVERSIONS_PER_QUOTE_MAX } from '../src/storage/conversions/store.ts';
import * as postgres from '../src/storage/engine/postgres/connections.ts';
import { RESERVE_BYTES, ROOM_BYTES_MIN } from '../src/storage/engine/sqlite/disk-room.ts';
import { STAMPS_MAX } from '../src/storage/history/history.ts';
import { AUDIT_DAYS_MAX } from '../src/storage/portable-sql/signed.ts';
import { SETUP_PROPERTIES_MAX } from '../src/storage/setup/sql.ts';
import { WEBHOOKS_PER_PARTNER_MAX } from '../src/storage/webhooks/store.ts';
import { CALENDAR_BYTES_MAX, EVENTS_MAX } from '../src/supply/ical/calendar-text.ts';
import { FETCH_MS_MAX, REDIRECTS_MAX, SILENCE_MS_MAX } from '../src/supply/ical/fetch-feed.ts';
import { BACKOFF_MS_MAX } from '../src/supply/polling/next-poll.ts';
import { HEAP_MB_MAX, READ_MS_MAX } from '../src/supply/ical/read-off-thread.ts';
import { OCCURRENCES_MAX } from '../src/supply/ical/series-nights.ts';
import * as messages from '../src/supply/messages/message-limits.ts';
import { ENTRIES_ANSWERED_MAX } from '../src/supply/messages/read-supply.ts';
import { JSON_DEPTH_MAX } from '../src/supply/native/json-text.ts';
import { LINE_BYTES_MAX } from '../src/supply/text/ndjson-lines.ts';
import { VISITS_WAITING_MAX } from '../src/traveller/attribution/visit-log.ts';
import { CONTRAST_MIN } from '../src/traveller/web/accent.ts';

const ROOT = join(import.meta.dirname, '..');

const written = (value: number): string => value.toLocaleString('en');
const kib = (bytes: number): number => bytes / 1024;
const mib = (bytes: number): number => bytes / 2 ** 20;
const seconds = (ms: number): number => ms / 1000;
const minutes = (ms: number): number => ms / MINUTE_MS;
const hours = (ms: number): number => ms / HOUR_MS;
const days = (ms: number): number => ms / DAY_MS;
/** `2, 5 and 24 hours`, of some delays in milliseconds. */
const hoursOf = (delaysMs: readonly number[]): string =>
  `${delaysMs.slice(0, -1).map(hours).join(', ')} and ${hours(delaysMs.at(-1)!)} hours`;

/** Sentences of each page, with the constant in place of the number. Line breaks of prose stand anywhere. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'docs/console.md': [
    `valid ${minutes(FIRST_LINK_TTL_MS)} minutes`,
    `A session ends after ${minutes(sessions.SESSION_IDLE_MS_MAX)} minutes without a request, and after ${hours(sessions.SESSION_MS_MAX)} hours`,
    `opened less than ${minutes(sessions.FRESH_SIGN_IN_MS_MAX)} minutes ago`,
    `must be younger than ${minutes(sessions.FRESH_SIGN_IN_MS_MAX)} minutes`,
    `counts as young for ${minutes(sessions.FIRST_SIGN_IN_MS_MAX)} minutes`,
    `a person has ${PASSKEYS_OF_PERSON_MAX} at most`,
    `once, within ${minutes(CHALLENGE_MS_MAX)} minutes`,
    `what partners asked, ${REQUESTS_SHOWN} to a page`,
    `${HEAT_MAP_MONTHS} months of nights`,
    `who changed what, the newest ${AUDIT_ROWS_SHOWN_MAX}`,
    `at most ${written(JSON_ROWS_MAX)} rows of each kind and ${MESSAGES_SHOWN} messages`,
    `\`/console/demand\` ${written(DEMAND_ROWS_MAX)} rows of \`demand\` and ${UNKNOWN_ROWS_MAX} of \`unknown\``,
    `While ${PAGES_WAITING_MAX} pages are waiting`,
    `ends within ${today.EXPIRY_NOTICE_DAYS} days`,
    `the hour before (${today.ERRORS_MIN} or more)`,
    `with more than ${foundStays.PARTNERS_ASKED_MAX} partners it stays listed`,
    `after ${hours(SILENT_MS_MIN)} hours at least`,
    `After another ${days(today.FORGOTTEN_MS)} days the source`,
    `after ${TRAFFIC_DAYS_KEPT} days nothing`,
    `the first ${PROPERTIES_JUDGED_MAX} properties of the city`,
    `It takes at most ${DAYS_SHOWN_MAX} days`,
    `or a maximum below ${STAY_NIGHTS_MAX} nights`,
    `A page shows ${TYPES_PER_PAGE} inventory types`,
    `the next ${OPEN_NIGHTS} nights that are open`,
    `Fewer than ${written(SORTED_MAX)} properties are counted`,
    `at most ${mib(FILE_BYTES_MAX)} MB, packed with gzip or not (${mib(importFolder.UNPACKED_BYTES_MAX) / 1024} GB unpacked)`,
    `the first ${MISTAKES_SHOWN_MAX} rejected lines`,
    `At most ${importFolder.FILES_WAITING_MAX} wait`,
    `if less than ${mib(FILE_BYTES_MAX + importFolder.DISK_RESERVE_BYTES)} MB of the disk`,
    `in the ${written(SETUP_PROPERTIES_MAX)} properties that changed last`,
    `${UPLOAD_BYTES_MAX / 1e6} MB and ${pictures.PICTURE_AREA_MAX / 1e6} million pixels each, ${IMAGES_MAX} of a property, ${UPLOADS_MAX} in a minute`,
    `${written(bulk.FILES_MAX)} at once. A file belongs`,
    `the pictures of up to ${bulk.PROPERTIES_MAX} properties`,
    `id and name of ${PROPERTIES_LISTED_MAX} properties`,
    `At most ${fileForm.UPLOADS_AT_ONCE_MAX} arrive at a time, ${fileForm.UPLOADS_AT_ONCE_OF_PERSON_MAX} of one person`,
    `at most ${written(pictures.MADE_WIDTH_MAX)} pixels wide`,
    `of more than ${mib(PICTURE_BYTES_MAX)} MB becomes a WebP`,
    `Decoding has ${seconds(pictures.PICTURE_MS_MAX)} seconds and ${mib(pictures.PICTURE_MEMORY_MAX)} MiB`,
    `at most ${mib(PROPERTY_FORM_BYTES_MAX)} MB and ${written(FORM_FIELDS_MAX)} fields`,
    `Entries are kept for ${AUDIT_DAYS_MAX} days`,
    `More than ${WRONG_ATTEMPTS_MAX} wrong links, passkeys or sessions a minute`,
    `${PAGE_LIMITS.ofSession} pages a second, ${PAGE_LIMITS.underWay} at a time, and an address ${PAGE_LIMITS.ofAddress}; ${PICTURE_LIMITS.ofSession} pictures, ${PICTURE_LIMITS.underWay} at a time, and an address ${written(PICTURE_LIMITS.ofAddress)}`,
    `A session is ${8 * sessions.SECRET_BYTES} random bits`,
  ],
  'docs/webhooks.md': [
    `at most once in ${seconds(CHANGES_PAUSE_MS)} seconds`,
    `a credential ends within ${days(EXPIRY_NOTICE_MS)} days`,
    `Answer with 2xx within ${seconds(TRY_MS_MAX)} seconds`,
    `tried again after ${seconds(TRY_DELAYS_MS[1]!)} seconds, ${minutes(TRY_DELAYS_MS[2]!)} and ${minutes(TRY_DELAYS_MS[3]!)} minutes, ${hoursOf(TRY_DELAYS_MS.slice(4))}`,
    `A partner has at most ${WEBHOOKS_PER_PARTNER_MAX} webhooks`,
    `the old ones sign as well for ${hours(ROTATION_OVERLAP_MS)} hours`,
    `kept for ${DELIVERY_DAYS_MAX} days and ${written(DELIVERIES_MAX)} of each endpoint`,
    `within ${seconds(CLAIM_MS + CLAIM_AGAIN_MS)} seconds`,
    `with more than ${written(DELIVERIES_MAX)} deliveries loses`,
    `replaces it every ${minutes(CHANGES_PAUSE_FAILING_MS)} minutes`,
    `gets one try, up to ${sender.PER_ENDPOINT_MAX} at once`,
    `half of the ${sender.TRIES_AT_ONCE_MAX} tries of a process`,
    `fails for ${days(sender.FAILING_MS_MAX)} days, and at least ${sender.FAILING_TRIES_MIN} times`,
  ],
  'docs/traveller.md': [
    `a contrast of at least ${CONTRAST_MIN} to 1`,
    `SVG up to ${mib(PICTURE_BYTES_MAX)} MB are served`,
    `${written(pictures.LOOKED_FILES_MAX)} files or ${seconds(LOOK_MS_MAX)} seconds of each run`,
    `One address may load ${IMAGES_MAX} pictures for each page`,
    `at most ${OPENING_DAYS_MAX} days away`,
    `the visits of up to ${written(VISITS_WAITING_MAX)} quotes wait in memory`,
  ],
  'docs/supply.md': [
    `1..${ID_LENGTH_MAX} of \`A-Z a-z 0-9 . _ ~ -\``,
    `1..${documents.SUPPLY_AGE_HOURS_MAX}: all nights close`,
    `Limits of a document: ${written(documents.INVENTORY_TYPES_MAX)} inventory types, ${documents.TAXES_MAX} tax rules`,
    `${written(documents.TAXED_TYPES_MAX)} as the product of both`,
    `and ${written(documents.DOCUMENT_ENTRIES_MAX)}`,
    `at most ${IMAGES_MAX}, shown in this order`,
    `at most ${written(documents.HOUSE_RULES_LENGTH_MAX)} characters`,
    `at most ${documents.REGISTRATION_NUMBER_LENGTH_MAX} characters: the CIN`,
    `at most ${documents.SELLER_LENGTH_MAX} characters: who sells`,
    `0..${ADVANCE_DAYS_MAX}: days from today`,
    `1 to ${SOURCE_LENGTH_MAX} of \`A-Z a-z 0-9 . _ : ~ -\``,
    `Only the last ${TRACED_MESSAGES_MAX} messages`,
    `nested more than ${JSON_DEPTH_MAX} levels deep`,
    `the first answer for ${hours(IDEMPOTENCY_KEY_MS)} hours`,
    `all of them together ${mib(BODY_BYTES_UNDERWAY_MAX)} MiB (503)`,
    `the first ${kib(ENTRIES_KEPT_BYTES_MAX)} KB of its entries are kept`,
    `shows up to ${mib(ENTRIES_ANSWERED_MAX)} MB of them`,
    `${written(messages.MESSAGE_ENTRIES_MAX)} entries, the first ${messages.MESSAGE_ERRORS_MAX} mistakes listed and ${kib(NOTE_BYTES_MAX)} KB of them kept`,
    `${mib(BODY_BYTES_UNDERWAY_MAX)} MiB in all and ${mib(BODY_BYTES_OF_TOKEN_MAX)} MiB of one token`,
    `${seconds(IMPORT_MS_MAX)} s and ${seconds(IMPORT_MS_PER_MIB)} s per MiB for its sender, ${mib(LINE_BYTES_MAX)} MiB a line`,
    `over ${kib(messages.INLINE_BYTES_MAX)} KiB are parsed in a thread of ${messages.PARSER_HEAP_MB_MAX} MB`,
    `set \`?limit=\` up to ${PAGE_LIMIT_MAX}`,
    `up to ${hours(BACKOFF_MS_MAX)} hours; a \`Retry-After\` is respected`,
    `of a calendar: ${mib(CALENDAR_BYTES_MAX)} MB, ${seconds(FETCH_MS_MAX)} s in all and ${seconds(SILENCE_MS_MAX)} s of silence, ${REDIRECTS_MAX} redirects`,
    `${written(EVENTS_MAX)} events, ${written(OCCURRENCES_MAX)} occurrences`,
    `needs ${HEAP_MB_MAX} MB or ${seconds(READ_MS_MAX)} s`,
  ],
  'docs/operating.md': [
    `At most ${postgres.CONNECTIONS_MAX + 1} connections per worker`,
    `at most ${postgres.CONNECTIONS_MAX} more`,
    `connection lives for at most ${postgres.LIFE_SECONDS} s`,
    `at most ${postgres.DECISION_WAIT_MS} ms for its read and ${postgres.DECISION_WAIT_MS} ms for its write`,
    `Following waits at most ${seconds(postgres.FOLLOWING_WAIT_MS)} s, locks ${seconds(postgres.BACKGROUND_LOCK_MS)} s, statements ${seconds(postgres.BACKGROUND_STATEMENT_MS)} s`,
    `connections of followers for ${postgres.FOLLOWING_LIFE_SECONDS} s`,
    `With less than ${mib(ROOM_BYTES_MIN)} MiB left`,
    `\`stayport.db-reserve\` (${mib(RESERVE_BYTES)}`,
    `limited to up to ${NETWORKS_MAX} networks`,
    `Files up to ${mib(PICTURE_BYTES_MAX)} MB`,
    `the quote has ${CONVERSIONS_PER_QUOTE_MAX} references`,
    `more than ${PIPELINED_MAX} requests waited on it`,
    `at most ${PIPELINED_MAX} requests waiting behind it`,
    `The first ${CREDENTIALS_COUNTED_MAX} credentials of a process have their own series`,
    `After ${FAILURE_LINES_PER_SECOND_MAX} such lines in a second`,
    `after ${STAMPS_MAX / 1e6} million later writes`,
    `by minute for ${hours(MINUTES_KEPT_MS)} hours, then by day for ${TRAFFIC_DAYS_KEPT} days`,
    `the last ${written(RECENT_REQUESTS_MAX)} answers of each worker`,
    `${written(demandTable.DEMAND_ROWS_MAX)} kinds of searches, ${written(demandTable.UNMET_ROWS_MAX)} stays that found nothing, ${written(demandTable.UNKNOWN_PLACES_MAX)} unknown places and ${written(TRAFFIC_ROWS_MAX)} kinds of answers`,
    `The ${STAYS_JUDGED_MAX} most searched stays are judged`,
    `${written(UNMET_STAYS_MAX)} are kept`,
    `above ${seconds(overload.LATE_MS_MAX)} s mean overload`,
    `samples below ${seconds(overload.CALM_MS_MAX)} s`,
    `Loopback has ${LOOPBACK_PLACES} extra places`,
    `up to ${CLOSE_GRACE_MS / 1000} s more`,
  ],
  'docs/decisions/010-postgresql.md': [`at most ${postgres.CONNECTIONS_MAX + 1} connections`],
  'docs/contract.md': [
    `check-in on any of up to ${WINDOW_DATES_MAX} dates`,
    `of the same length within ${OPENING_DAYS_MAX} days`,
    `1 to ${STAY_NIGHTS_MAX} occupied nights`,
    `1..${ID_LENGTH_MAX} characters of`,
    `\`city\` (1..${CITY_LENGTH_MAX} characters, required)`,
    `\`guests\` (1..${STAY_GUESTS_MAX};`,
    `${QUERY_PAIRS_MAX} at most`,
    `up to ${ID_LENGTH_MAX} characters`,
    `after up to ${SLOW_SECONDS_MAX} seconds; 503 when ${SLOW_AT_ONCE_MAX} slow answers`,
    `at most ${DAYS_MOVED_MAX} days away; 503 when ${SANDBOX_DAYS_WAITING_MAX} other days`,
    `back for up to ${WAIT_SECONDS_MAX} seconds`,
    `At most ${WAITING_PER_CREDENTIAL_MAX} requests of a credential wait`,
    `something changes every ${seconds(SANDBOX_CHANGE_MS)} seconds`,
  ],
  'mcp/README.md': [
    `A body has at most ${kib(mcp.BODY_BYTES_MAX)} KiB`,
    `at most ${mcp.CONNECTIONS_MAX} connections, and ${mcp.CONNECTIONS_PER_ADDRESS_MAX} from one address`,
  ],
  'sdk/README.md': [`at up to ${PRICED_IDS_MAX} properties`, `such as ${STAY_NIGHTS_MAX} nights`],
  'src/portal/guide/testing-page.ts': [
    `up to ${SLOW_SECONDS_MAX} seconds; 503 when ${SLOW_AT_ONCE_MAX} slow answers`,
    `at most ${DAYS_MOVED_MAX} days away; 503 when ${SANDBOX_DAYS_WAITING_MAX} other days`,
  ],
  'src/portal/guide/changes-page.ts': [
    `at most once in ${seconds(CHANGES_PAUSE_MS)} seconds`,
    `ends within ${days(EXPIRY_NOTICE_MS)} days`,
    `2xx within ${seconds(TRY_MS_MAX)} seconds`,
    `every ${seconds(SANDBOX_CHANGE_MS)} seconds`,
  ],
  'src/console/web/messages/frame-texts.ts': [
    `more than ${mib(PROPERTY_FORM_BYTES_MAX)} MB or ${written(FORM_FIELDS_MAX)} fields, more rows than a property may have, or its files more than ${IMAGES_MAX} times ${UPLOAD_BYTES_MAX / 1e6} MB`,
    `supera ${mib(PROPERTY_FORM_BYTES_MAX)} MB o ${FORM_FIELDS_MAX.toLocaleString('it', { useGrouping: 'always' })} campi, ha più righe di quante una struttura possa avere, o i suoi file ${IMAGES_MAX} volte ${UPLOAD_BYTES_MAX / 1e6} MB`,
  ],
  'src/console/pages/properties/messages.ts': [
    `There are ${written(SORTED_MAX)} properties or more`,
    `almeno ${SORTED_MAX.toLocaleString('it')} strutture`,
  ],
  'src/contract/operator/problems.ts': [
    `of the last ${minutes(sessions.FRESH_SIGN_IN_MS_MAX)} minutes`,
    `Within ${hours(IDEMPOTENCY_KEY_MS)} hours`,
  ],
  'src/contract/operator/supply-parts.ts': [`the first answer for ${hours(IDEMPOTENCY_KEY_MS)} hours`],
};

describe('Numbers in pages for people', () => {
  for (const [page, sentences] of Object.entries(SENTENCES)) {
    const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/\s+/g, ' ');
    for (const sentence of sentences)
      it(`${page}: ${sentence}`, () => assert.ok(text.includes(sentence), `${page} says another number`));
  }
});
