/** Passkeys as a browser uses them, with the virtual authenticator of Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  endSessions,
  FRESH_SIGN_IN_MS_MAX,
  makeLink,
  type Role,
} from '../../../src/access/console-sessions.ts';
import { listCredentials } from '../../../src/access/credential-changes.ts';
import { endPasskey, listPasskeys } from '../../../src/access/passkeys.ts';
import { signInUrl } from '../../../src/operator/acts/console-acts.ts';
import { addAuthenticator, type Authenticator } from '../../kit/authenticator.ts';
import { browserMissing, startBrowser, watchPage } from '../../kit/browser.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { type Installation, type Served, startInstallation, valueOf } from '../../kit/installation.ts';
import { barriersOf } from '../../kit/page-barriers.ts';

const TODAY = 'main[data-page="today"]';
const ISSUE = '[data-act="issue"]';
const AGAIN = '[data-act="sign-in-again"] button';

const OPEN_ALL = `for (const folded of document.querySelectorAll('details')) folded.open = true`;

describe('Passkeys in a browser', { skip: browserMissing() }, () => {
  let installation: Installation;
  let service: Served;
  let browser: Browser;
  let origin: string;
  before(async () => {
    ({ installation, service } = await startInstallation([hotel('ponte')]));
    browser = await startBrowser();
    origin = originOf(service);
  });
  after(async () => {
    await browser?.close();
    await installation.close();
  });

  const originOf = ({ operatorUrl }: Served): string => `http://localhost:${new URL(operatorUrl).port}`;

  /** The page of a partner, with its folded forms open. */
  async function openForms(page: Page): Promise<void> {
    await page.goto(`${origin}/console/partners/acme`);
    await page.evaluate(OPEN_ALL);
  }

  async function newLink(role: Role, name: string, own = origin): Promise<string> {
    const deps = { ...installation.access, storage: installation.storage };
    return signInUrl(own, valueOf(await makeLink(deps, { name, role })).secret);
  }

  /** A browser of its own with an authenticator, signed in by a link. */
  async function signIn(role: Role, name: string): Promise<{ page: Page; authenticator: Authenticator }> {
    const context = await browser.newContext({ locale: 'en-GB' });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const authenticator = await addAuthenticator(page);
    await page.goto(await newLink(role, name));
    await page.click('[data-act="sign-in"] button');
    await page.waitForSelector(TODAY);
    return { page, authenticator };
  }

  async function register(page: Page): Promise<void> {
    await page.goto(`${origin}/console/passkeys`);
    // Passkeys of others stand on the page already, so only its next load tells that the person has one.
    await Promise.all([page.waitForEvent('load'), page.click('[data-act="passkey-register"] button')]);
    await page.waitForSelector('[data-act="passkey-end"]');
  }

  async function signOut(page: Page): Promise<void> {
    await page.click('[data-act="sign-out"] button');
    await page.waitForSelector('main[data-page="sign-in"]');
  }

  it('registers in a session of a link, signs out, and signs in without one', async () => {
    const { page } = await signIn('operator', 'Ada');
    const { requests, complaints } = watchPage(page);
    await register(page);
    await signOut(page);
    await page.click('[data-act="sign-in-passkey"] button');
    await page.waitForSelector(TODAY);
    assert.match((await page.textContent('.who')) ?? '', /Ada \(operator\)/);
    await page.goto(`${origin}/console/passkeys`);
    assert.equal(await page.isVisible('[data-act="passkey-register"]'), false);
    assert.deepEqual(complaints, []);
    assert.ok(
      requests.every((request) => request.includes(` ${origin}/`)),
      requests.join('\n'),
    );
    await page.context().close();
  });

  it('signs in at another process of the same console', async () => {
    const { page } = await signIn('viewer', 'Bea');
    await register(page);
    await signOut(page);
    const second = originOf(await installation.serve());
    await page.goto(`${second}/console/sign-in`);
    await page.click('[data-act="sign-in-passkey"] button');
    await page.waitForSelector(TODAY);
    assert.ok(page.url().startsWith(second));
    await page.context().close();
  });

  it('asks for a younger sign-in before a form is filled in, and in place while it is', async () => {
    const { page } = await signIn('admin', 'Cleo');
    await register(page);
    await openForms(page);
    assert.equal(await page.isVisible(AGAIN), false);
    installation.time.nowMs += FRESH_SIGN_IN_MS_MAX;
    await page.reload();
    await page.evaluate(OPEN_ALL);
    assert.equal(await page.isVisible(AGAIN), true);
    await page.fill(`${ISSUE} [name="quota"]`, '77');
    await page.click(AGAIN);
    await page.waitForSelector(AGAIN, { state: 'hidden' });
    assert.equal(await page.inputValue(`${ISSUE} [name="quota"]`), '77');
    await page.click(`${ISSUE} button`);
    await page.waitForSelector('.secret');
    const quotas = valueOf(await listCredentials(installation, 'acme')).map(({ quota }) => quota);
    assert.ok(quotas.includes(77), quotas.join());
    await page.context().close();
  });

  it('shows the fields of a key after signing in again', async () => {
    const { page } = await signIn('admin', 'Gaia');
    await register(page);
    installation.time.nowMs += FRESH_SIGN_IN_MS_MAX;
    await page.goto(`${origin}/console/new-connection/smoobu`);
    assert.equal(await page.locator('[type=password]').count(), 0);
    await page.click(`[data-before-key] ${AGAIN}`);
    await page.waitForSelector('[name="secret.secret"]');
    assert.equal(new URL(page.url()).pathname, '/console/new-connection/smoobu');
    await page.context().close();
  });

  it('signs in again and sends at once where the button of the form is pressed first', async () => {
    const { page } = await signIn('admin', 'Dora');
    await register(page);
    installation.time.nowMs += FRESH_SIGN_IN_MS_MAX;
    await openForms(page);
    await page.fill(`${ISSUE} [name="quota"]`, '78');
    await page.click(`${ISSUE} button`);
    await page.waitForSelector('.secret');
    const quotas = valueOf(await listCredentials(installation, 'acme')).map(({ quota }) => quota);
    assert.ok(quotas.includes(78), quotas.join());
    await page.context().close();
  });

  it('brings a form back that was sent too late, and sends it after signing in again', async () => {
    const { page } = await signIn('admin', 'Eva');
    await register(page);
    await openForms(page);
    await page.fill(`${ISSUE} [name="quota"]`, '79');
    // The page can't know: its own clock says that the sign-in is young.
    installation.time.nowMs += FRESH_SIGN_IN_MS_MAX;
    await page.click(`${ISSUE} button`);
    await page.waitForSelector('main[data-page="refused"]');
    assert.match((await page.textContent('main dl')) ?? '', /Requests per minute\s*79/);
    await page.click(`${ISSUE} button`);
    await page.waitForSelector('.secret');
    const quotas = valueOf(await listCredentials(installation, 'acme')).map(({ quota }) => quota);
    assert.ok(quotas.includes(79), quotas.join());
    await page.context().close();
  });

  it('keeps what was typed where the person declines, and sends it after a link in another tab', async () => {
    const { page, authenticator } = await signIn('admin', 'Fay');
    await register(page);
    installation.time.nowMs += FRESH_SIGN_IN_MS_MAX;
    await openForms(page);
    await page.fill(`${ISSUE} [name="quota"]`, '80');
    await authenticator.verify(false);
    await page.click(`${ISSUE} button`);
    await page.waitForSelector('[data-fresh-ms] [role=status]:has-text("not work")');
    assert.equal(await page.inputValue(`${ISSUE} [name="quota"]`), '80');
    const tab = await page.context().newPage();
    await tab.goto(await newLink('admin', 'Fay'));
    await tab.click('[data-act="sign-in"] button');
    await tab.waitForSelector(TODAY);
    await page.click(`${ISSUE} button`);
    await page.waitForSelector('.secret');
    await page.context().close();
  });

  it('signs in beside the form of an ended session, which is then sent once', async () => {
    const { page } = await signIn('admin', 'Hal');
    await register(page);
    await openForms(page);
    await page.fill(`${ISSUE} [name="quota"]`, '81');
    valueOf(await endSessions(installation, null));
    await page.click(`${ISSUE} button`);
    await page.waitForSelector('main[data-page="refused"]');
    assert.match((await page.textContent('main dl')) ?? '', /81/);
    await page.click('[data-act="sign-in-passkey"] button');
    await page.waitForSelector('[data-passkey] [role=status]:has-text("signed in")');
    await page.click(`${ISSUE} button`);
    await page.waitForSelector('.secret');
    await page.context().close();
  });

  it('leads from the sign-in to the page that was asked for', async () => {
    const { page } = await signIn('admin', 'Ira');
    await register(page);
    await signOut(page);
    await page.goto(`${origin}/console/requests?status=400`);
    await page.waitForSelector('main[data-page="sign-in"]');
    await page.click('[data-act="sign-in-passkey"] button');
    await page.waitForSelector('main[data-page="requests"]');
    assert.match(page.url(), /\/console\/requests\?status=400$/);
    await page.context().close();
  });

  it('ends with its sessions within a second when a command ends the passkey', async () => {
    const { page } = await signIn('operator', 'Gina');
    await register(page);
    await signOut(page);
    await page.click('[data-act="sign-in-passkey"] button');
    await page.waitForSelector(TODAY);
    const { passkeyId } = (await listPasskeys(installation)).find(({ name }) => name === 'Gina')!;
    const startedAtMs = performance.now();
    valueOf(await endPasskey(installation, passkeyId));
    await page.reload();
    await page.waitForSelector('main[data-page="sign-in"]');
    assert.ok(performance.now() - startedAtMs < 5_000);
    await page.click('[data-act="sign-in-passkey"] button');
    await page.waitForSelector('[data-passkey] [role=status]:has-text("not work")');
    await page.context().close();
  });

  it('says at an address that passkeys need a name, and leads to it', async () => {
    const page = await browser.newPage();
    await page.goto(`${service.operatorUrl}/console/sign-in`);
    assert.equal(await page.isVisible('[data-act="sign-in-passkey"]'), false);
    assert.equal(await page.textContent('[data-passkey-address] a'), origin);
    assert.equal(await page.isVisible('[data-passkey-address]'), true);
    await page.close();
  });

  it('works on a browser that cannot read options as JSON', async () => {
    const { page } = await signIn('viewer', 'Hal');
    await page.addInitScript(`
      delete PublicKeyCredential.parseCreationOptionsFromJSON;
      delete PublicKeyCredential.parseRequestOptionsFromJSON;
      PublicKeyCredential.prototype.toJSON = undefined;`);
    await register(page);
    await signOut(page);
    await page.click('[data-act="sign-in-passkey"] button');
    await page.waitForSelector(TODAY);
    await page.context().close();
  });

  it('puts no barrier before anybody', async () => {
    const { page } = await signIn('admin', 'Jo');
    await register(page);
    await openForms(page);
    installation.time.nowMs += FRESH_SIGN_IN_MS_MAX;
    await page.click(`${ISSUE} button`);
    await page.waitForSelector('main[data-page="refused"]');
    assert.deepEqual(await barriersOf(page), []);
    for (const path of ['/console/passkeys', '/console/partners/acme', '/console/sign-in']) {
      await page.goto(`${origin}${path}`);
      assert.deepEqual(await barriersOf(page), [], path);
    }
    await page.context().close();
  });

  it('leaves pages without script as they were: a link by shell', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${origin}/console/sign-in`);
    assert.equal(await page.isVisible('[data-act="sign-in-passkey"]'), false);
    await page.goto(await newLink('admin', 'Ida'));
    await page.click('[data-act="sign-in"] button');
    installation.time.nowMs += FRESH_SIGN_IN_MS_MAX;
    await openForms(page);
    assert.equal(await page.isVisible(AGAIN), false);
    assert.match((await page.textContent('main .warn')) ?? '', /console link --name Ida --role admin/);
    await page.goto(`${origin}/console/passkeys`);
    assert.match((await page.textContent('noscript, main')) ?? '', /JavaScript/);
    await context.close();
  });
});
