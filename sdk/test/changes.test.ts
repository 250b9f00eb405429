import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stayport } from '../src/index.ts';
import { openService, type ServiceInstallation } from './service.ts';

let installation: ServiceInstallation;
let client: Stayport;
before(async () => {
  installation = await openService();
  // Before the service starts: one that runs knows a new token within a second.
  const { token } = await installation.issue({ isTest: true, scopes: ['changes:read'] });
  const { partnerUrl: baseUrl } = await installation.serve();
  client = new Stayport({ baseUrl, token });
});
after(() => installation.close());

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

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

  it('are followed through a restart of the service', async () => {
    const { token } = await installation.issue({ isTest: true, scopes: ['changes:read'] });
    const port = await findFreePort();
    const away = new Stayport({ baseUrl: `http://127.0.0.1:${port}`, token });
    const stop = new AbortController();
    const cursors: string[] = [];
    const onCursor = (cursor: string): void => {
      cursors.push(cursor);
      stop.abort();
    };
    const followed = away.changes.follow({ onCursor }, { signal: stop.signal }).next();
    // Longer than another call is tried.
    const back = sleep(3_000).then(() => installation.serve({ PORT: String(port) }));
    await assert.rejects(followed, { code: 'ABORTED' });
    await back;
    assert.equal(cursors.length, 1);
    const gone = new Stayport({ baseUrl: `http://127.0.0.1:${await findFreePort()}`, token });
    const impatient = gone.changes.follow({ onCursor }, { maxRetries: 0 }).next();
    await assert.rejects(impatient, { code: 'CONNECTION_FAILED' });
  });

  it('need somewhere to store their cursor', async () => {
    const followed = client.changes.follow({} as never);
    await assert.rejects(followed.next(), { code: 'INVALID_ARGUMENT' });
  });
});
