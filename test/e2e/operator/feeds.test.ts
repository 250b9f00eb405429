/** A subscribed calendar, as partners and operators see it: the service polls by itself. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { feedDeps, subscribed } from '../../kit/feed-deps.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { calendar, type FeedServer, startFeedServer, status } from '../../kit/feed-server.ts';
import { NOW_MS, type Running, startInstallation } from '../../kit/installation.ts';

const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04' };

describe('A subscribed calendar', () => {
  let running: Running;
  let server: FeedServer;
  before(async () => {
    server = await startFeedServer();
    running = await startInstallation([hotel('good'), hotel('bad')], { ICAL_ALLOW_PRIVATE: 'true' });
  });
  after(async () => {
    await running.installation.close();
    await server.close();
  });

  const subscribe = (propertyId: string): Promise<string> =>
    subscribed(
      feedDeps(running.installation.storage, () => NOW_MS),
      {
        propertyId,
        url: `${server.url}/${propertyId}`,
      },
    );
  const metrics = async (): Promise<string> => (await fetch(`${running.service.operatorUrl}/metrics`)).text();

  const isAvailable = async (propertyId: string): Promise<boolean> =>
    (await running.partner.availability(propertyId, STAY)).success.available;

  it('closes nights for partners, and is counted; one that fails leaves them open', async () => {
    server.answer = (request, response) =>
      (request.url === '/good' ? calendar(['2026-12-02', '2026-12-03']) : status(500))(request, response);
    assert.equal(await isAvailable('good'), true);
    await subscribe('good');
    await subscribe('bad');
    await until(async () => !(await isAvailable('good')));
    await until(async () => (await metrics()).includes('stayport_ical_polls_total{outcome="failed"} 1'));
    assert.match(await metrics(), /stayport_ical_polls_total\{outcome="changed"\} 1/);
    assert.equal(await isAvailable('bad'), true);
  });

  it('that fails is seen in the metrics, and for how long', async () => {
    await until(async () => (await metrics()).includes('stayport_ical_feeds{state="failing"} 1'));
    assert.match(await metrics(), /stayport_ical_feeds\{state="ok"\} 1/);
    assert.match(await metrics(), /stayport_ical_overdue_seconds 0/);
    server.answer = status(503);
    running.installation.time.nowMs += 4 * 3_600_000;
    await until(async () => (await metrics()).includes('stayport_ical_feeds{state="failing"} 2'));
    // Half an hour is the interval.
    assert.match(await metrics(), /stayport_ical_overdue_seconds 12600\n/);
  });
});
