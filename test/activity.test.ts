/** `requests`, `traffic` and `demand` on a service of two workers that is restarted, as child processes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemandEntry } from '../src/operator/activity/demand-report.ts';
import type { RequestEntry } from '../src/operator/activity/request-report.ts';
import type { TrafficEntry } from '../src/operator/activity/traffic-report.ts';
import type { UnmetEntry } from '../src/operator/activity/unmet-report.ts';
import { ALL_OPERATIONS } from '../src/contract/partner/extra-operations.ts';
import { canSharePorts } from '../src/app/workers/claimed-ports.ts';
import { daysAhead, hotel, openNow } from './kit/catalogue-lines.ts';
import { startServer } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { assertWithout, readStoreFiles } from './kit/store-contents.ts';

const SEARCHES = 60;
/** Refused with its name in the log of requests. */
const TOO_LONG = 'Z'.repeat(121);
/** Each 120 characters or signs that a terminal or a spreadsheet obeys; as typed, and as it is found. */
const STRANGE_PLACES = [
  ['\u6c34\u57ce'.repeat(60), '\u6c34\u57ce'.repeat(60)],
  ['\u0432'.repeat(120), '\u0412'.repeat(120)],
  // Cyrillic letters that look like Latin ones: another name than Venezia, and never shown as that.
  ['\u0412\u0435nezia', '\u0412\u0415NEZIA'],
  // A mark that turns the direction of writing is not part of a name.
  ['\u202eaizenev', 'AIZENEV'],
  ['=cmd|a', '=CMD|A'],
  ['\ufb00'.repeat(60), 'F'.repeat(120)],
] as const;
const HEADERS = { 'user-agent': 'canary-agent/4711', 'x-forwarded-for': '203.0.113.77', cookie: 'a=canary' };
const TOO_MANY = `checkIn=${daysAhead(2)}&checkOut=${daysAhead(3)}&guests=7`;
const STAY = `checkIn=${daysAhead(2)}&checkOut=${daysAhead(7)}&guests=2`;

describe('What happened to a service that was stopped twice', () => {
  let workplace: WorkplaceHere;
  let token = '';
  let strangeToken = '';
  const credentialIds: string[] = [];
  const correlationIds: string[] = [];
  const logs: string[] = [];

  before(async () => {
    const WORKERS = (await canSharePorts()) ? '2' : '1';
    workplace = new WorkplaceHere({ WORKERS, INGRESS_LIMIT: '0', LOG_LEVEL: 'debug' });
    const input = [openNow('open'), hotel('other')].map((line) => JSON.stringify(line)).join('\n');
    await workplace.json(['import', 'catalogue', '-'], { input });
    await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const issued = await workplace.json(['credential', 'issue', '--partner', 'acme', '--quota', '100000']);
    token = issued.token;
    await workplace.json(['partner', 'create', '--name', 'Bits', '--partner-id', 'bits']);
    strangeToken = (await workplace.json(['credential', 'issue', '--partner', 'bits'])).token;
    credentialIds.push(issued.credentialId);
    for (let round = 0; round < 2; round += 1) await serveAndAsk();
  });
  after(() => workplace.remove());

  /** Each on a connection of its own, so that both workers get some. */
  async function serveAndAsk(): Promise<void> {
    const server = await startServer(workplace);
    const ask = async (path: string, as = token): Promise<number> => {
      const headers = { ...HEADERS, authorization: `Bearer ${as}`, connection: 'close' };
      const response = await fetch(`${server.partnerUrl}${path}`, { headers });
      await response.arrayBuffer();
      if (response.status === 404) correlationIds.push(response.headers.get('x-correlation-id')!);
      return response.status;
    };
    const statuses = await Promise.all(
      Array.from({ length: SEARCHES }, () => ask(`/v1/properties?city=Venezia&${STAY}`)),
    );
    assert.ok(statuses.every((status) => status === 200));
    assert.equal(await ask(`/v1/properties/open/availability?${STAY}`), 200);
    assert.equal(await ask('/v1/properties/nobody'), 404);
    assert.equal(await ask(`/v1/properties?city=Atlantis&${STAY}`), 200);
    assert.equal(await ask(`/v1/properties?city=Atlantis&${STAY}`), 200);
    for (const [typed] of STRANGE_PLACES)
      for (let times = 0; times < 2; times += 1)
        assert.equal(
          await ask(`/v1/properties?city=${encodeURIComponent(typed)}&${STAY}`, strangeToken),
          200,
        );
    for (const city of ['%00', '%07', TOO_LONG])
      assert.equal(await ask(`/v1/properties?city=${city}`, strangeToken), 400, city);
    assert.equal(await ask(`/v1/properties?city=Venice&${TOO_MANY}`), 200);
    if (correlationIds.length > 1) await untilJudged();
    server.child.kill('SIGTERM');
    const { code, stdout, stderr } = await server.ended;
    assert.equal(code, 0);
    logs.push(stdout, stderr);
  }

  /** Of the run before: what this one counts is written at its end. */
  async function untilJudged(): Promise<void> {
    while ((await unmet()).length === 0) await sleep(100);
  }

  const unmet = (...args: readonly string[]): Promise<UnmetEntry[]> =>
    workplace.json(['demand', '--unmet', ...args]);

  it('is in "traffic", added up over workers and runs', async () => {
    const rows: TrafficEntry[] = await workplace.json(['traffic', '--partner', 'acme']);
    const sumOf = (operation: string, code: string | null): number =>
      rows
        .filter((row) => row.operation === operation && row.code === code)
        .reduce((sum, row) => sum + row.count, 0);
    assert.equal(sumOf('listPartnerProperties', null), 2 * (SEARCHES + 3));
    assert.equal(sumOf('getPartnerPropertyAvailability', null), 2);
    assert.equal(sumOf('getPartnerProperty', 'PROPERTY_NOT_FOUND'), 2);
    assert.ok(rows.every(({ credentialId }) => credentialIds.includes(credentialId)));
    assert.deepEqual(Object.keys(rows[0]!), [
      'from',
      'partnerId',
      'credentialId',
      'operation',
      'code',
      'count',
      'p50Us',
      'p99Us',
    ]);
    assert.deepEqual(await workplace.json(['traffic', '--partner', 'nobody']), []);
  });

  it('is in "demand", and unknown places in "demand --unknown"', async () => {
    const rows: DemandEntry[] = await workplace.json(['demand', '--city', 'venezia', '--country', 'IT']);
    const row = rows.find(({ nights }) => nights === '5-7');
    assert.equal(
      rows.reduce((sum, { searches }) => sum + searches, 0),
      2 * (SEARCHES + 1),
    );
    assert.equal(
      rows.reduce((sum, { looks }) => sum + looks, 0),
      2,
    );
    assert.deepEqual(
      [row?.city, row?.country, row?.nights, row?.guests, row?.empty],
      ['Venezia', 'IT', '5-7', '1-2', 0],
    );
    assert.match(row!.arrivalWeek, /^20\d\d-W\d\d$/);
    const unknown = [...STRANGE_PLACES.map(([, text]) => text), 'ATLANTIS'].toSorted();
    assert.deepEqual(
      await workplace.json(['demand', '--unknown']),
      unknown.map((text) => ({ text, searches: 4 })),
    );
    const csv = await workplace.run(['demand', '--csv', '--partner', 'acme']);
    assert.match(
      csv.stdout,
      /^day,city,country,arrivalWeek,nights,guests,partnerId,searches,empty,looks\r\n/,
    );
    assert.match((await workplace.run(['demand', '--city', 'Nowhere'])).stdout, /^no searches/);
  });

  it('is added up for people, what found nothing most often first, so many lines of it', async () => {
    assert.match((await workplace.run(['demand', '--unknown', '--limit', '1'])).stderr, /^\d+ more rows: /m);
    const rows: DemandEntry[] = await workplace.json(['demand', '--partner', 'acme']);
    const total = (name: 'searches' | 'empty' | 'looks') => rows.reduce((sum, row) => sum + row[name], 0);
    const table = (await workplace.run(['demand', '--partner', 'acme'])).stdout.split('\n');
    assert.match(table[0]!, /^city +country +searches +empty +emptyPercent +looks$/);
    const [searches, empty, looks] = [total('searches'), total('empty'), total('looks')];
    const percent = Math.round((1000 * empty) / searches) / 10;
    const [venezia]: object[] = await workplace.json(['demand', '--partner', 'acme', '--by', 'city']);
    assert.deepEqual(venezia, {
      city: 'Venezia',
      country: 'IT',
      searches,
      empty,
      emptyPercent: percent,
      looks,
    });
    const byNights: DemandEntry[] = await workplace.json(['demand', '--by', 'nights,day']);
    assert.deepEqual(Object.keys(byNights[0]!).toSorted(), [
      'day',
      'empty',
      'emptyPercent',
      'looks',
      'nights',
      'searches',
    ]);
    assert.match(byNights[0]!.day, /^20\d\d-\d\d-\d\d$/);
    assert.ok(byNights[0]!.empty > 0 && byNights.at(-1)!.empty === 0);
    const csv = (await workplace.run(['demand', '--by', 'week,partner', '--csv'])).stdout;
    assert.match(csv, /^arrivalWeek,partnerId,searches,empty,emptyPercent,looks\r\n/);
    const traffic = await workplace.run([
      'traffic',
      '--partner',
      'acme',
      '--by',
      'operation,code',
      '--limit',
      '1',
    ]);
    assert.match(traffic.stdout, /^operation +code +count +p50Us +p99Us\nlistPartnerProperties +- +\d/);
    assert.match(traffic.stderr, /^2 more rows: /m);
    const [acme, ...others]: TrafficEntry[] = await workplace.json(['traffic', '--by', 'partner']);
    const all: TrafficEntry[] = await workplace.json(['traffic']);
    const counted = [acme!, ...others].reduce((sum, { count }) => sum + count, 0);
    assert.equal(
      counted,
      all.reduce((sum, { count }) => sum + count, 0),
    );
    const trafficCsv = (await workplace.run(['traffic', '--csv'])).stdout.split('\r\n');
    assert.equal(trafficCsv.length, all.length + 2);
  });

  it('is in "demand --unmet", where it found nothing, with the reasons', async () => {
    const [entry, ...others] = await unmet('--city', 'VENEZIA');
    assert.deepEqual(others, []);
    assert.deepEqual(entry, {
      city: 'Venezia',
      country: 'IT',
      checkIn: daysAhead(2),
      nights: 1,
      guests: 7,
      childAges: null,
      searches: 2,
      causes: entry!.causes,
      nearest: null,
    });
    assert.equal(
      entry.causes.reduce((sum, { properties }) => sum + properties, 0),
      2,
    );
    assert.ok(entry.causes.some(({ rule, source }) => rule === 'guests' && source === null));
    const csv = await workplace.run(['demand', '--unmet', '--csv']);
    assert.match(csv.stdout, /^city,country,checkIn,nights,guests,childAges,searches,causes,nearestCheckIn/);
    assert.match(csv.stderr, /Judged by what is open now/);
    assert.match((await workplace.run(['demand', '--unmet', '--city', 'Nowhere'])).stdout, /^no stays/);
  });

  it('is in "requests", newest first, found by each filter', async () => {
    const refused: RequestEntry[] = await workplace.json([
      'requests',
      '--status',
      '4xx',
      '--since',
      '1h',
      '--partner',
      'acme',
    ]);
    assert.deepEqual(
      refused.map(({ correlationId }) => correlationId),
      correlationIds.toReversed(),
    );
    const [row] = refused;
    assert.deepEqual(
      [row?.operation, row?.status, row?.code, row?.propertyId, row?.checkIn],
      ['getPartnerProperty', 404, 'PROPERTY_NOT_FOUND', 'nobody', null],
    );
    for (const filter of [
      ['--correlation', correlationIds[0]!],
      ['--status', '404', '--limit', '1'],
    ])
      assert.equal((await workplace.json(['requests', ...filter])).length, 1);
    assert.deepEqual(await workplace.json(['requests', '--partner', 'acme', '--code', 'NEVER']), []);
    for (const { operationId } of ALL_OPERATIONS) {
      const rows: RequestEntry[] = await workplace.json(['requests', '--operation', operationId]);
      assert.ok(
        rows.every(({ operation }) => operation === operationId),
        operationId,
      );
    }
    const csv = await workplace.run(['requests', '--status', '404', '--csv', '--partner', 'acme']);
    assert.equal(csv.stdout.split('\r\n').length, 4);
  });

  it('has cities as they were typed, escaped where they are printed', async () => {
    const refused: RequestEntry[] = await workplace.json([
      'requests',
      '--partner',
      'bits',
      '--status',
      '400',
    ]);
    assert.equal(refused.length, 6);
    assert.ok(refused.every(({ city, code }) => city === null && code === 'VALIDATION_ERROR'));
    const table = (await workplace.run(['demand', '--unknown'])).stdout;
    const csv = (await workplace.run(['demand', '--unknown', '--csv'])).stdout;
    for (const text of [table, csv]) {
      assert.ok(text.includes('AIZENEV') && !text.includes('\u202e'));
      // Nothing but line ends moves the cursor.
      assert.doesNotMatch(text, /(?![\r\n])\p{Cc}/u);
    }
    assert.match(csv, /^'=CMD\|A,4\r$/m);
  });

  it('holds no token, address, header or body, nor does the log', () => {
    const secrets = [...Object.values(HEADERS), token, strangeToken, TOO_LONG, 'Bearer '];
    assertWithout(readStoreFiles(workplace.directory), [...secrets, '127.0.0.1']);
    assert.match(logs.join('\n'), /"answered"/);
    assertWithout(logs.join('\n'), secrets);
  });

  it('is reported of one day, where the first is the last', async () => {
    const oneDay = ['--from', '2026-11-01', '--to', '2026-11-01'];
    for (const report of ['traffic', 'demand'])
      assert.deepEqual(await workplace.json([report, ...oneDay]), [], report);
  });

  it('is refused to options that mean nothing', async () => {
    for (const args of [
      ['requests', '--status', '4x'],
      ['requests', '--operation', 'nothing'],
      ['requests', '--limit', '0'],
      ['traffic', '--from', '2026-11-02', '--to', '2026-11-01'],
      ['demand', '--country', 'Italy'],
      ['demand', '--by', 'city,colour'],
      ['demand', '--unknown', '--by', 'city'],
      ['traffic', '--by', 'city'],
      ['traffic', '--limit', '0'],
      ['demand', '--unknown', '--partner', 'acme'],
      ['demand', '--unmet', '--partner', 'acme'],
    ])
      assert.equal((await workplace.run(args)).code, 2, args.join(' '));
  });
});
