/** The first sign-in of an installation: for how long it counts as young, and what ends that. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  FIRST_SIGN_IN_MS_MAX,
  FRESH_SIGN_IN_MS_MAX,
  SESSION_IDLE_MS_MAX,
} from '../../../src/access/console-sessions.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { type Installation, type Served, startInstallation } from '../../kit/installation.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const ISSUE = '/console/partners/acme/issue';
const ADMIN = { role: 'admin', name: 'Ada' } as const;

describe('The first sign-in to the console', () => describeFirst(async () => undefined));
describePostgres('The first sign-in to the console on PostgreSQL', (server) =>
  describeFirst(() => server().createDatabase()),
);

function describeFirst(openDatabase: () => Promise<string | undefined>): void {
  let installation: Installation;
  let service: Served;
  let first: ConsoleClient;
  beforeEach(async () => {
    ({ installation, service } = await startInstallation([], {}, await openDatabase()));
    first = await signIn(ADMIN);
  });
  afterEach(() => installation.close());

  const signIn = (who: Parameters<typeof signInTo>[2]) => signInTo(installation, service.operatorUrl, who);
  const pass = (ms: number): unknown => (installation.time.nowMs += ms);
  const issue = async (client = first) => (await client.act(ISSUE, { quota: '7' })).status;

  it('counts as young for an hour', async () => {
    for (const ms of [0, 0, -1]) {
      pass(FIRST_SIGN_IN_MS_MAX / 3 + ms);
      assert.equal(await issue(), 200);
    }
    pass(1);
    assert.equal(await issue(), 403);
  });

  it('ends after half an hour without a request, as every session', async () => {
    pass(SESSION_IDLE_MS_MAX);
    assert.equal((await first.get('/console')).status, 303);
    const later = await signIn(ADMIN);
    pass(FRESH_SIGN_IN_MS_MAX);
    assert.equal(await issue(later), 403, 'a later session of the same person');
  });

  it('is like others as soon as another person has signed in, whose own is too', async () => {
    pass(FRESH_SIGN_IN_MS_MAX);
    await signIn(ADMIN);
    assert.equal(await issue(), 200, 'the same person, once more');
    const other = await signIn({ ...ADMIN, name: 'Bob' });
    assert.equal(await issue(), 403);
    pass(FRESH_SIGN_IN_MS_MAX);
    assert.equal(await issue(other), 403);
  });

  it('is like others as soon as there is a passkey', async () => {
    pass(FRESH_SIGN_IN_MS_MAX);
    assert.equal(await issue(), 200);
    const [session] = await installation.storage.listConsoleSessions();
    const { sessionId, name, role } = session!;
    const nowMs = installation.time.nowMs;
    const credential = {
      credentialId: 'c',
      publicKey: 'k',
      signCount: 0,
      createdAtMs: nowMs,
      lastUsedAtMs: null,
    };
    const challenge = { challengeHash: '0'.repeat(64), expiresAtMs: nowMs + 1 };
    const by = { sessionId, challenge, passkeysMax: 1 };
    assert.ok(await installation.storage.putPasskey({ passkeyId: 'pk_1', name, role, ...credential }, by));
    assert.equal(await issue(), 403);
  });
}
