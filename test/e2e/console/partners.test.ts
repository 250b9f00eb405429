/** How partners do, on the console's list of them: as a count of all that they did, and in words what is not known. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPartner } from '../../../src/access/partner-changes.ts';
import { type PartnerWeek, readPartnerWeeks } from '../../../src/console/pages/partners/partner-weeks.ts';
import { createDayCache } from '../../../src/console/reading/cache.ts';
import type { PagePorts } from '../../../src/console/reading/console-page.ts';
import { DURATION_BUCKETS, OTHER, type TrafficRow } from '../../../src/storage/activity/store.ts';
import { StorageUnavailable } from '../../../src/storage/storage.ts';
import { december, hotelWith } from '../../kit/catalogue-lines.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import {
  type Installation,
  NOW_MS,
  type Served,
  startInstallation,
  valueOf,
} from '../../kit/installation.ts';
import { type PartnerClient, quoteBody } from '../../kit/partner-client.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const NOW_MINUTE_MS = Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS;
const WEEK_START_MS = Math.floor(NOW_MS / DAY_MS) * DAY_MS - 6 * DAY_MS;

describe('How partners do, in the console', () => describePartners(async () => undefined));
describePostgres('How partners do, in the console on PostgreSQL', (server) =>
  describePartners(() => server().createDatabase()),
);

function trafficOf(partnerId: string, code: string, count: number, agoMs: number): TrafficRow {
  const durations = Array.from({ length: DURATION_BUCKETS }, (_none, bucket) => (bucket === 3 ? count : 0));
  const names = { partnerId, credentialId: `c-${partnerId}`, operation: 'listPartnerProperties', code };
  return { fromMs: NOW_MINUTE_MS - agoMs, ...names, durations };
}

/** Of several partners, within the week, at its edge and before it. */
const TRAFFIC: readonly TrafficRow[] = [
  trafficOf('busy', '', 12_345, 90 * MINUTE_MS),
  trafficOf('busy', 'STALE', 3, 5 * MINUTE_MS),
  trafficOf('busy', '', 700, NOW_MINUTE_MS - WEEK_START_MS),
  trafficOf('busy', 'GONE', 900, NOW_MINUTE_MS - WEEK_START_MS + MINUTE_MS),
  trafficOf('mixed', '', 750, 4 * DAY_MS),
  trafficOf('mixed', 'GONE', 125, 4 * DAY_MS),
  trafficOf('mixed', 'STALE', 125, 3 * DAY_MS + MINUTE_MS),
  trafficOf('quiet', '', 8, 40 * DAY_MS),
  trafficOf(OTHER, '', 2_222, 2 * DAY_MS),
];

function describePartners(openDatabase: () => Promise<string | undefined>): void {
  let installation: Installation;
  let service: Served;
  let viewer: ConsoleClient;
  before(async () => {
    let partner: PartnerClient;
    const lines = [hotelWith('ponte', [december()])];
    ({ installation, service, partner } = await startInstallation(lines, {}, await openDatabase()));
    const { storage, time } = installation;
    const quoted: string[] = [];
    for (const day of ['2026-12-10', '2026-12-12', '2026-12-14']) {
      const stay = quoteBody(
        'ponte',
        day,
        day.replace(/.$/, (digit) => String(Number(digit) + 1)),
      );
      quoted.push((await partner.quote(stay)).success.quoteId as string);
    }
    const report = {
      quoteId: quoted[1]!,
      reference: 'b-1',
      status: 'booked',
      total: null,
      currency: null,
    } as const;
    assert.equal((await storage.recordConversion({ ...report, atMs: NOW_MS })).kind, 'recorded');
    for (const partnerId of ['busy', 'mixed']) await installation.issue({ partnerId });
    await installation.issue({ partnerId: 'mixed', expiresAtMs: NOW_MS + 90 * DAY_MS });
    await installation.issue({ partnerId: 'ending', expiresAtMs: NOW_MS + DAY_MS });
    await installation.issue({ partnerId: 'ending', expiresAtMs: NOW_MS + 2 * DAY_MS });
    await installation.issue({ partnerId: 'trial', isTest: true });
    // Created before anything was kept, and after it.
    for (const [partnerId, ago] of [
      ['quiet', 60],
      ['silent', 60],
      ['new', 1],
    ] as const) {
      time.nowMs = NOW_MS - ago * DAY_MS;
      valueOf(await createPartner(installation.access, { name: `The ${partnerId} one`, partnerId }));
    }
    time.nowMs = NOW_MS;
    const slice = { traffic: TRAFFIC, requests: [], demand: [], unknownPlaces: [], unmet: [] };
    await storage.recordActivity({ writer: 'w', number: 1, writtenAtMs: NOW_MS, ...slice });
    await storage.rollUpTraffic(NOW_MS - 2 * DAY_MS, 100);
    viewer = await signInTo(installation, service.operatorUrl);
  });
  after(() => installation.close());

  const readWeeks = (storage = installation.storage) => {
    const clock = (): number => NOW_MS;
    const ports = { storage, clock, dayCache: createDayCache(clock) } as unknown as PagePorts;
    return readPartnerWeeks(ports, ['acme', 'busy', 'ending', 'mixed', 'new', 'quiet', 'silent', 'trial']);
  };
  /** Its cells by their heads, as text. */
  async function cellsOf(partnerId: string, language = 'en-GB'): Promise<Record<string, string>> {
    const { text } = await viewer.get('/console/partners', { 'accept-language': language });
    const row = text.split('<tr').find((part) => part.includes(`/console/partners/${partnerId}"`));
    assert.ok(row, text);
    const cells = [...row.matchAll(/<td data-head="([^"]*)">(.*?)<\/td>/gs)];
    return Object.fromEntries(
      cells.map(([, head = '', cell = '']) => [head, cell.replaceAll(/<[^>]*>/g, '').trim()]),
    );
  }

  it('counts as a naive count of what was recorded does', async () => {
    const { weeks, unassigned } = await readWeeks();
    assert.equal(unassigned, 2_222);
    for (const partnerId of ['busy', 'mixed', 'quiet', 'silent']) {
      const own = TRAFFIC.filter((row) => row.partnerId === partnerId && row.fromMs >= WEEK_START_MS);
      const count = (rows: typeof own) =>
        rows.flatMap(({ durations }) => durations).reduce((a, b) => a + b, 0);
      const answered = weeks.find((week) => week.partnerId === partnerId)?.answered;
      assert.deepEqual(
        [answered?.requests, answered?.refused],
        [count(own), count(own.filter(({ code }) => code !== ''))],
        partnerId,
      );
    }
    const week: PartnerWeek = weeks.find(({ partnerId }) => partnerId === 'acme')!;
    assert.deepEqual([week.quotes, week.converted], [3, 1]);
  });

  it('shows them as people read them, in both languages', async () => {
    const busy = await cellsOf('busy');
    assert.equal(busy['Requests'], '13,048');
    assert.equal(busy['Refused'], '0.1%', 'not 0%, because some were');
    assert.match(busy['Last call']!, /UTC$/);
    assert.equal(busy['Last token ends'], 'no end');
    const mixed = await cellsOf('mixed', 'it-IT');
    assert.equal(mixed['Richieste'], '1.000');
    assert.equal(mixed['Rifiutate'], '25%');
    const acme = await cellsOf('acme');
    assert.deepEqual([acme['Quotes'], acme['Booked']], ['3', '1']);
    // Counts are written every ten seconds, which a busy machine may need to come here.
    assert.match(acme['Last call']!, /^not counted yet$|UTC$/);
    const { text } = await viewer.get('/console/partners', { 'accept-language': 'en-GB' });
    assert.ok(text.includes('2,222 more requests are counted without their partner'), text);
  });

  it('tells zero, never, not kept and the end of a token apart', async () => {
    const quiet = await cellsOf('quiet');
    assert.deepEqual([quiet['Requests'], quiet['Refused']], ['0', '–']);
    assert.match(quiet['Last call']!, /^\w{3} \d+ \w+ 2026$/, 'a day: its minutes are not kept');
    assert.equal(quiet['Last token ends'], 'no valid token');
    assert.match((await cellsOf('silent'))['Last call']!, /^none since .* 2026; earlier ones are not kept$/);
    assert.equal((await cellsOf('new'))['Last call'], 'never');
    assert.equal((await cellsOf('trial'))['Last token ends'], 'no end (Sandbox)');
    const { weeks } = await readWeeks();
    const ending = weeks.find(({ partnerId }) => partnerId === 'ending')!;
    assert.deepEqual(ending.token, { kind: 'live', until: new Date(NOW_MS + 2 * DAY_MS).toISOString() });
  });

  it('keeps what is known where calls of partners cannot be read', async () => {
    const away = Object.create(installation.storage) as Installation['storage'];
    away.sumPartnerDays = () => Promise.reject(new StorageUnavailable('away'));
    const { weeks, unassigned } = await readWeeks(away);
    assert.equal(unassigned, undefined);
    const [acme] = weeks;
    assert.deepEqual([acme?.answered, acme?.quotes, acme?.converted], [undefined, 3, 1]);
  });

  it('asks once for all partners of a page', async () => {
    const asked: string[] = [];
    const counting = new Proxy(installation.storage, {
      get(target, name: keyof Installation['storage']) {
        const value = target[name];
        if (typeof value !== 'function') return value;
        return (...given: never[]) => {
          asked.push(name);
          return (value as (...about: never[]) => unknown).apply(target, given);
        };
      },
    });
    await readWeeks(counting);
    // The days that have ended, which are kept, and today.
    const rare = asked.filter((name) => name !== 'sumPartnerDays');
    assert.deepEqual(rare.toSorted(), [
      ...([
        'readAccess',
        'readActiveDays',
        'readAttribution',
        'readConversions',
        'readLastPartnerDays',
      ] as const),
    ]);
    assert.equal(asked.length - rare.length, 2);
  });
}
