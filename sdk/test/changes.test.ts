import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Stayport } from '../src/index.ts';
import { openService, type ServiceInstallation } from './service.ts';

let installation: ServiceInstallation;
let client: Stayport;
before(async () => {
  installation = await openService();
  const service = await installation.serve();
  const { token } = await installation.issue({ isTest: true, scopes: ['changes:read'] });
  client = new Stayport({ baseUrl: service.partnerUrl, token });
});
after(() => installation.close());

describe('changes', () => {
  it('are listed from a cursor on', async () => {
    const first = await client.changes.list();
    assert.deepEqual([first.data.changes, first.data.hasMore], [[], false]);
    assert.deepEqual((await client.changes.list({ since: first.data.next })).data.changes, []);
    await assert.rejects(client.changes.list({ since: 'nonsense' }), { code: 'FEED_CURSOR_INVALID' });
    await assert.rejects(client.changes.list({ since: 'test-expired' }), {
      code: 'FEED_CURSOR_RESET',
      status: 410,
    });
  });

  it('are followed, with a cursor to go on from, until the caller stops', async () => {
    const cursors: string[] = [];
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const followed = client.changes.follow(
      {
        onCursor(cursor) {
          cursors.push(cursor);
          stop.abort();
        },
      },
      options,
    );
    await assert.rejects(
      async () => {
        for await (const { propertyId } of followed) assert.ok(propertyId.startsWith('test-'));
      },
      { code: 'ABORTED' },
    );
    assert.equal(cursors.length, 1);
    const again = client.changes.follow({ since: 'test-expired', onCursor: () => undefined });
    await assert.rejects(again.next(), { code: 'FEED_CURSOR_RESET' });
  });

  it('need somewhere to store their cursor', async () => {
    const followed = client.changes.follow({} as never);
    await assert.rejects(followed.next(), { code: 'INVALID_ARGUMENT' });
  });
});
