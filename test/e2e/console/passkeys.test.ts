/** Passkeys of the console: who may register one, what it opens and renews, what ends with it, and each wrong answer. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { reportAudit } from '../../../src/access/audit-trail.ts';
import { FRESH_SIGN_IN_MS_MAX, makeLink, type Role } from '../../../src/access/console-sessions.ts';
import {
  CHALLENGE_MS_MAX,
  endPasskey,
  listPasskeys,
  PASSKEYS_OF_PERSON_MAX,
  relyingPartyOf,
} from '../../../src/access/passkeys.ts';
import { WRONG_ATTEMPTS_MAX } from '../../../src/console/http/sessions.ts';
import { ANSWERED_CHALLENGES_MAX } from '../../../src/storage/passkeys/sql.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { type ConsoleAnswer, ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { type Installation, type Served, startInstallation, valueOf } from '../../kit/installation.ts';
import { type Lies, SoftPasskey } from '../../kit/soft-passkey.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const JSON_ONLY = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
const REGISTER = '/console/passkeys/passkey-register';
const SIGN_IN = '/console/sign-in-passkey';
const RENEW = '/console/sign-in-again';

describe('Passkeys of the console', () => describePasskeys(async () => undefined));
describePostgres('Passkeys of the console on PostgreSQL', (server) =>
  describePasskeys(() => server().createDatabase()),
);

function describePasskeys(openDatabase: () => Promise<string | undefined>): void {
  let installation: Installation;
  let service: Served;
  let origin: string;
  before(async () => {
    ({ installation, service } = await startInstallation(
      [hotel('ponte')],
      { TRUSTED_PROXIES: '127.0.0.1' },
      await openDatabase(),
    ));
    origin = originOf(service);
  });
  after(() => installation.close());

  const originOf = ({ operatorUrl }: Served): string => `http://localhost:${new URL(operatorUrl).port}`;
  const pass = (ms: number): unknown => (installation.time.nowMs += ms);
  const open = (name: string, role: Role = 'operator'): Promise<ConsoleClient> =>
    signInTo(installation, service.operatorUrl, { role, name });
  /** Another one for each test: wrong answers are counted by address. */
  let address = 0;
  beforeEach(() => (address += 1));
  const headersAt = (own: string) => {
    const forwarded = { 'x-forwarded-for': `192.0.2.${address}` };
    return { ...JSON_ONLY, ...forwarded, host: new URL(own).host };
  };

  /** Of a session, or without one. */
  async function send(client: ConsoleClient, path: string, credential = '', own = origin) {
    const fields = { credential, ...(client.cookie === undefined ? {} : { form: await client.formToken() }) };
    return client.post(path, fields, headersAt(own));
  }

  async function ask(client: ConsoleClient, path: string, own = origin): Promise<{ challenge: string }> {
    const answer = await send(client, `${path}-options`, '', own);
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as { challenge: string };
  }

  async function register(client: ConsoleClient, passkey = new SoftPasskey(origin)) {
    const answer = await send(client, REGISTER, passkey.register(await ask(client, REGISTER)));
    assert.equal(answer.status, 200, answer.text);
    const { passkeyId } = JSON.parse(answer.text) as { passkeyId: string };
    return { passkey, passkeyId };
  }

  const visitor = (): ConsoleClient => new ConsoleClient(service.operatorUrl);

  async function signIn(passkey: SoftPasskey, lies: Lies = {}): Promise<ConsoleAnswer> {
    const client = visitor();
    return send(client, SIGN_IN, passkey.signIn(await ask(client, SIGN_IN), lies));
  }

  function clientOf(answer: ConsoleAnswer): ConsoleClient {
    assert.equal(answer.status, 200, answer.text);
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
    return new ConsoleClient(service.operatorUrl, cookie);
  }

  it('sign in with the name and role that they were registered with, in every process', async () => {
    const { passkey } = await register(await open('Ada'));
    const client = clientOf(await signIn(passkey));
    assert.match((await client.get('/console')).text, /<bdi>Ada<\/bdi> \(operator\)/);
    const second = await installation.serve();
    const elsewhere = new ConsoleClient(second.operatorUrl);
    const own = originOf(second);
    const options = await ask(elsewhere, SIGN_IN, own);
    const answer = await send(elsewhere, SIGN_IN, passkey.signIn(options, { origin: own }), own);
    assert.equal(answer.status, 200, answer.text);
    const [used] = await listPasskeys(installation);
    assert.deepEqual([used!.name, used!.role], ['Ada', 'operator']);
    assert.ok(used!.lastUsedAt !== null);
  });

  it('answer alike whatever is wrong, and set no cookie', async () => {
    const { passkey, passkeyId } = await register(await open('Bea'));
    const known = await ask(visitor(), SIGN_IN);
    const used = passkey.signIn(known);
    assert.equal((await send(visitor(), SIGN_IN, used)).status, 200);
    const late = passkey.signIn(await ask(visitor(), SIGN_IN));
    const session = await open('Bea');
    pass(CHALLENGE_MS_MAX);
    const answers = [
      await send(visitor(), SIGN_IN, used),
      await send(visitor(), SIGN_IN, late),
      await send(visitor(), SIGN_IN, passkey.signIn(await ask(session, RENEW))),
      await signIn(passkey, { origin: 'http://localhost:1' }),
      await signIn(passkey, { origin: 'https://evil.example' }),
      await signIn(passkey, { rpId: 'evil.example' }),
      await signIn(passkey, { isVerified: false }),
      await signIn(passkey, { challenge: 'AAAA' }),
      await signIn(new SoftPasskey(origin)),
      await send(visitor(), SIGN_IN, 'not JSON'),
      await send(visitor(), SIGN_IN, 'null'),
      await send(visitor(), SIGN_IN, '{"id":"a","response":7}'),
    ];
    valueOf(await endPasskey(installation, passkeyId));
    answers.push(await signIn(passkey));
    const known401 = answers.map(({ status, text }) => {
      const { correlationId: _, instance: __, ...body } = JSON.parse(text) as Record<string, unknown>;
      return JSON.stringify([status, body]);
    });
    assert.equal(new Set(known401).size, 1, known401.join('\n'));
    assert.equal(answers[0]!.status, 401);
    assert.ok(answers.every(({ headers }) => headers['set-cookie'] === undefined));
  });

  it('sign in until the last millisecond of a challenge', async () => {
    const { passkey } = await register(await open('Cleo'));
    const options = await ask(visitor(), SIGN_IN);
    pass(CHALLENGE_MS_MAX - 1);
    assert.equal((await send(visitor(), SIGN_IN, passkey.signIn(options))).status, 200);
  });

  it('let one of many in that send the same answer at once', async () => {
    const { passkey } = await register(await open('Dora'));
    const credential = passkey.signIn(await ask(visitor(), SIGN_IN));
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(visitor(), SIGN_IN, credential)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401]);
  });

  it('are refused where their count does not grow, once they count', async () => {
    const { passkey } = await register(await open('Eva'));
    const statuses: number[] = [];
    for (const signCount of [0, 0, 7, 7, 6, 0, 8])
      statuses.push((await signIn(passkey, { signCount })).status);
    assert.deepEqual(statuses, [200, 200, 200, 401, 401, 401, 200]);
  });

  it('are registered in a session that a link opened less than 5 minutes ago, and in no other', async () => {
    const ada = await open('Fay');
    const { passkey } = await register(ada);
    const byPasskey = clientOf(await signIn(passkey));
    assert.equal((await send(byPasskey, `${REGISTER}-options`)).status, 422);
    pass(FRESH_SIGN_IN_MS_MAX - 1);
    const options = await ask(ada, REGISTER);
    pass(1);
    const late = await send(ada, REGISTER, new SoftPasskey(origin).register(options));
    assert.deepEqual([late.status, JSON.parse(late.text).code], [403, 'CONSOLE_SIGN_IN_TOO_OLD']);
  });

  it('are not registered by wrong answers, or those of another session', async () => {
    const ada = await open('Gina');
    const bob = await open('Hal', 'viewer');
    const lies: readonly Lies[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
      { challenge: (await ask(bob, REGISTER)).challenge },
    ];
    for (const lie of lies) {
      const credential = new SoftPasskey(origin).register(await ask(ada, REGISTER), lie);
      assert.equal((await send(ada, REGISTER, credential)).status, 401, JSON.stringify(lie));
    }
    const names = (await listPasskeys(installation)).map(({ name }) => name);
    assert.ok(!names.includes('Gina') && !names.includes('Hal'), names.join());
  });

  it(`are ${PASSKEYS_OF_PERSON_MAX} of a person at most`, async () => {
    const ida = await open('Ida');
    for (let count = 0; count < PASSKEYS_OF_PERSON_MAX; count++) await register(ida);
    const further = new SoftPasskey(origin).register(await ask(ida, REGISTER));
    assert.equal((await send(ida, REGISTER, further)).status, 401);
  });

  it('renew a sign-in for 5 minutes, of their own person alone', async () => {
    const admin = await open('Jo', 'admin');
    const { passkey } = await register(admin);
    const { passkey: other } = await register(await open('Jo', 'viewer'));
    const issue = () => admin.act('/console/partners/acme/issue', { quota: '7' });
    pass(FRESH_SIGN_IN_MS_MAX);
    assert.equal((await issue()).status, 403);
    assert.equal((await send(admin, RENEW, other.signIn(await ask(admin, RENEW)))).status, 401);
    assert.equal((await send(admin, RENEW, passkey.signIn(await ask(visitor(), SIGN_IN)))).status, 401);
    assert.equal((await issue()).status, 403);
    assert.equal((await send(admin, RENEW, passkey.signIn(await ask(admin, RENEW)))).status, 200);
    pass(FRESH_SIGN_IN_MS_MAX - 1);
    assert.equal((await issue()).status, 200);
    pass(1);
    assert.equal((await issue()).status, 403);
    const nobody = await open('Nobody', 'admin');
    assert.equal((await send(nobody, `${RENEW}-options`)).status, 422);
  });

  it('give back a form that was refused with all that was typed', async () => {
    const admin = await open('Kim', 'admin');
    const typed = { quota: '7', expires: '2027-01-01', note: '<b>"kept"</b>' };
    const retyped = /name="note" value="&lt;b&gt;&quot;kept&quot;&lt;\/b&gt;"/;
    pass(FRESH_SIGN_IN_MS_MAX);
    const page = await admin.get('/console/partners/acme');
    assert.match(page.text, /data-fresh-ms="0"/);
    assert.match(page.text, /console link <span>--name<\/span>[^]*Kim/);
    const stale = await admin.act('/console/partners/acme/issue', typed);
    assert.equal(stale.status, 403);
    assert.match(stale.text, retyped);
    assert.match(stale.text, /data-act="issue"\s+data-fresh\s*>/);
    // Signed in again by a link in another tab: this page has the token of the session before.
    const { secret } = valueOf(
      await makeLink(
        { ...installation.access, storage: installation.storage },
        { name: 'Kim', role: 'admin' },
      ),
    );
    const token = await admin.formToken();
    const entered = await admin.post('/console/sign-in', { link: secret });
    admin.cookie = entered.headers['set-cookie']![0]!.split(';')[0];
    const old = await admin.post('/console/partners/acme/issue', { ...typed, form: token });
    assert.equal(old.status, 200, old.text);
    const unknown = await admin.post('/console/partners/acme/issue', { ...typed, form: 'f'.repeat(64) });
    assert.equal(unknown.status, 403);
    assert.match(unknown.text, retyped);
    assert.ok(unknown.text.includes(`name="form" value="${await admin.formToken()}"`), unknown.text);
    // Of another site, nothing comes back.
    const foreign = await admin.post('/console/partners/acme/issue', typed, {
      'sec-fetch-site': 'cross-site',
    });
    assert.equal(foreign.status, 403);
    assert.doesNotMatch(foreign.text, retyped);
  });

  it('end with the sessions that they opened or renewed, by their person or an administrator', async () => {
    const lea = await open('Lea', 'operator');
    const { passkey, passkeyId } = await register(lea);
    const opened = clientOf(await signIn(passkey));
    assert.equal((await send(lea, RENEW, passkey.signIn(await ask(lea, RENEW)))).status, 200);
    const end = (client: ConsoleClient) => client.act('/console/passkeys/passkey-end', { passkeyId });
    assert.equal((await end(await open('Mia', 'operator'))).status, 403);
    assert.equal((await end(await open('Lea', 'viewer'))).status, 403);
    const admin = await open('Nora', 'admin');
    pass(FRESH_SIGN_IN_MS_MAX);
    assert.equal((await end(admin)).status, 403);
    const unknown = await (
      await open('Nora', 'admin')
    ).act('/console/passkeys/passkey-end', { passkeyId: 'x' });
    assert.equal(unknown.status, 404);
    assert.equal((await end(await open('Nora', 'admin'))).status, 303);
    for (const client of [opened, lea])
      assert.equal((await client.get('/console', headersAt(origin))).status, 401);
    assert.equal((await signIn(passkey)).status, 401);
    const lea2 = await open('Lea', 'operator');
    const again = await register(lea2);
    pass(FRESH_SIGN_IN_MS_MAX);
    const own = await lea2.act('/console/passkeys/passkey-end', { passkeyId: again.passkeyId });
    assert.deepEqual([own.status, own.location], [303, '/console/passkeys']);
  });

  it('are in the audit trail: registered, used, ended', async () => {
    const { nowMs } = installation.time;
    const olga = await open('Olga');
    const { passkey, passkeyId } = await register(olga);
    clientOf(await signIn(passkey));
    await send(olga, RENEW, passkey.signIn(await ask(olga, RENEW)));
    await olga.act('/console/passkeys/passkey-end', { passkeyId });
    const rows = (await reportAudit(installation.storage, nowMs)).filter(({ person }) => person === 'Olga');
    assert.deepEqual(rows.map(({ act }) => act).toReversed(), [
      'sign-in',
      'passkey register',
      'sign-in',
      'sign-in again',
      'console passkeys end',
      'console passkeys end',
      'console passkeys end',
    ]);
    assert.ok(rows.every(({ role }) => role === 'operator'));
    assert.ok(!JSON.stringify(rows).includes(passkey.id));
  });

  it('list the rows of the command as JSON, and no key among them', async () => {
    const client = await open('Pia', 'viewer');
    const { passkey } = await register(client);
    const rows = await client.rows<readonly object[]>('/console/passkeys');
    assert.deepEqual(rows, await listPasskeys(installation));
    assert.deepEqual(Object.keys(rows[0]!), ['passkeyId', 'name', 'role', 'createdAt', 'lastUsedAt']);
    assert.ok(!JSON.stringify(rows).includes(passkey.id));
  });

  it('take no more answers at a time than there is room for', async () => {
    const { passkey } = await register(await open('Quin', 'viewer'));
    const { storage, time } = installation;
    const { passkeyId } = (await storage.findPasskey(passkey.id))!;
    const expiresAtMs = time.nowMs + CHALLENGE_MS_MAX;
    const take = (name: string, usedAtMs = time.nowMs) =>
      storage.beginPasskeySession(
        { passkeyId, signCount: 0, usedAtMs, challenge: { challengeHash: name, expiresAtMs } },
        { sessionId: name, tokenHash: name },
        0,
      );
    let count = 0;
    while (count <= ANSWERED_CHALLENGES_MAX && (await take(`answer ${count}`))) count += 1;
    // Those of the tests before have not all expired.
    assert.ok(count > ANSWERED_CHALLENGES_MAX - 100 && count <= ANSWERED_CHALLENGES_MAX, String(count));
    assert.equal((await signIn(passkey)).status, 401);
    pass(CHALLENGE_MS_MAX);
    assert.equal((await signIn(passkey)).status, 200);
    await storage.endConsoleSessions(null);
  });

  it('need a host name, and say so', async () => {
    const answer = await send(visitor(), `${SIGN_IN}-options`, '', service.operatorUrl);
    assert.equal(answer.status, 422);
    assert.match(answer.text, /host name/);
    assert.deepEqual(relyingPartyOf('https://ops.example.com', 'anything'), {
      rpId: 'ops.example.com',
      origin: 'https://ops.example.com',
    });
    assert.equal(relyingPartyOf('https://192.0.2.1:8443', 'localhost'), undefined);
    assert.equal(relyingPartyOf('https://[2001:db8::1]', 'localhost'), undefined);
    assert.equal(relyingPartyOf('http://127.0.0.1:8081', '127.0.0.1:8081'), undefined);
    assert.equal(relyingPartyOf('http://127.0.0.1:8081', 'localhost.evil.example'), undefined);
    assert.equal(relyingPartyOf('http://127.0.0.1:8081', 'localhost:9999'), undefined);
    assert.deepEqual(relyingPartyOf('http://127.0.0.1:8081', 'localhost:8081'), {
      rpId: 'localhost',
      origin: 'http://localhost:8081',
    });
  });

  it('are 429 after twenty wrong ones a minute, whatever they are, and right ones go on', async () => {
    const { passkey } = await register(await open('Ria'));
    const statuses: number[] = [];
    for (let count = 0; count <= WRONG_ATTEMPTS_MAX; count++)
      statuses.push((await signIn(passkey, { isVerified: false })).status);
    assert.deepEqual(statuses, [...Array.from({ length: WRONG_ATTEMPTS_MAX }, () => 401), 429]);
    assert.equal((await signIn(passkey)).status, 200);
  });
}
