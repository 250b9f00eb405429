import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import type { RequestFilter, RequestRow } from '../../storage/activity/store.ts';
import { allocateLimits } from '../../limits/own-limits.ts';
import { openChannel } from './channel.ts';
import { joinMachine } from './joined-machine.ts';
import { askRequests, type Member } from './members.ts';

function row(number: number): RequestRow {
  return {
    atMs: number,
    correlationId: `id-${number}`,
    partnerId: 'acme',
    credentialId: 'c',
    operation: 'getPartnerProperty',
    status: 200,
    code: null,
    durationUs: 9,
    city: null,
    propertyId: 'ponte',
    checkIn: null,
    checkOut: null,
    guests: null,
    childAges: null,
    page: null,
    total: null,
    quoteId: null,
    reasons: null,
  };
}

describe('The last requests of a machine', () => {
  it('every worker lists the last requests of all running workers', async (context) => {
    const members: Member[] = [];
    const asked: RequestFilter[] = [];
    const views = [[row(5), row(2)], [row(4), row(3)], []].map((rows, index) => {
      const { port1, port2 } = new MessageChannel();
      context.after(() => port1.close());
      const channel = openChannel(port1);
      channel.answer('machine requests', (filter) => askRequests(members, filter as RequestFilter));
      members.push({ number: index, channel, isListening: true, isReady: true, metrics: [] });
      const place = { number: index, workerCount: 3, joinsWhenReady: false, isTerminal: false };
      return joinMachine(openChannel(port2), { ...place, limits: allocateLimits() }).join({
        readiness: () => 'ready',
        metrics: async () => [],
        recentRequests(filter) {
          asked.push(filter);
          return rows;
        },
      });
    });
    const filter = { partnerId: 'acme', limit: 3 };
    assert.deepEqual(await views[0]!.recentRequests.find(filter), [row(5), row(4), row(3)]);
    assert.deepEqual(asked, [filter, filter, filter]);
    members[1]!.channel.close();
    assert.deepEqual(await views[0]!.recentRequests.find(filter), [row(5), row(2)]);
  });
});
