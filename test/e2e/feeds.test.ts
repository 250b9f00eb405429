/** A subscribed calendar, as partners and operators see it: the service polls by itself. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { makeMessageIds } from '../../src/storage/message-id.ts';
import { subscribeFeed } from '../../src/supply/ical/feed-changes.ts';
import { hotel } from '../kit/catalogue-lines.ts';
import { until } from '../kit/command-line.ts';
import { calendar, type FeedServer, startFeedServer, status } from '../kit/feed-server.ts';
import { NOW_MS, type Running, startInstallation } from '../kit/installation.ts';

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

  async function subscribe(propertyId: string): Promise<void> {
    const subscribed = await subscribeFeed(
      {
        storage: running.installation.storage,
        clock: () => NOW_MS,
        random: randomBytes,
        holder: 'test',
        newMessageId: makeMessageIds(() => randomBytes(8).toString('hex')),
        horizonNights: 730,
        fetching: { allowsPrivate: true },
      },
      {
        propertyId,
        inventoryTypeId: 'double',
        everySeconds: 1800,
        name: null,
        url: `${server.url}/${propertyId}`,
      },
    );
    assert.ok(subscribed.ok);
  }

  const isAvailable = async (propertyId: string): Promise<boolean> =>
    (await running.partner.availability(propertyId, STAY)).success.available;

  it('closes nights for partners, and is counted; one that fails leaves them open', async () => {
    server.answer = (request, response) =>
      (request.url === '/good' ? calendar(['2026-12-02', '2026-12-03']) : status(500))(request, response);
    assert.equal(await isAvailable('good'), true);
    await subscribe('good');
    await subscribe('bad');
    await until(async () => !(await isAvailable('good')));
    let metrics = '';
    await until(async () => {
      metrics = await (await fetch(`${running.service.operatorUrl}/metrics`)).text();
      return metrics.includes('stayport_ical_polls_total{outcome="failed"} 1');
    });
    assert.match(metrics, /stayport_ical_polls_total\{outcome="changed"\} 1/);
    assert.equal(await isAvailable('bad'), true);
  });
});
