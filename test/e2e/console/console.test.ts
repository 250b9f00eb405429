/** The console: who comes in, what a role may do, when a session ends, and that pages show what commands print. */
import assert from 'node:assert/strict';
import { ALL_SCOPE_NAMES, SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportAudit } from '../../../src/access/audit-trail.ts';
import { issueCredential, listCredentials } from '../../../src/access/credential-changes.ts';
import { createPartner, listPartners, updatePartner } from '../../../src/access/partner-changes.ts';
import {
  endSessions,
  FRESH_SIGN_IN_MS_MAX,
  LINK_TTL_MS,
  makeLink,
  type Role,
  SESSION_IDLE_MS_MAX,
  SESSION_MS_MAX,
} from '../../../src/access/console-sessions.ts';
import { CREDENTIALS_SHOWN_MAX, PARTNERS_SHOWN_MAX } from '../../../src/console/pages/partners/read.ts';
import { CONSOLE_FORMS } from '../../../src/console/reading/console-forms.ts';
import { NEW_PATH } from '../../../src/console/pages/property-form/save.ts';
import { CONSOLE_PAGES, FORM_ROUTES } from '../../../src/console/http/console-routes.ts';
import { NEXT_LENGTH_MAX } from '../../../src/console/http/console-answers.ts';
import { WRONG_ATTEMPTS_MAX } from '../../../src/console/http/sessions.ts';
import { findShownQuote } from '../../../src/partner/quotes/shown-quote.ts';
import { DURATION_BUCKETS } from '../../../src/storage/activity/store.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type ConsoleAnswer, ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { fieldsOfForm } from '../../kit/form-fields.ts';
import { type Installation, type Served, startInstallation, valueOf } from '../../kit/installation.ts';
import { type PartnerClient, quoteBody } from '../../kit/partner-client.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

/** The service has read what was sent, or noticed who left. */
const HEARD_MS = 500;

interface SentHead {
  readonly path: string;
  readonly cookie: string;
  /** Of the body, which is not sent. */
  readonly bytes: number;
}

/** The head of a form that a page of ours would send. */
function sendHead(operatorUrl: string, { path, cookie, bytes }: SentHead): Socket {
  const { hostname, port } = new URL(operatorUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  return socket;
}

const MARKUP = '<script>alert("1")</script> & <b>';

describe('The console', () => describeConsole(async () => undefined));
describePostgres('The console on PostgreSQL', (server) => describeConsole(() => server().createDatabase()));

function describeConsole(openDatabase: () => Promise<string | undefined>): void {
  let installation: Installation;
  let service: Served;
  let partner: PartnerClient;
  before(async () => {
    ({ installation, service, partner } = await startInstallation(
      [hotel('ponte')],
      {},
      await openDatabase(),
    ));
  });
  after(() => installation.close());

  const deps = () => ({ ...installation.access, storage: installation.storage });
  const signIn = (role: Role = 'viewer', name?: string): Promise<ConsoleClient> =>
    signInTo(installation, service.operatorUrl, { role, ...(name === undefined ? {} : { name }) });
  const newLink = async (): Promise<string> => valueOf(await makeLink(deps(), { name: 'Ada' })).secret;
  const openSignIn = (): ConsoleClient => new ConsoleClient(service.operatorUrl);
  const auditSince = (sinceMs: number) => reportAudit(installation.storage, sinceMs);
  async function pass(ms: number): Promise<number> {
    installation.time.nowMs += ms;
    return installation.time.nowMs;
  }
  async function firstCredential(): Promise<string> {
    const credentials = valueOf(await listCredentials(installation, 'acme'));
    return credentials.find(({ revokedAt }) => revokedAt === null)!.credentialId;
  }

  describe('signing in', () => {
    it('uses a link up by its button, and not by a look at it', async () => {
      const secret = await newLink();
      const browser = openSignIn();
      for (let look = 0; look < 3; look++) {
        const { status, text } = await browser.get(`/console/sign-in?link=${secret}`);
        assert.equal(status, 200);
        assert.ok(text.includes('data-act="sign-in"') && text.includes(secret), text);
      }
      const first = await browser.post('/console/sign-in', { link: secret });
      assert.deepEqual([first.status, first.location], [303, '/console']);
    });

    it('answers a used, an expired and a wrong link alike', async () => {
      const used = await newLink();
      const browser = openSignIn();
      await browser.post('/console/sign-in', { link: used });
      const expired = await newLink();
      await pass(LINK_TTL_MS);
      const answers: ConsoleAnswer[] = [];
      for (const link of [used, expired, 'x'.repeat(43), 'short', ''])
        answers.push(await browser.post('/console/sign-in', { link }));
      assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
      assert.equal(answers[0]!.status, 401);
      assert.ok(answers.every(({ headers }) => headers['set-cookie'] === undefined));
    });

    it('lets one of two in that press the button at once', async () => {
      const link = await newLink();
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() => openSignIn().post('/console/sign-in', { link })),
      );
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 401, 401, 401]);
    });

    it('sets a cookie that scripts and other sites do not see', async () => {
      const answer = await openSignIn().post('/console/sign-in', { link: await newLink() });
      assert.match(
        answer.headers['set-cookie']![0]!,
        /^stayport=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
      );
    });

    it('ends the session that the browser had before', async () => {
      const browser = await signIn();
      const old = new ConsoleClient(service.operatorUrl, browser.cookie);
      assert.equal((await browser.post('/console/sign-in', { link: await newLink() })).status, 303);
      assert.equal((await old.get('/console')).status, 303);
    });

    it('stores neither the link nor the cookie', async () => {
      const link = await newLink();
      const { storage } = installation;
      await storage.putConsoleLink(
        { linkHash: 'a'.repeat(64), name: 'x', role: 'viewer', expiresAtMs: 0 },
        0,
      );
      const browser = await signIn();
      const stored = JSON.stringify(await storage.listConsoleSessions());
      assert.ok(!stored.includes(browser.cookie!.split('=')[1]!) && !stored.includes(link));
    });
  });

  describe('without a session', () => {
    it('leads every page to the one that says how to sign in, and answers JSON with 401', async () => {
      const browser = openSignIn();
      for (const path of [
        '/console',
        '/console/partners',
        '/console/nothing',
        '/console/partners/acme/issue',
      ]) {
        const { status, location, text } = await browser.get(path);
        assert.deepEqual([status, location, text], [303, '/console/sign-in', ''], path);
        const json = await browser.get(path, { accept: 'application/json' });
        assert.deepEqual([json.status, JSON.parse(json.text).code], [401, 'CONSOLE_SESSION_REQUIRED'], path);
      }
      const { status, text } = await browser.get('/console/sign-in');
      assert.equal(status, 200);
      assert.ok(text.includes('stayport console link'), text);
    });

    it('has nothing on the listener of partners', async () => {
      const browser = new ConsoleClient(service.partnerUrl);
      assert.equal((await browser.get('/console')).status, 404);
      assert.equal((await browser.get('/console/sign-in')).status, 404);
    });
  });

  describe('a session', () => {
    it('ends at once when it is ended elsewhere, in every process', async () => {
      const second = await installation.serve();
      const browser = await signIn();
      const elsewhere = new ConsoleClient(second.operatorUrl, browser.cookie);
      assert.deepEqual(
        [(await browser.get('/console')).status, (await elsewhere.get('/console')).status],
        [200, 200],
      );
      valueOf(await endSessions(installation, null));
      for (const client of [browser, elsewhere]) {
        const { status, location, headers } = await client.get('/console');
        assert.deepEqual([status, location], [303, '/console/sign-in']);
        assert.match(headers['set-cookie']![0]!, /^stayport=; .*Max-Age=0/);
      }
    });

    it('ends when nobody asked for half an hour, and one millisecond before it does not', async () => {
      const [idle, used] = [await signIn(), await signIn()];
      await pass(SESSION_IDLE_MS_MAX - 1);
      assert.equal((await used.get('/console')).status, 200);
      await pass(1);
      assert.deepEqual(
        [(await idle.get('/console')).status, (await used.get('/console')).status],
        [303, 200],
      );
    });

    it('ends after twelve hours of use', async () => {
      const browser = await signIn();
      const step = SESSION_IDLE_MS_MAX / 2;
      for (let passed = 0; passed + step < SESSION_MS_MAX; passed += step) {
        await pass(step);
        assert.equal((await browser.get('/console')).status, 200);
      }
      await pass(step);
      assert.equal((await browser.get('/console')).status, 303);
    });

    it('of a clock that was set back has ended', async () => {
      const browser = await signIn();
      await pass(-2 * 60_000);
      assert.equal((await browser.get('/console')).status, 303);
      await pass(2 * 60_000);
    });

    it('ends when its person signs out', async () => {
      const browser = await signIn();
      const signedOut = await browser.act('/console/sign-out');
      assert.deepEqual([signedOut.status, signedOut.location], [303, '/console/sign-in']);
      assert.equal((await browser.get('/console')).status, 303);
    });
  });

  describe('a crafted write', () => {
    const revoke = '/console/partners/acme/revoke';
    const refused = async (answer: ConsoleAnswer, status: number): Promise<void> => {
      assert.equal(answer.status, status, answer.text);
      const credentials = valueOf(await listCredentials(installation, 'acme'));
      assert.ok(credentials.some(({ revokedAt }) => revokedAt === null));
    };

    it('from another site, or from a page that does not say where it is from, is refused', async () => {
      const admin = await signIn('admin');
      const fields = { credentialId: await firstCredential() };
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': 'cross-site', origin: service.operatorUrl },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        {},
      ])
        await refused(await admin.act(revoke, fields, headers as Record<string, string>), 403);
      const own = await admin.act('/console/sign-out', {}, { origin: service.operatorUrl });
      assert.equal(own.status, 303);
    });

    it('without the token of its session is refused', async () => {
      const [admin, other] = [await signIn('admin'), await signIn('admin')];
      const credentialId = await firstCredential();
      await refused(await admin.post(revoke, { credentialId }), 403);
      await refused(await admin.post(revoke, { credentialId, form: '' }), 403);
      await refused(await admin.post(revoke, { credentialId, form: await other.formToken() }), 403);
    });

    it('without the role is refused, for every form that there is', async () => {
      const roles: readonly Role[] = ['viewer', 'operator'];
      for (const role of roles) {
        const client = await signIn(role);
        for (const { act, path: template } of FORM_ROUTES) {
          if (CONSOLE_FORMS[act].role === 'operator' && role === 'operator') continue;
          const path = template.replaceAll(/\{[^}]+\}/g, 'acme');
          await refused(await client.act(path, { credentialId: await firstCredential() }), 403);
        }
      }
    });

    it('of an administrator whose sign-in is five minutes old asks for a new one', async () => {
      const admin = await signIn('admin');
      await pass(FRESH_SIGN_IN_MS_MAX);
      const answer = await admin.act(revoke, { credentialId: await firstCredential() });
      await refused(answer, 403);
      assert.ok(answer.text.includes('--role</span> admin'), answer.text);
      assert.match(answer.text, /<a href="[./]*\/console\/partners\/acme">/, 'the way back');
    });

    it('with a session that has ended is refused', async () => {
      const admin = await signIn('admin');
      const form = await admin.formToken();
      valueOf(await endSessions(installation, null));
      await refused(await admin.post(revoke, { credentialId: await firstCredential(), form }), 401);
    });

    it('with a session that has ended keeps what was typed, until it is sent after signing in', async () => {
      const create = '/console/partners/partner-create';
      const formFields = (page: string) => Object.fromEntries(fieldsOfForm(page, 'partner-create'));
      const [browser, typed] = [await signIn('admin'), { name: 'Kept & sent', partnerId: 'kept' }];
      const form = await browser.formToken();
      valueOf(await endSessions(installation, null));
      const ended = await browser.post(create, { ...typed, form });
      const kept = formFields(ended.text);
      assert.deepEqual([ended.status, kept], [401, { ...typed, form: kept['form'] }]);
      assert.match(ended.text, /<a href="[^"]*sign-in" target="_blank">/);
      assert.match(ended.text, /data-act="sign-in-passkey"/);
      assert.match(ended.text, /<script type="module" src="[^"]*passkey-/);
      const json = await browser.post(create, typed, {
        accept: 'application/json',
        'sec-fetch-site': 'same-origin',
      });
      assert.deepEqual([json.status, JSON.parse(json.text).code], [401, 'CONSOLE_SESSION_REQUIRED']);
      const elsewhere = await browser.post(create, typed, { 'sec-fetch-site': 'cross-site' });
      assert.deepEqual([elsewhere.status, elsewhere.text.includes('Kept')], [403, false]);
      const again = await signIn('admin');
      const foreign = await again.post(create, kept, { 'sec-fetch-site': 'cross-site' });
      assert.equal(foreign.status, 403, 'of another site, whatever its token');
      const sent = await again.post(create, kept);
      assert.deepEqual([sent.status, sent.location], [303, '/console/partners/kept'], sent.text);
    });

    it('without any cookie keeps what was typed, if it is of a page of some session', async () => {
      const create = '/console/partners/partner-create';
      const typed = { name: 'No cookie', partnerId: 'no-cookie' };
      const browser = await signIn('admin');
      const form = await browser.formToken();
      // Its own count of wrong sessions.
      const nobody = new ConsoleClient((await installation.serve()).operatorUrl);
      for (const unknown of ['', 'x', 'f'.repeat(64), 'f'.repeat(65)]) {
        const answer = await nobody.post(create, { ...typed, form: unknown });
        assert.deepEqual([answer.status, answer.location], [303, '/console/sign-in'], unknown);
      }
      const elsewhere = await nobody.post(create, { ...typed, form }, { 'sec-fetch-site': 'cross-site' });
      assert.deepEqual([elsewhere.status, elsewhere.text.includes('No cookie')], [303, false]);
      const ended = await nobody.post(create, { ...typed, form });
      const kept = Object.fromEntries(fieldsOfForm(ended.text, 'partner-create'));
      assert.deepEqual([ended.status, kept['name']], [401, 'No cookie']);
      assert.notEqual(kept['form'], form, 'it says nothing about the session that is still under way');
      // Sent before signing in, it comes back as it was.
      const early = await nobody.post(create, kept);
      assert.deepEqual(Object.fromEntries(fieldsOfForm(early.text, 'partner-create')), kept);
      const other = await (await signIn('admin', 'Grace')).post(create, kept);
      assert.deepEqual([other.status, other.text.includes('No cookie')], [403, true], 'of another person');
      const sent = await (await signIn('admin')).post(create, kept);
      assert.deepEqual([sent.status, sent.location], [303, '/console/partners/no-cookie'], sent.text);
    });

    it('that was open when its session ended is sent once after signing in elsewhere', async () => {
      const create = '/console/partners/partner-create';
      const browser = await signIn('admin');
      const form = await browser.formToken();
      valueOf(await endSessions(installation, null));
      const again = await signIn('admin');
      const sent = await again.post(create, { form, name: 'Open', partnerId: 'open-before' });
      assert.deepEqual([sent.status, sent.location], [303, '/console/partners/open-before'], sent.text);
    });

    it('with a session that has ended shows what was typed, and nothing else', async () => {
      const own = await installation.serve();
      const admin = await signInTo(installation, own.operatorUrl, { role: 'admin' });
      const page = await admin.get(NEW_PATH);
      const fields = Object.fromEntries(fieldsOfForm(page.text, 'property-save'));
      assert.ok(fields['drawnFrom']);
      valueOf(await endSessions(installation, null));
      const typed = { ...fields, 'name.en-GB': 'Kept <b>house', 'location.city.it-IT': 'Roma' };
      const ended = await admin.post(`${NEW_PATH}/property-save`, typed);
      assert.equal(ended.status, 401);
      const said = /<dl>([^]*?)<\/dl>/
        .exec(ended.text)![1]!
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ');
      assert.equal(said.trim(), 'Nome, inglese Kept &lt;b&gt;houseLuogo, Città, italiano Roma');
      const kept = Object.fromEntries(fieldsOfForm(ended.text, 'property-save'));
      assert.deepEqual(kept, { ...typed, form: kept['form'] }, 'all of it is sent again');
    });

    it('leads, once signed in by passkey, to the page that was asked for', async () => {
      const nobody = openSignIn();
      const nextOf = async (path: string): Promise<string | undefined> => {
        const { status, headers } = await nobody.get(path);
        assert.equal(status, 303, path);
        const target = new URL(String(headers['location']), `http://console${path}`);
        const signInPage = await nobody.get(`${target.pathname}${target.search}`);
        return /data-next="([^"]*)"/.exec(signInPage.text)?.[1];
      };
      assert.equal(await nextOf('/console'), '../console');
      assert.equal(
        await nextOf('/console/properties/a%2Fb?search=x&y=1'),
        '../console/properties/a%2Fb?search=x&amp;y=1',
      );
      const longest = `/console/requests?x=${'a'.repeat(NEXT_LENGTH_MAX - 20)}`;
      assert.equal(await nextOf(longest), `..${longest}`);
      assert.equal(await nextOf(`${longest}a`), '../console');
      for (const next of [
        '//evil.example',
        'https://evil.example',
        '/console//x\\y',
        '/consolex',
        'javascript:x',
        '/console/sign-out',
      ])
        assert.match(
          (await nobody.get(`/console/sign-in?${new URLSearchParams({ next }).toString()}`)).text,
          /data-next="\.\.\/console"/,
          next,
        );
    });

    it('with a session that has ended is read for two senders at a time, and again when they have gone', async () => {
      const path = `${NEW_PATH}/property-save`;
      // Its own count of wrong sessions.
      const own = await installation.serve();
      const { cookie } = await signIn('admin');
      valueOf(await endSessions(installation, null));
      const answered = async () => {
        const fields = { form: 'x', propertyId: 'kept' };
        return (await new ConsoleClient(own.operatorUrl, cookie).post(path, fields)).status;
      };
      const held = [1, 2].map(() => sendHead(own.operatorUrl, { path, cookie: cookie!, bytes: 1_000_000 }));
      await sleep(HEARD_MS);
      assert.equal(await answered(), 303);
      for (const socket of held) socket.destroy();
      await sleep(HEARD_MS);
      assert.equal(await answered(), 401);
    });

    it('with a session that has ended is known as such after others have signed in', async () => {
      const [browser, typed] = [await signIn('admin'), { form: 'x', name: 'Kept' }];
      valueOf(await endSessions(installation, null));
      await signIn('admin', 'Grace');
      const ended = await browser.post('/console/partners/partner-create', typed);
      assert.deepEqual([ended.status, ended.text.includes('Kept')], [401, true]);
    });

    it('with a cookie that never was a session is answered before a byte of it is read', async () => {
      const own = await installation.serve();
      for (const token of ['gone', 'x'.repeat(43)])
        for (const path of [`${NEW_PATH}/property-save`, '/console/partners/partner-create'])
          for (const bytes of [1, 16_000, 12_600_000]) {
            const socket = sendHead(own.operatorUrl, { path, cookie: `stayport=${token}`, bytes });
            const [answer] = (await once(socket, 'data')) as [Buffer];
            assert.match(answer.toString('latin1'), /^HTTP\/1\.1 (?:303|403) /, `${path} ${bytes}`);
            socket.destroy();
          }
    });

    it('of the credential of another partner is refused', async () => {
      const { credentialId } = await installation.issue({ partnerId: 'other' });
      const admin = await signIn('admin');
      await refused(await admin.act(revoke, { credentialId }), 404);
    });

    it('that is too large, or no form, is refused', async () => {
      const admin = await signIn('admin');
      await refused(await admin.act(revoke, { credentialId: 'x'.repeat(20_000) }), 403);
      const headers = { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' };
      await refused(await admin.act(revoke, {}, headers), 400);
    });
  });

  describe('credentials', () => {
    it('are issued, rotated with an overlap and revoked, as the commands do it', async () => {
      const admin = await signIn('admin', 'Grace');
      const sinceMs = await pass(1);
      const issued = await admin.act('/console/partners/acme/issue', { quota: '77' });
      assert.equal(issued.status, 200, issued.text);
      const token = /sp_live_\w+/.exec(issued.text)![0];
      assert.ok(!(await admin.get('/console/partners/acme')).text.includes(token), 'it is shown once');
      const { credentialId } = valueOf(await listCredentials(installation, 'acme')).at(-1)!;

      await pass(1);
      const rotated = await admin.act('/console/partners/acme/rotate', { credentialId, overlap: '1h' });
      assert.match(rotated.text, /sp_live_\w+/);
      await pass(1);
      const revoked = await admin.act('/console/partners/acme/revoke', { credentialId });
      assert.deepEqual([revoked.status, revoked.location], [303, '/console/partners/acme']);

      const rows = await auditSince(sinceMs);
      assert.deepEqual(
        rows.map(({ person, role, act }) => [person, role, act]),
        ['credential revoke', 'credential rotate', 'credential rotate', 'credential issue'].map((act) => [
          'Grace',
          'admin',
          act,
        ]),
      );
      assert.deepEqual([rows[0]!.on, rows[0]!.from], [credentialId, { revokedAt: null }]);
      assert.equal((rows[3]!.to as { readonly quota: number }).quota, 77);
      assert.ok(!JSON.stringify(rows).includes(token));
    });

    it('begin with the scopes of the contract, of prices too, or with all, as the address says', async () => {
      const admin = await signIn('admin');
      const checked = async (query: string): Promise<readonly string[]> => {
        const { text } = await admin.get(`/console/partners/acme?form=issue${query}`);
        return [...text.matchAll(/name="scope"\s+value="([^"]*)"\s+checked/g)].map(([, scope = '']) => scope);
      };
      assert.deepEqual(await checked(''), SCOPE_NAMES);
      assert.deepEqual(await checked('&scopes=constructor'), SCOPE_NAMES);
      assert.deepEqual(await checked('&scopes=prices'), [...SCOPE_NAMES, 'prices:read', 'content:read']);
      assert.deepEqual(await checked('&scopes=all'), ALL_SCOPE_NAMES);
    });

    it('are a card each, with its acts for those who may', async () => {
      const listed = valueOf(await listCredentials(installation, 'acme'));
      const active = listed.filter(({ revokedAt }) => revokedAt === null);
      for (const [role, count] of [
        ['viewer', 0],
        ['admin', active.length],
      ] as const) {
        const { text } = await (await signIn(role)).get('/console/partners/acme');
        const cards = [...text.matchAll(/data-credential="([^"]*)"/g)].map(([, id = '']) => id);
        assert.deepEqual(cards.toSorted(), listed.map(({ credentialId }) => credentialId).toSorted());
        assert.equal(text.match(/data-act="rotate"/g)?.length ?? 0, count);
        assert.equal(text.match(/data-act="revoke"/g)?.length ?? 0, count);
      }
    });

    it('are not changed by what the command refuses, which says so', async () => {
      const admin = await signIn('admin');
      const sinceMs = await pass(1);
      const answer = await admin.act('/console/partners/acme/issue', { quota: '0' });
      assert.equal(answer.status, 422);
      assert.ok(answer.text.includes('Deve essere un numero intero da 1 a 1000000.'), answer.text);
      assert.deepEqual(await auditSince(sinceMs), []);
    });
  });

  describe('pages', () => {
    it('have the rows of the commands, under their names', async () => {
      const viewer = await signIn();
      // The clock of the tests leaps: the service has to look at its database again.
      await until(async () => {
        const today = await viewer.rows<readonly { readonly what: string }[]>('/console');
        return today.every(({ what }) => what === 'noQuote' || what === 'travellers');
      });
      assert.deepEqual(await viewer.rows('/console/partners'), await listPartners(installation));
      assert.deepEqual(
        await viewer.rows('/console/partners/acme'),
        valueOf(await listCredentials(installation, 'acme')),
      );
      assert.deepEqual(
        await viewer.rows('/console/audit?since=1s'),
        await auditSince(installation.time.nowMs - 1_000),
      );
      const { quoteId } = (await partner.quote(quoteBody('ponte', '2026-12-10', '2026-12-12'))).success;
      const { handoffUrl, ...quote } = (await findShownQuote(installation.storage, quoteId))!;
      assert.deepEqual(await viewer.rows(`/console/quotes/${quoteId}`), quote);
      const { text } = await viewer.get(`/console/quotes/${quoteId}`, { 'accept-language': 'en-GB' });
      assert.ok(text.includes('data-page="quote"') && !text.includes(handoffUrl), text);
      const { pricing, currency } = quote;
      assert.ok(text.includes(`${pricing.total} ${currency}`) && !text.includes('NaN'), text);
    });

    it('of a quote tell when it was opened, continued and booked, in that order', async () => {
      const { storage, time } = installation;
      const { quoteId } = (await partner.quote(quoteBody('ponte', '2026-12-10', '2026-12-12'))).success;
      const stepsOf = async () => {
        const { text } = await (
          await signIn()
        ).get(`/console/quotes/${quoteId}`, { 'accept-language': 'en-GB' });
        return [...text.matchAll(/<li data-step="(\w+)">([^]*?)<\/li>/g)].map(([, name, html = '']) => [
          name,
          html
            .replaceAll(/<time[^]*?<\/time>|<[^>]*>/g, '')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        ]);
      };
      assert.deepEqual(await stepsOf(), [
        ['created', 'created'],
        ['expires', 'expires'],
      ]);
      const atMs = time.nowMs;
      await storage.recordVisits([
        {
          quoteId,
          openedCount: 2,
          firstOpenedAtMs: atMs + 1,
          outcome: 'price_changed',
          priceChangePerMille: 10,
          continuedAtMs: atMs + 2,
        },
      ]);
      const booking = { quoteId, reference: '<b>7', total: 24_000, currency: 'EUR' } as const;
      await storage.recordConversion({ ...booking, status: 'booked', atMs: atMs + 3 });
      assert.deepEqual((await stepsOf()).slice(1, 4), [
        ['opened', 'opened by a traveller the price had changed, 2 times'],
        ['continued', 'continued to the booking site'],
        ['booked', 'booked &lt;b&gt;7, 240.00 EUR'],
      ]);
    });

    it('are there in both languages, on every path without parameters, under 60 KB', async () => {
      const viewer = await signIn();
      for (const { path, page } of CONSOLE_PAGES.filter((row) => !row.path.includes('{'))) {
        for (const language of ['en-GB', 'it-IT']) {
          const { status, text, headers } = await viewer.get(path, { 'accept-language': language });
          assert.equal(status, 200, text);
          assert.ok(text.includes(`data-page="${page}"`) && text.includes(`<html lang="${language}">`), text);
          assert.ok(Buffer.byteLength(text) < 60_000, `${path}: ${text.length}`);
          assert.deepEqual(headers['cache-control'], ['no-store']);
          assert.deepEqual(headers['referrer-policy'], ['same-origin']);
          assert.match(headers['content-security-policy']![0]!, /default-src 'none'.*frame-ancestors 'none'/);
        }
      }
    });

    it('show what a partner did: use under its quota, codes, the last use', async () => {
      const { credentialId, token } = await installation.issue({ partnerId: 'busy', quota: 9 });
      const slice = {
        traffic: [
          trafficOf(credentialId, '', 5, 0),
          trafficOf(credentialId, 'PROPERTY_NOT_FOUND', 2, 60),
          trafficOf(credentialId, 'OLD', 1, 60 * 25),
        ],
        requests: [],
        demand: [],
        unknownPlaces: [],
        unmet: [],
      };
      const { nowMs } = installation.time;
      await installation.storage.recordActivity({ writer: 'w', number: 1, writtenAtMs: nowMs, ...slice });
      const use = await installation.storage.readPartnerUse('busy', nowMs);
      const minute = Math.floor(nowMs / 60_000) * 60_000;
      assert.deepEqual(use, {
        minutes: [{ fromMs: minute, credentialId, count: 5 }],
        codes: [{ code: 'PROPERTY_NOT_FOUND', count: 2 }],
        lastUse: [{ credentialId, fromMs: minute }],
      });
      const { text } = await (await signIn()).get('/console/partners/busy');
      assert.ok(text.includes('5 di 9') || text.includes('5 of 9'), text);
      assert.ok(text.includes('PROPERTY_NOT_FOUND') && !text.includes(token), text);
    });

    it('say of a last use that it never was, or may be older than what is kept', async () => {
      const { nowMs } = installation.time;
      installation.time.nowMs = nowMs - 401 * 86_400_000;
      await installation.issue({ partnerId: 'old' });
      installation.time.nowMs = nowMs;
      await installation.issue({ partnerId: 'idle' });
      const admin = await signIn('admin');
      const textOf = async (partnerId: string) =>
        (await admin.get(`/console/partners/${partnerId}`, { 'accept-language': 'en-GB' })).text;
      assert.match(await textOf('idle'), /last use: never\./);
      assert.match(
        await textOf('old'),
        /last use: none since \w{3} \d+ \w+ \d{4}; earlier ones are not kept\./,
      );
    });

    function trafficOf(credentialId: string, code: string, count: number, minutesAgo: number) {
      const fromMs = Math.floor(installation.time.nowMs / 60_000) * 60_000 - minutesAgo * 60_000;
      const durations = [count, ...Array.from({ length: DURATION_BUCKETS - 1 }, () => 0)];
      return { fromMs, partnerId: 'busy', credentialId, operation: 'searchProperties', code, durations };
    }

    it('show so many partners, credentials and changes that they stay under 60 KB', async () => {
      const { storage } = installation;
      const author = { person: 'x'.repeat(200), role: null, act: 'partner create' };
      const signed = { ...deps(), storage: storage.asAuthor(author) };
      const origins = Array.from({ length: 10 }, (_, index) => `https://shop-${index}.example`);
      for (let index = 0; index <= PARTNERS_SHOWN_MAX; index++) {
        const partnerId = `many-${String(index).padStart(3, '0')}`;
        valueOf(await createPartner(signed, { name: 'n'.repeat(100), partnerId, origins }));
      }
      const networks = Array.from({ length: 20 }, (_, index) => `2001:db8:ffff:ffff:ffff:ffff:ffff:${index}`);
      for (let index = 0; index <= CREDENTIALS_SHOWN_MAX; index++)
        valueOf(await issueCredential(deps(), { partnerId: 'many-000', quota: 1_000, networks }));
      const admin = await signIn('admin');
      const first = await admin.get('/console/partners?after=many');
      const next = /<a rel="next" href="\.\.\/(?<path>[^"]+)"/.exec(first.text)!.groups!['path']!;
      assert.equal(next, `console/partners?after=many-0${PARTNERS_SHOWN_MAX - 1}`);
      const second = await admin.get(`/${next}`);
      assert.ok(second.text.includes('many-050') && !second.text.includes('rel="next"'), second.text);
      const credentials = await admin.get('/console/partners/many-000');
      assert.equal(credentials.text.match(/data-act="revoke"/g)?.length, CREDENTIALS_SHOWN_MAX);
      const audit = await admin.get('/console/audit');
      for (const { text } of [first, second, credentials, audit])
        assert.ok(Buffer.byteLength(text) < 60_000, `${text.length} ${text.slice(-2_000)}`);
      assert.deepEqual(await admin.rows('/console/partners'), await listPartners(installation));
    });

    it('that do not exist are 404, in a page or a problem', async () => {
      const viewer = await signIn();
      for (const path of [
        '/console/nothing',
        '/console/partners/none',
        '/console/quotes/qt_x',
        '/console/partners/%zz',
      ]) {
        const { status, text } = await viewer.get(path);
        assert.equal(status, 404, path);
        assert.ok(text.includes('<nav') && text.includes('data-act="sign-out"'), 'the frame of the session');
        assert.ok(text.replaceAll('<wbr />', '').includes(`<code>${path}</code>`), text);
        assert.equal((await viewer.get(path, { accept: 'application/json' })).status, 404, path);
      }
      assert.equal((await viewer.get('/console/sign-out')).status, 405);
    });

    it('escape what people wrote', async () => {
      valueOf(await updatePartner(deps(), 'acme', { name: MARKUP }));
      const viewer = await signInTo(installation, service.operatorUrl, { name: MARKUP });
      const texts = [
        await viewer.get('/console/partners'),
        await viewer.get('/console/partners/acme'),
        await viewer.get('/console/audit'),
        await viewer.get(`/console/${encodeURIComponent(MARKUP)}`),
        await openSignIn().get(`/console/sign-in?link=${encodeURIComponent(MARKUP)}`),
      ];
      for (const { text } of texts) assert.ok(!text.includes('<script>alert'), text);
      assert.ok(texts.filter(({ text }) => text.includes('&lt;script&gt;alert')).length >= 4);
    });
  });

  describe('behind a proxy with TLS', () => {
    const host = { host: 'ops.example.com' };
    let browser: ConsoleClient;
    before(async () => {
      const { operatorUrl } = await installation.serve({ CONSOLE_URL: 'https://ops.example.com' });
      browser = new ConsoleClient(operatorUrl);
    });

    it('the host of CONSOLE_URL is allowed by itself, and its cookie is for it alone', async () => {
      const headers = { ...host, origin: 'https://ops.example.com' };
      const answer = await browser.post('/console/sign-in', { link: await newLink() }, headers);
      assert.equal(answer.status, 303);
      assert.match(
        answer.headers['set-cookie']![0]!,
        /^__Host-stayport=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      );
      const cookie = answer.headers['set-cookie']![0]!.split(';')[0];
      assert.equal((await new ConsoleClient(browser.url, cookie).get('/console', host)).status, 200);
    });

    it('another name is not, nor an origin of plain HTTP', async () => {
      assert.equal((await browser.get('/console', { host: 'evil.example' })).status, 421);
      const headers = { ...host, origin: 'http://ops.example.com' };
      assert.equal((await browser.post('/console/sign-in', { link: await newLink() }, headers)).status, 403);
    });

    it('and without TLS a host that is not loopback is not, whatever else is allowed', async () => {
      const { operatorUrl } = await installation.serve({ OPERATOR_ALLOWED_HOSTS: 'ops.example.com' });
      const plain = new ConsoleClient(operatorUrl);
      for (const name of ['ops.example.com', '192.0.2.1', 'ops'])
        assert.equal((await plain.get('/console', { host: name })).status, 421, name);
      for (const name of ['localhost', '127.0.0.1:8081', '[::1]'])
        assert.equal((await plain.get('/console', { host: name })).status, 303, name);
    });
  });

  describe('more than twenty wrong links or sessions a minute', () => {
    it('of an address are 429 before the next one is read', async () => {
      const own = await installation.serve();
      const browser = new ConsoleClient(own.operatorUrl);
      for (let count = 0; count <= WRONG_ATTEMPTS_MAX; count++)
        await browser.post('/console/sign-in', { link: 'wrong' });
      for (const path of ['/console/sign-in', '/console/sign-in-passkey']) {
        const socket = sendHead(own.operatorUrl, { path, cookie: 'a=b', bytes: 16_000 });
        const [answer] = (await once(socket, 'data')) as [Buffer];
        assert.match(answer.toString('latin1'), /^HTTP\/1\.1 429 /);
        socket.destroy();
      }
    });

    it('of an address are 429, while its right sessions go on', async () => {
      const own = await installation.serve({ TRUSTED_PROXIES: '127.0.0.0/8' });
      const browser = new ConsoleClient(own.operatorUrl, `stayport=${'x'.repeat(43)}`);
      const from = (address: string) => ({ 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address });
      const statuses: number[] = [];
      for (let count = 0; count < WRONG_ATTEMPTS_MAX; count++) {
        const isLink = count % 2 === 0;
        const answer = isLink
          ? await browser.post('/console/sign-in', { link: 'wrong' }, from('192.0.2.1'))
          : await browser.get('/console', from('192.0.2.1'));
        statuses.push(answer.status);
      }
      assert.deepEqual(new Set(statuses), new Set([401, 303]));
      const limited = await browser.get('/console', from('192.0.2.1'));
      assert.equal(limited.status, 429);
      assert.match(limited.headers['retry-after']![0]!, /^\d+$/);
      assert.equal(
        (await browser.post('/console/sign-in', { link: 'wrong' }, from('192.0.2.1'))).status,
        429,
      );
      assert.equal((await browser.get('/console', from('192.0.2.2'))).status, 303);
      const right = await signIn();
      const same = new ConsoleClient(own.operatorUrl, right.cookie);
      assert.equal((await same.get('/console', from('192.0.2.1'))).status, 200);
    });
  });

  describe('the audit trail', () => {
    it('names who signed in and out, and with which link', async () => {
      const sinceMs = await pass(1);
      const browser = await signIn('operator', 'Alan');
      await browser.act('/console/sign-out');
      const rows = (await auditSince(sinceMs)).map(({ person, role, act, from, to }) => [
        person,
        role,
        act,
        from,
        to,
      ]);
      assert.deepEqual(rows, [
        ['Alan', 'operator', 'sign-out', { name: 'Alan', role: 'operator' }, null],
        ['Alan', 'operator', 'sign-in', null, { role: 'operator' }],
      ]);
    });

    it('forgets what is older than it keeps', async () => {
      const storage = installation.storage.asAuthor({ person: 'x', role: null, act: 'partner update' });
      const start = installation.time.nowMs;
      await pass(401 * 86_400_000);
      for (let round = 0; round < 20; round++) {
        await pass(1);
        valueOf(await updatePartner({ ...deps(), storage }, 'acme', { name: `name ${round}` }));
      }
      const oldest = (await auditSince(0)).at(-1)!;
      assert.ok(Date.parse(oldest.at) > start, oldest.at);
    });
  });
}
