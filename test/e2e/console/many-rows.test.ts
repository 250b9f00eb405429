/** Every page of the console with no rows, one, forty and ten thousand of each kind: bounded in bytes, and none breaks. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONSOLE_PAGES } from '../../../src/console/http/console-routes.ts';
import { formatLocalDate } from '../../../src/domain/local-date.ts';
import { OPERATOR_TOKEN, PARTNER } from '../../../src/storage/access/store.ts';
import { DURATION_BUCKETS } from '../../../src/storage/activity/store.ts';
import { CONNECTION } from '../../../src/storage/connections/store.ts';
import { sampleConnection } from '../../suites/storage/connection-suite.ts';
import { FEED } from '../../../src/storage/feeds/store.ts';
import { PASSKEY } from '../../../src/storage/passkeys/store.ts';
import type { StoredRow } from '../../../src/storage/portable-sql/stored-row.ts';
import { QUOTE } from '../../../src/storage/quotes/store.ts';
import { SESSION } from '../../../src/storage/sessions/store.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { type Installation, startInstallation } from '../../kit/installation.ts';
import {
  sampleCredential,
  sampleOperatorToken,
  samplePartner,
  sampleQuote,
} from '../../suites/storage/sample-rows.ts';
import { FIRST_NIGHT, OPEN, suppliedWrite } from '../../suites/storage/supply-samples.ts';

const BYTES_MAX = 60_000;
/** Several lists, each with forms in its rows; the form of a property, and its nights of fourteen months. */
const LONG_BYTES_MAX = 200_000;
const LONG = /^\/console\/(?:supply\b|new-property$|properties\/[^/]+(?:\/edit)?$)/;
/** Of one quote and of one file, however many there are. */
const OF_ONE = /\{quoteId\}|\{importId\}/;
const COUNTS = [0, 1, 40, 10_000];
const AT_ONCE = 2_500;
/** More people, or acts, than a filter offers as choices. */
const PEOPLE_MAX = 150;
/** More accounts than one operator connects; rooms are in `connections.test.ts`. */
const CONNECTIONS_MAX = 40;
/** Below the limit of pages that a person opens in a second. */
const PAUSE_MS = 20;

describe('The console with so many rows', () => {
  let installation: Installation;
  let admin: ConsoleClient;
  let stored = 0;
  before(async () => {
    const running = await startInstallation([]);
    ({ installation } = running);
    admin = await signInTo(installation, running.service.operatorUrl, { role: 'admin', name: 'Ada' });
  });
  after(() => installation.close());

  for (const count of COUNTS)
    it(`answers each page within its bytes: ${count} of each kind`, async () => {
      for (; stored < count; stored = Math.min(count, stored + AT_ONCE)) {
        const until = Math.min(count, stored + AT_ONCE);
        await storeRows(
          installation,
          Array.from({ length: until - stored }, (_, index) => stored + index),
        );
      }
      const sizes: string[] = [];
      for (const path of pathsOf(count)) {
        const { status, text } = await admin.get(path, { 'accept-language': 'it-IT' });
        await sleep(PAUSE_MS);
        assert.equal(status, 200, `${path}: ${text.slice(0, 400)}`);
        const bytesMax = LONG.test(path) ? LONG_BYTES_MAX : BYTES_MAX;
        const bytes = Buffer.byteLength(text);
        if (bytes > bytesMax) sizes.push(`${path} has ${bytes} bytes`);
      }
      assert.deepEqual(sizes, []);
    });

  /** Each page, with the first row of each kind where its path names one. */
  function pathsOf(count: number): readonly string[] {
    const values: Readonly<Record<string, string>> = {
      partnerId: idOf('partner', 0),
      name: idOf('connection', 0),
      kind: 'smoobu',
      webhookId: 'wh_0',
      correlationId: idOf('request', 0),
      propertyId: idOf('property', 0),
      typeId: 'double',
      inventoryTypeId: 'double',
      date: formatLocalDate(FIRST_NIGHT + 3),
    };
    const paths = CONSOLE_PAGES.map(({ path }) => path).filter((path) => !OF_ONE.test(path));
    const named = paths
      .filter((path) => count > 0 || !path.includes('{'))
      .map((path) =>
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          assert.ok(values[name] !== undefined, `no value of ${name}`);
          return values[name];
        }),
      );
    return [...named, ...(count === 0 ? [] : [explained, '/console/supply?search=feed', searched])];
  }
});

const explained = `/console/properties/${idOf('property', 0)}/explain?checkIn=2026-12-02&checkOut=2026-12-04&guests=2`;
const searched = '/console/properties?search=casa';

function idOf(kind: string, index: number): string {
  return `${kind}-${String(index).padStart(5, '0')}`;
}

/** Rows with these numbers, one of each kind: each property of a source, each credential of a partner of its own. */
async function storeRows({ storage, time, databasePath }: Installation, indexes: readonly number[]) {
  const { nowMs } = time;
  const day = Math.floor(nowMs / 86_400_000);
  const signed = storage.asAuthor({ person: 'Ada', role: 'admin', act: 'test' });
  await storage.writeProperties(
    indexes.map((index) =>
      suppliedWrite(idOf('property', index), [[OPEN]], {
        name: `Casa ${index}`,
        source: idOf('source', index),
      }),
    ),
  );
  for (const index of indexes.filter((one) => one < PEOPLE_MAX)) {
    const person = { person: `Person ${index}`, role: 'admin', act: `act ${index}` } as const;
    await storage.asAuthor(person).beginAct({ on: idOf('partner', index), from: null, to: null });
  }
  const database = new DatabaseSync(databasePath);
  database.exec('BEGIN');
  const insert = <Row>(
    name: string,
    table: StoredRow<Row>,
    rowOf: (index: number) => Row,
    most = Infinity,
  ): void => {
    const statement = database.prepare(`INSERT INTO ${name} (${table.columns}) VALUES (${table.places})`);
    for (const index of indexes.filter((one) => one < most))
      statement.run(...(table.values(rowOf(index)) as (string | number)[]));
  };
  insert('partners', PARTNER, (index) => samplePartner(idOf('partner', index), { name: `Guide ${index}` }));
  insert('operator_tokens', OPERATOR_TOKEN, (index) => sampleOperatorToken(idOf('token', index)));
  insert('quotes', QUOTE, (index) => {
    const of = { propertyId: idOf('property', index), partnerId: idOf('partner', index) };
    return sampleQuote(idOf('quote', index), of);
  });
  insert('ical_feeds', FEED, (index) => feedOf(index, nowMs));
  insert(
    'connections',
    CONNECTION,
    (index) => sampleConnection(idOf('connection', index), { nextPollAtMs: nowMs + 86_400_000 }),
    CONNECTIONS_MAX,
  );
  insert('passkeys', PASSKEY, (index) => ({
    passkeyId: idOf('passkey', index),
    credentialId: idOf('authenticator', index),
    publicKey: 'key',
    signCount: 0,
    name: `Person ${index}`,
    role: 'viewer',
    createdAtMs: nowMs,
    lastUsedAtMs: null,
  }));
  insert('console_sessions', SESSION, (index) => ({
    sessionId: idOf('session', index),
    tokenHash: idOf('hash', index),
    name: `Person ${index}`,
    role: 'viewer',
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    passkeyId: null,
    renewedAtMs: null,
  }));
  if (indexes[0] === 0)
    database.exec(`INSERT INTO webhooks (webhook_id, partner_id, url, events, created_at_ms)
      VALUES ('wh_0', '${idOf('partner', 0)}', 'https://hooks.example/in', '[]', ${nowMs})`);
  const delivery = database.prepare(
    `INSERT INTO webhook_deliveries
       (delivery_id, webhook_id, event, body, created_at_ms, status, attempts, tries_left, next_attempt_at_ms)
     VALUES (?, 'wh_0', 'quote.opened', '{}', ?, 'failed', 10, 0, NULL)`,
  );
  for (const index of indexes) delivery.run(idOf('delivery', index), nowMs);
  database.exec('COMMIT');
  database.close();
  await signed.putCredentials(
    indexes.flatMap((index) => [
      sampleCredential(idOf('credential', index), { partnerId: idOf('partner', index) }),
      sampleCredential(idOf('same', index), { partnerId: idOf('partner', 0) }),
    ]),
  );
  await storage.putSupplyMappings(
    indexes.map((index) => ({
      source: idOf('source', index),
      externalKey: 'room',
      propertyId: idOf('property', index),
      inventoryTypeId: 'double',
    })),
  );
  await storage.recordActivity({
    writer: 'test',
    number: indexes[0]! + 1,
    writtenAtMs: nowMs,
    ...activityOf(indexes, nowMs, day),
  });
}

function feedOf(index: number, nowMs: number) {
  return {
    feedId: idOf('feed', index),
    propertyId: idOf('property', index),
    inventoryTypeId: 'double',
    createdAtMs: nowMs,
    url: `https://calendars.example/${index}.ics`,
    name: null,
    everySeconds: 86_400,
    nextPollAtMs: nowMs + 86_400_000,
    polledAtMs: nowMs,
    confirmedAtMs: null,
    failureCount: 1,
    failure: 'the connection failed',
    failureWrong: null,
    etag: null,
    lastModified: null,
    contentHash: null,
    heldHash: null,
    heldNights: null,
    eventCount: null,
    nightCount: null,
  };
}

function activityOf(indexes: readonly number[], nowMs: number, day: number) {
  const minuteMs = Math.floor(nowMs / 60_000) * 60_000;
  const one = [1, ...Array.from({ length: DURATION_BUCKETS - 1 }, () => 0)];
  return {
    traffic: indexes.map((index) => ({
      fromMs: minuteMs,
      partnerId: idOf('partner', index),
      credentialId: idOf('credential', index),
      operation: 'listPartnerProperties',
      code: index % 2 === 0 ? '' : 'PROPERTY_NOT_FOUND',
      durations: one,
    })),
    requests: indexes.map((index) => ({
      atMs: nowMs - index,
      correlationId: idOf('request', index),
      partnerId: idOf('partner', index),
      credentialId: idOf('credential', index),
      operation: 'listPartnerProperties',
      status: 200,
      code: null,
      durationUs: 90,
      city: `City ${index}`,
      propertyId: null,
      checkIn: FIRST_NIGHT,
      checkOut: FIRST_NIGHT + 2,
      guests: 2,
      page: 1,
      total: 0,
      quoteId: null,
      reasons: null,
      childAges: null,
    })),
    demand: indexes.map((index) => ({
      day,
      city: `City ${index}`,
      country: 'IT',
      arrivalWeek: `2026-W${10 + (index % 40)}`,
      nights: '2',
      guests: '1-2',
      partnerId: idOf('partner', index),
      searches: 3,
      empty: 2,
      looks: 1,
    })),
    unknownPlaces: indexes.map((index) => ({ day, place: `place ${index}`, searches: 9 })),
    unmet: indexes.map((index) => ({
      day,
      city: `City ${index}`,
      country: 'IT',
      checkIn: FIRST_NIGHT + 1,
      nights: 2,
      guests: 2,
      childAges: '',
      searches: 20,
    })),
  };
}
