/** `requests`, `traffic` and `demand` on a service of two workers that is restarted, as child processes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DemandEntry } from '../src/activity/demand-report.ts';
import type { RequestEntry } from '../src/activity/request-report.ts';
import type { TrafficEntry } from '../src/activity/traffic-report.ts';
import { canSharePorts } from '../src/workers/claimed-ports.ts';
import { daysAhead, hotel, openNow } from './kit/catalogue-lines.ts';
import { startServer } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

const SEARCHES = 60;
const STAY = `checkIn=${daysAhead(2)}&checkOut=${daysAhead(7)}&guests=2`;

describe('What happened to a service that was stopped twice', () => {
  let workplace: WorkplaceHere;
  let token = '';
  const credentialIds: string[] = [];
  const correlationIds: string[] = [];

  before(async () => {
    const WORKERS = (await canSharePorts()) ? '2' : '1';
    workplace = new WorkplaceHere({ WORKERS, INGRESS_LIMIT: '0' });
    const input = [openNow('open'), hotel('other')].map((line) => JSON.stringify(line)).join('\n');
    await workplace.json(['import', 'catalogue', '-'], { input });
    await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const issued = await workplace.json(['credential', 'issue', '--partner', 'acme', '--quota', '100000']);
    token = issued.token;
    credentialIds.push(issued.credentialId);
    for (let round = 0; round < 2; round += 1) await serveAndAsk();
  });
  after(() => workplace.remove());

  /** Each on a connection of its own, so that both workers get some. */
  async function serveAndAsk(): Promise<void> {
    const server = await startServer(workplace);
    const ask = async (path: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, connection: 'close' };
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
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
  }

  it('is in "traffic", added up over workers and runs', async () => {
    const rows: TrafficEntry[] = await workplace.json(['traffic', '--partner', 'acme']);
    const sumOf = (operation: string, code: string | null): number =>
      rows
        .filter((row) => row.operation === operation && row.code === code)
        .reduce((sum, row) => sum + row.count, 0);
    assert.equal(sumOf('listPartnerProperties', null), 2 * (SEARCHES + 2));
    assert.equal(sumOf('getPartnerPropertyAvailability', null), 2);
    assert.equal(sumOf('getPartnerProperty', 'PROPERTY_NOT_FOUND'), 2);
    assert.ok(rows.every(({ credentialId }) => credentialIds.includes(credentialId)));
    assert.deepEqual(Object.keys(rows[0]!), [
      ...['from', 'partnerId', 'credentialId', 'operation', 'code', 'count', 'p50Us', 'p99Us'],
    ]);
    assert.deepEqual(await workplace.json(['traffic', '--partner', 'nobody']), []);
  });

  it('is in "demand", and unknown places in "demand --unknown"', async () => {
    const rows: DemandEntry[] = await workplace.json(['demand', '--city', 'venezia', '--country', 'IT']);
    const [row] = rows;
    assert.equal(
      rows.reduce((sum, { searches }) => sum + searches, 0),
      2 * SEARCHES,
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
    assert.deepEqual(await workplace.json(['demand', '--unknown']), [{ text: 'ATLANTIS', searches: 4 }]);
    const csv = await workplace.run(['demand', '--csv', '--partner', 'acme']);
    assert.match(
      csv.stdout,
      /^day,city,country,arrivalWeek,nights,guests,partnerId,searches,empty,looks\r\n/,
    );
    assert.match((await workplace.run(['demand', '--city', 'Nowhere'])).stdout, /^no searches/);
  });

  it('is in "requests", newest first, found by each filter', async () => {
    const refused: RequestEntry[] = await workplace.json(['requests', '--status', '4xx', '--since', '1h']);
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
    const csv = await workplace.run(['requests', '--status', '404', '--csv']);
    assert.equal(csv.stdout.split('\r\n').length, 4);
  });

  it('is refused to options that mean nothing', async () => {
    for (const args of [
      ['requests', '--status', '4x'],
      ['requests', '--operation', 'nothing'],
      ['requests', '--limit', '0'],
      ['traffic', '--from', '2026-11-02', '--to', '2026-11-01'],
      ['demand', '--country', 'Italy'],
      ['demand', '--unknown', '--partner', 'acme'],
    ])
      assert.equal((await workplace.run(args)).code, 2, args.join(' '));
  });
});
