/** Stays that were searched and found nothing: counted by the service, judged by its thread, on both engines. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstCheckInAt } from '../../../src/operator/activity/activity-retention.ts';
import { reportUnmet, type UnmetReport } from '../../../src/operator/activity/unmet-report.ts';
import { parseLocalDate } from '../../../src/domain/local-date.ts';
import { december, double, hotel, hotelWith, inCity, nights } from '../../kit/catalogue-lines.ts';
import { type Installation, openInstallation } from '../../kit/installation.ts';
import { PartnerClient } from '../../kit/partner-client.ts';
import { calendarWork, send } from '../../suites/storage/supply-samples.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const STAY = { checkIn: '2026-12-10', checkOut: '2026-12-12', guests: 2 };
/** Longer than a round of the service takes to come. */
const JUDGED_MS_MAX = 30_000;

const LINES = [
  hotelWith('full', [december(), nights('2026-12-10', '2026-12-10', { availability: 0 })]),
  hotelWith('stopped', [december()]),
  hotelWith('late', [december({ minStayArrival: 5 })]),
  hotel('small', { inventoryTypes: [double({ guestsMax: 1 })] }),
  hotel('secret', { visibleTo: [] }),
  hotel('es', { ...inCity('Valencia', 'ES'), inventoryTypes: [double({ guestsMax: 1 })] }),
  hotel('ve', inCity('València', 'VE')),
];

async function untilJudged(installation: Installation, stays: number): Promise<UnmetReport> {
  const { storage, time } = installation;
  const giveUpAtMs = performance.now() + JUDGED_MS_MAX;
  for (;;) {
    const report = await reportUnmet(storage, { checkInFrom: firstCheckInAt(time.nowMs) });
    if (report.entries.length === stays) return report;
    assert.ok(performance.now() < giveUpAtMs, 'not judged in time');
    await sleep(50);
  }
}

function judgesUnmet(createDatabase?: () => Promise<string>): void {
  it('names rule and source by property, and the nearest opening, most asked first', async () => {
    const installation = await openInstallation(await createDatabase?.());
    try {
      await installation.importLines(LINES);
      const { token } = await installation.issue();
      const night = parseLocalDate('2026-12-11')!;
      const entries = [{ from: night, to: night, set: { stopSell: 1 } }];
      await send(installation.storage, 'manual', calendarWork([{ propertyId: 'stopped', entries }]));
      const first = await installation.serve();
      const client = new PartnerClient(first.partnerUrl, token);
      for (const query of [
        { city: 'Venise' },
        { city: 'Venezia' },
        { city: 'venice' },
        { city: 'Valencia' },
        { city: 'Valencia', page: 2 },
      ])
        await client.search({ ...query, ...STAY });
      // What was counted is written when it stops.
      await first.close();
      await installation.serve();
      const { entries: found, unjudged } = await untilJudged(installation, 2);
      const stay = { checkIn: '2026-12-10', nights: 2, guests: 2, childAges: null };
      assert.deepEqual(found, [
        {
          city: 'Venezia',
          country: 'IT',
          ...stay,
          searches: 2,
          causes: [
            { rule: 'sold_out', source: 'catalogue', properties: 1 },
            { rule: 'stop_sell', source: 'manual', properties: 1 },
            { rule: 'min_stay', source: 'catalogue', properties: 1 },
            { rule: 'guests', source: null, properties: 1 },
          ],
          nearest: { checkIn: '2026-12-11', nights: 2, properties: 1 },
        },
        {
          city: 'Valencia',
          country: 'ES',
          ...stay,
          searches: 1,
          causes: [{ rule: 'guests', source: null, properties: 1 }],
          nearest: null,
        },
      ]);
      assert.equal(unjudged, 0);
      const one = await reportUnmet(installation.storage, { city: 'VALÈNCIA', checkInFrom: 0 });
      assert.deepEqual(one.entries, found.slice(1));
    } finally {
      await installation.close();
    }
  });
}

describe('A stay that found nothing, on SQLite', () => judgesUnmet());
describePostgres('A stay that found nothing, on PostgreSQL', (server) => {
  judgesUnmet(() => server().createDatabase());
});
