/** `/console/people`: sessions listed and ended, one's own by everybody, those of others by administrators. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FRESH_SIGN_IN_MS_MAX, type SessionView } from '../../../src/access/console-sessions.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const PAGE = '/console/people';
const END = `${PAGE}/session-end`;
const JSON_ANSWER = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };

function describePeople(databaseUrl: () => Promise<string | undefined>): void {
  let installation: Installation;
  let first: Served;
  let second: Served;
  before(async () => {
    installation = await openInstallation(await databaseUrl());
    first = await installation.serve();
    second = await installation.serve();
  });
  after(() => installation.close());

  const signIn = (name: string, role: 'viewer' | 'operator' | 'admin', service = first) =>
    signInTo(installation, service.operatorUrl, { name, role });
  const sessionsOf = (client: ConsoleClient) => client.rows<SessionView[]>(PAGE);
  const ownId = async (client: ConsoleClient) => {
    const { text } = await client.get(PAGE, { 'accept-language': 'en' });
    const row = /data-session="(cs_\w+)"(?:(?!<\/tr>)[\s\S])*\(this session\)/.exec(text);
    return row![1]!;
  };

  it('an administrator sees all sessions, others see their own', async () => {
    const ada = await signIn('Ada', 'admin');
    const ugo = await signIn('Ugo', 'viewer');
    await signIn('Ugo', 'viewer', second);
    const names = async (client: ConsoleClient) => (await sessionsOf(client)).map(({ name }) => name).sort();
    assert.deepEqual(await names(ada), ['Ada', 'Ugo', 'Ugo']);
    assert.deepEqual(await names(ugo), ['Ugo', 'Ugo']);
    const row = (await sessionsOf(ugo))[0]!;
    assert.deepEqual(Object.keys(row), ['sessionId', 'name', 'role', 'createdAt', 'lastSeenAt']);
    assert.equal((await ada.get(PAGE)).text.match(/data-act="session-end"/g)?.length, 3);
  });

  it('a person ends a session of their own elsewhere, at once in every process, and it is recorded', async () => {
    const here = await signIn('Pia', 'viewer');
    const elsewhere = await signIn('Pia', 'viewer', second);
    const sessionId = await ownId(elsewhere);
    // However long ago the sign-in was.
    installation.time.nowMs += FRESH_SIGN_IN_MS_MAX + 1;
    assert.equal((await here.act(END, { sessionId })).location, PAGE);
    assert.equal((await elsewhere.get('/console', { accept: 'application/json' })).status, 401);
    assert.equal((await sessionsOf(here)).length, 1);
    const [entry] = await installation.storage.readAudit(0, 1);
    assert.deepEqual([entry!.person, entry!.act, entry!.on], ['Pia', 'console end', sessionId]);
  });

  it('a person who ends the session in hand is signed out', async () => {
    const client = await signIn('Leo', 'operator');
    const answer = await client.act(END, { sessionId: await ownId(client) });
    assert.equal(answer.location, '/console/sign-in');
    assert.match(answer.headers['set-cookie']![0]!, /Max-Age=0/);
    assert.equal((await client.get(PAGE, { accept: 'application/json' })).status, 401);
  });

  it('nobody ends sessions of others but an administrator who signed in a moment ago', async () => {
    const ada = await signIn('Ada', 'admin');
    const ugo = await signIn('Ugo', 'operator');
    const [of, own] = [await ownId(ada), await ownId(ugo)];
    assert.equal((await ugo.act(END, { sessionId: of })).status, 403);
    assert.equal((await ugo.act(END, { sessionId: 'cs_none' })).status, 403);
    assert.equal((await ada.act(END, { sessionId: 'cs_none' })).status, 404);
    installation.time.nowMs += FRESH_SIGN_IN_MS_MAX + 1;
    const stale = await ada.act(END, { sessionId: own }, JSON_ANSWER);
    assert.match(stale.text, /CONSOLE_SIGN_IN_TOO_OLD/);
    const again = await signIn('Ada', 'admin', second);
    const answer = await again.act(END, { sessionId: own }, JSON_ANSWER);
    assert.deepEqual(
      (JSON.parse(answer.text) as SessionView[]).map(({ sessionId }) => sessionId),
      [own],
    );
    assert.equal((await ugo.get(PAGE, { accept: 'application/json' })).status, 401);
  });
}

describe('The page of people', () => describePeople(async () => undefined));
describePostgres('The page of people on PostgreSQL', (server) =>
  describePeople(() => server().createDatabase()),
);
