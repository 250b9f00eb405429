/** The feed of changes over real HTTP: what it takes, what it refuses, and how it waits. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listHandoffKeys, retireHandoffKey, rotateHandoffKey } from '../../../src/handoff/key-changes.ts';
import { revokeCredential } from '../../../src/access/credential-changes.ts';
import { WAITING_PER_CREDENTIAL_MAX } from '../../../src/partner/changes/long-polls.ts';
import type { ListedChanges } from '../../../src/partner/changes/change-feed.ts';
import { december, double, hotel, hotelWith, type Line, nights } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type EarlierCopy, earlierPostgres, earlierSqlite } from '../../kit/earlier-copy.ts';
import { type Running, startInstallation, valueOf } from '../../kit/installation.ts';
import { DETAILS } from '../../kit/property-details.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const DAY_MS = 86_400_000;
/** Of the setting. */
const CHANGES_DAYS = 90;
const scopes = ['changes:read', 'properties:read'];

/** A database, and the way back to an earlier state of it. */
type Open = () => Promise<{ readonly url: string; readonly copy: EarlierCopy }>;

describe('The feed of changes', () => describeFeed());
describePostgres('The feed of changes on PostgreSQL', (server) =>
  describeFeed(async () => {
    const url = await server().createDatabase();
    return { url, copy: earlierPostgres(server(), url) };
  }),
);

function describeFeed(open?: Open): void {
  let running: Running;
  let token: string;
  let copy: EarlierCopy;
  before(async () => {
    const database = await open?.();
    running = await startInstallation([hotel('first'), hotel('second')], {}, database?.url);
    token = (await running.installation.issue({ scopes, quota: 100_000 })).token;
    copy = database?.copy ?? earlierSqlite(running.installation.databasePath);
    await until(async () => (await ask()).status === 200);
  });
  after(() => running.installation.close());

  function ask(query = '', bearer = token): Promise<Response> {
    return fetch(`${running.service.partnerUrl}/feeds/v1/changes${query}`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
  }

  async function told(query: string, bearer = token): Promise<ListedChanges> {
    const response = await ask(query, bearer);
    assert.equal(response.status, 200, await response.clone().text());
    assert.equal(response.headers.get('cache-control'), 'no-store');
    return (await response.json()) as ListedChanges;
  }

  async function codeOf(query: string, bearer = token): Promise<string> {
    const response = await ask(query, bearer);
    const { code, status } = (await response.json()) as { code: string; status: number };
    return `${status} ${code}`;
  }

  async function begin(bearer = token): Promise<string> {
    const { changes, hasMore, next } = await told('', bearer);
    assert.deepEqual([changes, hasMore], [[], false]);
    return next;
  }

  it('takes cursors only as they were given, and only from the partner', async () => {
    const next = await begin();
    const other = await running.installation.issue({ partnerId: 'other', scopes });
    await until(async () => (await ask('', other.token)).status === 200);
    assert.equal(await codeOf('?since='), '400 FEED_CURSOR_INVALID');
    assert.equal(await codeOf('?since=x'), '400 FEED_CURSOR_INVALID');
    assert.equal(await codeOf(`?since=${'A'.repeat(3_000)}`), '400 FEED_CURSOR_INVALID');
    for (const cut of [1, 2, 20, next.length - 1])
      assert.equal(await codeOf(`?since=${next.slice(0, -cut)}`), '400 FEED_CURSOR_INVALID');
    assert.equal(await codeOf(`?since=${next}A`), '400 FEED_CURSOR_INVALID');
    assert.equal(await codeOf(`?since=${next}%3D`), '400 FEED_CURSOR_INVALID');
    for (const at of [0, 10, 20, next.length - 3]) {
      const changed = next.slice(0, at) + (next[at] === 'A' ? 'B' : 'A') + next.slice(at + 1);
      assert.equal(await codeOf(`?since=${changed}`), '400 FEED_CURSOR_INVALID');
    }
    assert.equal(await codeOf(`?since=${next}`, other.token), '400 FEED_CURSOR_INVALID');
    assert.equal(await codeOf(`?since=${next}&since=${next}`), '400 VALIDATION_ERROR');
    assert.deepEqual((await told(`?since=${next}`)).changes, []);
  });

  it('has bounds', async () => {
    const next = await begin();
    for (const query of ['limit=0', 'limit=1001', 'wait=21', 'wait=-1', 'wait=1.5', 'limit=', 'sort=x'])
      assert.equal(await codeOf(`?since=${next}&${query}`), '400 VALIDATION_ERROR', query);
    for (const query of ['limit=1', 'limit=1000', 'wait=0']) await told(`?since=${next}&${query}`);
    // Nothing to wait for without a place.
    await told('?wait=20');
  });

  it('tells content, calendar and gone, each property once, page by page', async () => {
    const { installation } = running;
    let next = await begin();
    await installation.importLines([hotel('first', { name: 'Another name' }), hotel('third')]);
    const seen = await told(`?since=${next}&wait=5`);
    assert.deepEqual(
      seen.changes.toSorted((a, b) => (a.propertyId < b.propertyId ? -1 : 1)),
      [
        { propertyId: 'first', change: 'content' },
        { propertyId: 'third', change: 'content' },
      ],
    );
    const one = await told(`?since=${next}&limit=1`);
    assert.deepEqual([one.changes.length, one.hasMore], [1, true]);
    const two = await told(`?since=${one.next}&limit=1`);
    assert.deepEqual([two.changes.length, two.hasMore], [1, false]);
    assert.deepEqual((await told(`?since=${two.next}`)).changes, []);
    next = seen.next;
    await installation.storage.withdrawProperties(['third']);
    assert.deepEqual((await told(`?since=${next}&wait=5`)).changes, [
      { propertyId: 'third', change: 'gone' },
    ]);
  });

  it('tells everything of a document as content, nights and rates as calendar, and the same again as nothing', async () => {
    const { installation } = running;
    const content: Line = {
      ...DETAILS,
      name: 'Told',
      description: 'Told',
      amenities: ['wifi'],
      rating: { score: 4, count: 2 },
      cityAliases: ['Venise'],
      cleaningFee: '7.00',
      quoting: false,
      bathrooms: 3,
      timezone: 'Europe/Paris',
      discounts: [{ code: 'long', percent: '5', minNights: 7 }],
      taxes: [{ code: 'vat', kind: 'tax', logic: 'percent', percent: '10', base: ['accommodation'] }],
      inventoryTypes: [double({ guestsMax: 3, calendar: [december()] })],
    };
    const calendar: Line = { availability: 1, rate: '99.00', stopSell: true, minStayArrival: 2 };
    // One property for each field.
    const changed = [
      ...Object.entries(content).map(([field, value]) => hotel(field, { [field]: value })),
      ...Object.entries(calendar).map(([field, value]) =>
        hotelWith(field, [december(), nights('2026-12-02', '2026-12-02', { [field]: value })]),
      ),
    ];
    const plain = [...Object.keys(content), ...Object.keys(calendar)].map((field) => hotel(field));
    const toldOf = async (lines: readonly Line[]): Promise<Record<string, string>> => {
      const kinds: Record<string, string> = {};
      let since = await begin();
      await installation.importLines(lines);
      // Told with the others, or behind them.
      await installation.importLines([hotel('second', { name: `Behind ${since.slice(0, 9)}` })]);
      while (kinds['second'] === undefined) {
        const { changes, next } = await told(`?since=${since}&wait=5`);
        for (const { propertyId, change } of changes) kinds[propertyId] = change;
        since = next;
      }
      return kinds;
    };
    const all = (fields: Line, kind: string) =>
      Object.fromEntries(Object.keys(fields).map((field) => [field, kind]));
    const second = { second: 'content' };
    const kinds = { ...all(content, 'content'), ...all(calendar, 'calendar'), ...second };
    await toldOf(plain);
    assert.deepEqual(await toldOf(changed), kinds);
    assert.deepEqual(await toldOf(changed), second);
    assert.deepEqual(await toldOf(plain), kinds);
  });

  it('tells 1,001 changes in two answers', async () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `many-${String(index).padStart(4, '0')}`);
    const next = await begin();
    await running.installation.importLines(ids.map((id) => hotel(id)));
    const before = await begin();
    await running.installation.importLines([hotel('first', { name: 'Behind the many' })]);
    // Once this one is told, all of them are.
    await told(`?since=${before}&wait=5`);
    const one = await told(`?since=${next}`);
    assert.deepEqual([one.changes.length, one.hasMore], [1_000, true]);
    const two = await told(`?since=${one.next}`);
    assert.deepEqual([two.changes.length, two.hasMore], [2, false]);
    const seen = [...one.changes, ...two.changes].map(({ propertyId }) => propertyId);
    assert.deepEqual(seen.toSorted(), [...ids, 'first'].toSorted());
    await running.installation.storage.withdrawProperties(ids);
    assert.equal((await told(`?since=${two.next}&wait=5`)).changes.length, 1_000);
  });

  it('never names what only others see', async () => {
    const { installation } = running;
    const next = await begin();
    await installation.importLines([hotel('secret', { visibleTo: ['somebody'] })]);
    await installation.storage.withdrawProperties(['secret']);
    await installation.importLines([hotel('known')]);
    const { changes } = await told(`?since=${next}&wait=5`);
    assert.deepEqual(changes, [{ propertyId: 'known', change: 'content' }]);
  });

  it('holds an answer back until something changes, and tells it within a second', async () => {
    const next = await begin();
    const waiting = told(`?since=${next}&wait=20`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const startedMs = performance.now();
    await running.installation.importLines([hotel('first', { name: 'A third name' })]);
    assert.deepEqual((await waiting).changes, [{ propertyId: 'first', change: 'content' }]);
    assert.ok(performance.now() - startedMs < 3_000);
  });

  it('answers with nothing when the time is over', async () => {
    const next = await begin();
    const { changes, hasMore } = await told(`?since=${next}&wait=1`);
    assert.deepEqual([changes, hasMore], [[], false]);
  });

  it('lets so many of a credential wait, and forgets those that hang up', async () => {
    const next = await begin();
    const gone = new AbortController();
    const many = Array.from({ length: WAITING_PER_CREDENTIAL_MAX }, () =>
      fetch(`${running.service.partnerUrl}/feeds/v1/changes?since=${next}&wait=20`, {
        headers: { authorization: `Bearer ${token}` },
        signal: gone.signal,
      }).catch(() => undefined),
    );
    await until(async () => {
      const one = await ask(`?since=${next}&wait=1`);
      await one.arrayBuffer();
      return one.status === 503 && one.headers.has('retry-after');
    });
    assert.equal((await ask(`?since=${next}`)).status, 200);
    if (open !== undefined) {
      // Followers of the database use one now and then.
      await until(async () => {
        const text = await (await fetch(`${running.service.operatorUrl}/metrics`)).text();
        const count = (state: string) =>
          [...text.matchAll(/^stayport_database_pool_connections\{[^}]*state="(\w+)"\} (\d+)$/gm)]
            .filter(([, name]) => name === state)
            .reduce((sum, [, , value]) => sum + Number(value), 0);
        return count('open') > 0 && count('open') === count('idle');
      });
    }
    gone.abort();
    await Promise.all(many);
    await until(async () => (await ask(`?since=${next}&wait=1`)).status === 200);
  });

  it('tells nothing to a token that was revoked while it waited', async () => {
    const { installation } = running;
    const { token: late, credentialId } = await installation.issue({ scopes });
    await until(async () => (await ask('', late)).status === 200);
    const next = await begin(late);
    const waiting = ask(`?since=${next}&wait=20`, late);
    await new Promise((resolve) => setTimeout(resolve, 200));
    valueOf(await revokeCredential(installation.access, credentialId));
    await until(async () => (await ask('', late)).status === 401);
    await installation.importLines([hotel('first', { name: 'A fourth name' })]);
    assert.equal((await waiting).status, 401);
  });

  it('is read by HEAD and from authorised origins, as every operation is', async () => {
    const origin = 'https://browser.example';
    const issued = await running.installation.issue({ partnerId: 'browsing', origins: [origin], scopes });
    const send = (method: string, from: string) =>
      fetch(`${running.service.partnerUrl}/feeds/v1/changes`, {
        method,
        headers: { origin: from, authorization: `Bearer ${issued.token}` },
      });
    await until(async () => (await send('GET', origin)).status === 200);
    const head = await send('HEAD', origin);
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal(head.headers.get('access-control-allow-origin'), origin);
    assert.ok(Number(head.headers.get('x-ratelimit-remaining')) > 0);
    assert.equal((await send('GET', 'https://other.example')).status, 403);
    assert.equal((await send('POST', origin)).status, 405);
  });

  it('needs its scope, which is issued only when it is named', async () => {
    const without = await running.installation.issue({ scopes: ['properties:read'] });
    await until(async () => (await ask('', without.token)).status === 403);
  });

  it('changes every few seconds for a test token', async () => {
    const { installation } = running;
    const test = await installation.issue({ scopes, isTest: true });
    await until(async () => (await ask('', test.token)).status === 200);
    const next = await begin(test.token);
    assert.equal(await codeOf(`?since=${next}`), '400 FEED_CURSOR_INVALID');
    installation.time.nowMs += 5_000;
    assert.equal((await told(`?since=${next}`, test.token)).changes.length, 1);
    installation.time.nowMs += 60_000;
    const all = await told(`?since=${next}`, test.token);
    assert.equal(all.changes.length, 3);
    const first = await told(`?since=${next}&limit=1`, test.token);
    assert.deepEqual([first.changes.length, first.hasMore], [1, true]);
    const rest = await told(`?since=${first.next}&limit=2`, test.token);
    assert.deepEqual([rest.changes.length, rest.hasMore], [2, false]);
    assert.equal(await codeOf('?since=test-expired', test.token), '410 FEED_CURSOR_RESET');
  });

  it('remembers a cursor for 90 days, and says later that it is too old', async () => {
    const { time } = running.installation;
    const next = await begin();
    const begunMs = time.nowMs;
    try {
      time.nowMs = begunMs + CHANGES_DAYS * DAY_MS;
      assert.equal((await ask(`?since=${next}`)).status, 200);
      time.nowMs += 1;
      // Another question: equal ones share an answer for a second.
      assert.equal(await codeOf(`?since=${next}&limit=9`), '410 FEED_CURSOR_RESET');
    } finally {
      time.nowMs = begunMs;
    }
  });

  it('begins again after the key of a cursor was retired', async () => {
    const { access, storage } = running.installation;
    const deps = { ...access, storage, quoteTtlSeconds: 60 };
    const next = await begin();
    const [old] = await listHandoffKeys(deps);
    await rotateHandoffKey(deps);
    assert.equal((await ask(`?since=${next}`)).status, 200);
    valueOf(await retireHandoffKey(deps, old!.keyId));
    await until(async () => (await codeOf(`?since=${next}`)) === '410 FEED_CURSOR_RESET');
    assert.equal(await codeOf(`?since=${next.slice(0, -4)}AAAA`), '400 FEED_CURSOR_INVALID');
    await told(`?since=${await begin()}`);
  });

  it('begins again after a database that went back, and is true from there', async () => {
    const { installation } = running;
    await copy.keep();
    await installation.importLines([hotel('lost')]);
    const before = await begin();
    await installation.importLines([hotel('lost', { name: 'Lost name' })]);
    const { next } = await told(`?since=${before}&wait=5`);
    await copy.goBack();
    await until(async () => (await codeOf(`?since=${next}`)) === '410 FEED_CURSOR_RESET');
    await until(async () => (await ask()).status === 200);
    const later = await begin();
    await installation.importLines([hotel('found')]);
    assert.deepEqual((await told(`?since=${later}&wait=5`)).changes, [
      { propertyId: 'found', change: 'content' },
    ]);
  });

  it('ends every wait at a stop, with nothing to tell', async () => {
    const next = await begin();
    const waiting = told(`?since=${next}&wait=20`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const startedMs = performance.now();
    const closed = running.service.close();
    assert.deepEqual((await waiting).changes, []);
    await closed;
    assert.ok(performance.now() - startedMs < 5_000);
  });
}
