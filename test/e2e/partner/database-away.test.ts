/**
 * 503 PARTNER_API_UNAVAILABLE: a database that another process locks or that is damaged, and its return. The
 * read model goes on answering for as long as the settings allow; a quote needs the database at once.
 */
import assert from 'node:assert/strict';
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { until } from '../../kit/command-line.ts';
import { HOTEL_PONTE } from '../../kit/catalogue-lines.ts';
import { exchange } from '../../kit/http-exchange.ts';
import { type Running, type Served, startInstallation } from '../../kit/installation.ts';
import {
  type Answer,
  GOOD_REQUESTS,
  OPERATION_IDS,
  PartnerClient,
  quoteBody,
} from '../../kit/partner-client.ts';

const STALENESS_MAX_SECONDS = 1;
/** The 2 s of a quote that cannot be stored, and what a busy machine adds. */
const QUOTE_WAIT_MS_MAX = 3_000;
/** Of the file: its magic, page size and versions. */
const BEGINNING_BYTES = 100;

let running: Running;
/** On the same database, but content with one that has not answered for a while. */
let patient: Served;
let patientPartner: PartnerClient;
let operatorToken: string;
/** Of a handoff. */
let value: string;
/** Of one of the sandbox. */
let testValue: string;
let total: string;
before(async () => {
  running = await startInstallation([HOTEL_PONTE], {
    STALENESS_MAX_SECONDS: `${STALENESS_MAX_SECONDS}`,
    WEB_PORT: '0',
    BOOKING_URL_TEMPLATE: 'https://book.example/{propertyId}/{checkIn}?type={inventoryTypeId}',
  });
  patient = await running.installation.serve();
  const { token } = await running.installation.issue({ partnerId: 'patient', scopes: ALL_SCOPE_NAMES });
  operatorToken = await running.installation.issueOperatorToken();
  const quote = await running.partner.quote(quoteBody('hotel-ponte', '2026-12-01', '2026-12-04'));
  total = quote.success.pricing.total;
  value = new URL(quote.success.handoffUrl).searchParams.get('handoff') ?? '';
  patientPartner = new PartnerClient(patient.partnerUrl, token);
  const { token: testToken } = await running.installation.issue({ partnerId: 'patient', isTest: true });
  const tester = new PartnerClient(running.service.partnerUrl, testToken);
  const quoteRequest = quoteBody('test-always', '2026-12-01', '2026-12-04');
  await until(async () => (await tester.quote(quoteRequest)).status === 201);
  testValue =
    new URL((await tester.quote(quoteRequest)).success.handoffUrl).searchParams.get('handoff') ?? '';
  await until(async () => (await outcomesOf(patientPartner)).every((outcome) => outcome.startsWith('20')));
});
after(() => running.installation.close());

/** Of the operations, in their order. */
async function outcomesOf(partner: PartnerClient): Promise<readonly string[]> {
  const answers = await Promise.all(OPERATION_IDS.map((id) => partner.ask(id, GOOD_REQUESTS[id])));
  answers.forEach(assertHeaders);
  return answers.map(({ outcome }) => outcome);
}

function assertHeaders(answer: Answer<unknown>): void {
  if (answer.status !== 503) return;
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'location']) {
    assert.equal(answer.header(name), undefined, name);
  }
  assert.equal(answer.header('cache-control'), 'no-store');
}

async function statusOf(url: string, path: string): Promise<number> {
  return (await exchange(url, { path })).status;
}

const UNAVAILABLE = '503 PARTNER_API_UNAVAILABLE';
/** By operation; the last two read what is not in memory. */
const SERVED = OPERATION_IDS.map((id) =>
  ['createPartnerQuote', 'createStayQuote'].includes(id) ? '201' : '200',
);
const WITHOUT_QUOTES = SERVED.map((outcome) => (outcome === '201' ? UNAVAILABLE : outcome));
/** The feed and offers tell what is stored, and no memory has it. */
const WITHOUT_DATABASE = WITHOUT_QUOTES.map((outcome, index) =>
  ['listChanges', 'getStayOffer'].includes(OPERATION_IDS[index]!) ? UNAVAILABLE : outcome,
);

describe('a database that another process has locked for writing', () => {
  it('makes quotes unavailable within 2 s; the read model answers as before', async () => {
    const other = new DatabaseSync(running.installation.databasePath);
    other.exec('BEGIN IMMEDIATE');
    const startedAtMs = performance.now();
    try {
      assert.deepEqual(await outcomesOf(running.partner), WITHOUT_QUOTES);
      assert.ok(performance.now() - startedAtMs < QUOTE_WAIT_MS_MAX);
    } finally {
      other.exec('ROLLBACK');
      other.close();
    }
    assert.deepEqual(await outcomesOf(running.partner), SERVED);
  });
});

describe(
  'a database that cannot be read any more',
  { skip: process.platform === 'win32' && 'Windows locks the file' },
  () => {
    let bringBack: () => void;
    before(() => {
      bringBack = takeAway(running.installation.databasePath);
    });
    after(() => bringBack());

    it('makes every operation unavailable once the catalogue is older than the settings allow', async () => {
      await until(async () => (await statusOf(running.service.operatorUrl, '/readyz')) === 503);
      assert.deepEqual(
        await outcomesOf(running.partner),
        OPERATION_IDS.map(() => UNAVAILABLE),
      );
    });

    it('is answered before the credential, which nobody can know then', async () => {
      const stranger = new PartnerClient(running.service.partnerUrl, undefined);
      assert.deepEqual(
        await outcomesOf(stranger),
        OPERATION_IDS.map(() => UNAVAILABLE),
      );
    });

    it('leaves the catalogue to a service that is content with an older one, without quotes, offers and changes', async () => {
      assert.deepEqual(await outcomesOf(patientPartner), WITHOUT_DATABASE);
      assert.equal(await statusOf(patient.operatorUrl, '/readyz'), 200);
    });

    it('leaves a handoff unresolved for now', async () => {
      const received = await exchange(running.service.operatorUrl, {
        method: 'POST',
        path: '/handoff/resolve',
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ handoff: value }),
      });
      assert.equal(received.status, 503);
      assert.equal(JSON.parse(Buffer.from(received.body).toString()).code, 'OPERATOR_API_UNAVAILABLE');
    });

    it('costs no traveller the page: it shows the stay and the total of the quote, and says so', async () => {
      const received = await exchange(running.service.webUrl ?? '', { path: `/handoff?handoff=${value}` });
      const page = Buffer.from(received.body).toString();
      assert.equal(received.status, 200);
      assert.match(page, /<main [^>]*data-outcome="unchecked"/);
      assert.ok(page.includes(total.replace('.', ',')), total);
      assert.match(page, /<h1 dir="auto">Hotel Ponte<\/h1>/);
      for (const date of ['2026-12-01', '2026-12-04']) assert.ok(page.includes(`datetime="${date}"`));
      assert.match(page, /Disponibilità e prezzo vengono verificati alla prenotazione/);
      const gone = await exchange(running.service.webUrl ?? '', {
        method: 'POST',
        path: '/handoff/continue',
        body: `handoff=${value}`,
      });
      assert.equal(gone.status, 303);
      assert.deepEqual(gone.headers['location'], ['https://book.example/hotel-ponte/2026-12-01?type=']);
    });

    it('hides from no traveller that a quote is a test, and leads nobody on from it', async () => {
      const { webUrl = '' } = running.service;
      const page = await exchange(webUrl, { path: `/handoff?handoff=${testValue}` });
      const text = Buffer.from(page.body).toString();
      assert.match(text, /data-outcome="unchecked"/);
      assert.match(text, /<p class="test" role="note">/);
      assert.doesNotMatch(text, /<form|<button/);
      const gone = await exchange(webUrl, {
        method: 'POST',
        path: '/handoff/continue',
        body: `handoff=${testValue}`,
      });
      assert.deepEqual([gone.status, gone.headers['location']], [200, undefined]);
    });

    it('does not make the process look dead', async () => {
      assert.equal(await statusOf(running.service.operatorUrl, '/livez'), 200);
    });

    it('is served again as soon as it can be read', async () => {
      bringBack();
      await until(async () => (await statusOf(running.service.operatorUrl, '/readyz')) === 200);
      assert.deepEqual(await outcomesOf(running.partner), SERVED);
    });

    it('gets the visits of travellers that came meanwhile', async () => {
      const today = Math.floor(running.installation.time.nowMs / 86_400_000);
      await until(async () => {
        const rows = await running.installation.storage.readAttribution(today, today);
        return rows.some(({ opened, continued }) => opened === 1 && continued === 1);
      });
    });
  },
);

/**
 * Overwrites the beginning of the file, as a disk that fails does, and gives it back. Readers hold what they have
 * read for as long as their shared index of the write-ahead log is good; without its two headers (48 bytes each)
 * they look at the file again.
 */
function takeAway(databasePath: string): () => void {
  const other = new DatabaseSync(databasePath);
  const file = openSync(databasePath, 'r+');
  const beginning = Buffer.alloc(BEGINNING_BYTES);
  const bringBack = (): void => void writeSync(file, beginning, 0, BEGINNING_BYTES, 0);
  // What a service writes meanwhile stands in the log of writes, from which everything could be read again.
  for (;;) {
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    readSync(file, beginning, 0, BEGINNING_BYTES, 0);
    writeSync(file, Buffer.alloc(BEGINNING_BYTES, 'x'), 0, BEGINNING_BYTES, 0);
    if (statSync(`${databasePath}-wal`).size === 0) break;
    bringBack();
  }
  other.close();
  const index = openSync(`${databasePath}-shm`, 'r+');
  writeSync(index, Buffer.alloc(96), 0, 96, 0);
  closeSync(index);
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    bringBack();
    closeSync(file);
  };
}
