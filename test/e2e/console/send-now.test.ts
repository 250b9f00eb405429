/** Sample calls sent from the page of a new credential: real calls of it, with the answer shown. */
import { Wrong } from '../../../src/domain/wrong.ts';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { IssuedCredential } from '../../../src/access/credential-changes.ts';
import {
  createOwnCalls,
  OWN_ANSWER_BYTES_MAX,
  OWN_CALLS_MAX,
} from '../../../src/app/service/listeners/own-calls.ts';
import { NEW_MS, sendNow, TRIES_MAX } from '../../../src/console/pages/partners/send-call.ts';
import type { ActPorts } from '../../../src/console/reading/console-page.ts';
import { unescapeHtml } from '../../../src/http/html/html.ts';
import { hotelWith, nights } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type ConsoleAnswer, type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { fieldsOfForm } from '../../kit/form-fields.ts';
import { startInstallation, type Running } from '../../kit/installation.ts';

const OPEN = nights('2026-12-01', '2026-12-31', { availability: 5, rate: '120.00' });
const PAGE = '/console/partners/acme';
const SEND = `${PAGE}/send-now`;
const JSON_ANSWER = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };
const CALLS = [
  'listPartnerProperties',
  'getPartnerProperty',
  'getPartnerPropertyAvailability',
  'createPartnerQuote',
];
type Fields = Readonly<Record<string, string>>;

describe('A sample call sent from the console', () => {
  let running: Running;
  let ada: ConsoleClient;
  before(async () => {
    running = await startInstallation([hotelWith('ponte', [OPEN])], { WEB_PORT: '0', WEB_LIMIT: '0' });
    ada = await signInTo(running.installation, running.service.operatorUrl, { role: 'admin' });
  });
  after(() => running.installation.close());

  const issuedPage = async (terms: Fields = {}) =>
    ada.act(
      `${PAGE}/issue`,
      { quota: '1000', ...terms },
      {
        'sec-fetch-site': 'same-origin',
        'accept-language': 'en',
      },
    );
  /** The forms of the page, by their call. */
  const formsOf = ({ text }: ConsoleAnswer): ReadonlyMap<string, Fields> => {
    const forms = text.match(/<form[^>]*data-act="send-now"[\s\S]*?<\/form>/g) ?? [];
    const fields = forms.map((form) => Object.fromEntries(fieldsOfForm(form, 'send-now')));
    return new Map(fields.map((own) => [own['call']!, own]));
  };
  const send = async (fields: Fields) =>
    ada.post(SEND, fields, { 'sec-fetch-site': 'same-origin', 'accept-language': 'en' });
  const answerIn = ({ text }: ConsoleAnswer) => {
    const [, call, status, body] =
      /data-call="(\w+)" data-status="(\d+)"[\s\S]*?<pre tabindex="0"><code>([\s\S]*?)<\/code>/.exec(text) ??
      [];
    return { call, status: Number(status), body: unescapeHtml(body ?? '') };
  };
  const sendJson = async (fields: Fields) => {
    const { status, text } = await ada.act(SEND, fields, JSON_ANSWER);
    return { status, answer: JSON.parse(text) };
  };
  const newToken = async (terms: Fields = {}) => {
    const { text } = await ada.act(`${PAGE}/issue`, { quota: '1000', ...terms }, JSON_ANSWER);
    return (JSON.parse(text) as IssuedCredential).token;
  };

  it('is beside its curl, and the four of them and the traveller’s page are answered', async () => {
    const page = await issuedPage();
    assert.deepEqual([...formsOf(page).keys()], CALLS);
    assert.equal(page.text.match(/curl -sS/g)?.length, 4);
    let last = page;
    for (const call of CALLS) {
      last = await send(formsOf(last).get(call)!);
      const { status, body, ...sent } = answerIn(last);
      assert.deepEqual(
        [last.status, sent.call, status],
        [200, call, call === 'createPartnerQuote' ? 201 : 200],
        body,
      );
      assert.match(last.text, /Answer: \d+, after \d+ ms/);
      const shown = /id="call-(\d)"[^>]*\schecked/.exec(last.text)?.[1];
      assert.equal(shown, String(CALLS.indexOf(call) + 1), 'the call that was sent is the one that is shown');
      assert.equal(typeof JSON.parse(body), 'object');
    }
    const quote = JSON.parse(answerIn(last).body) as { propertyId: string; handoffUrl: string };
    assert.equal(quote.propertyId, 'ponte');
    assert.ok(last.text.includes(`href="${quote.handoffUrl}"`));
    const opened = answerIn(await send(formsOf(last).get('openHandoff')!));
    assert.deepEqual([opened.call, opened.status], ['openHandoff', 200]);
    assert.match(opened.body, /data-outcome="unchanged"/);
  });

  it('counts as a call of the credential: in the log of requests, under its quota, in the audit trail', async () => {
    const forms = formsOf(await issuedPage({ quota: '2' }));
    const sent = [];
    for (const call of ['listPartnerProperties', 'createPartnerQuote', 'getPartnerProperty'])
      sent.push(answerIn(await send(forms.get(call)!)).status);
    assert.deepEqual(sent, [200, 201, 429]);
    const token = forms.get('createPartnerQuote')!['token']!;
    const { answer } = await sendJson({ call: 'createPartnerQuote', token });
    assert.equal(answer.status, 429);
    const requests = await ada.rows<{ operation: string; status: number; credentialId: string }[]>(
      '/console/requests?operation=createPartnerQuote',
    );
    const entries = await running.installation.storage.readAudit(0, 20);
    const entry = entries.find(({ act }) => act === 'send-now');
    assert.deepEqual([entry!.person, entry!.act], ['Ada', 'send-now']);
    assert.ok(requests.some(({ status, credentialId }) => status === 201 && credentialId === entry!.on));
    assert.deepEqual(entry!.to, { call: 'createPartnerQuote', status: 429 });
    assert.ok(!JSON.stringify(entry).includes(token));
  });

  it('of a test token stays in the sandbox', async () => {
    const forms = formsOf(await issuedPage({ test: 'yes' }));
    const answer = answerIn(await send(forms.get('createPartnerQuote')!));
    assert.equal(answer.status, 201, answer.body);
    assert.match(answer.body, /"propertyId": "test-always"/);
  });

  it('shows what a partner is told when the credential ends', async () => {
    const token = await newToken();
    const { credentials } = await running.installation.storage.readAccess();
    const newest = credentials.toSorted((a, b) => b.revision - a.revision)[0]!;
    await ada.act(`${PAGE}/revoke`, { credentialId: newest.credentialId });
    const revoked = async () => (await sendJson({ call: 'listPartnerProperties', token })).answer;
    await until(async () => (await revoked()).status === 401);
    assert.match((await revoked()).body, /"code":"/);
  });

  it('is refused with a token that is not of this partner, and for a call that is not offered', async () => {
    const token = await newToken();
    await ada.act('/console/partners/partner-create', { name: 'Other', partnerId: 'other' });
    const others = await ada.act('/console/partners/other/send-now', { call: CALLS[0]!, token }, JSON_ANSWER);
    assert.equal(others.status, 404);
    for (const wrong of ['', 'sp_live_x', `${token.slice(0, -1)}x`])
      assert.equal((await sendJson({ call: CALLS[0]!, token: wrong })).status, 404, wrong);
    const unknown = await sendJson({ call: 'listChanges', token });
    assert.equal(unknown.status, 422);
    assert.match(unknown.answer.detail, /call must be one of listPartnerProperties, /);
    assert.equal((await sendJson({ call: 'openHandoff', token })).status, 422);
    const viewer = await signInTo(running.installation, running.service.operatorUrl, { name: 'Ugo' });
    assert.equal((await viewer.act(SEND, { call: CALLS[0]!, token })).status, 403);
  });

  it('leads to no other place, whatever its fields say', async () => {
    const token = await newToken();
    for (const propertyId of ['../../metrics', 'http://127.0.0.1:1/', '..%2f..', 'a b\r\nHost: x']) {
      const stay = { propertyId, city: 'x', checkIn: '2026-12-01', checkOut: '2026-12-03', guests: '2' };
      const { answer } = await sendJson({ call: 'getPartnerProperty', token, ...stay });
      assert.ok([400, 404].includes(answer.status), JSON.stringify(answer));
      assert.match(answer.body, /"code":"(?:PROPERTY_NOT_FOUND|INVALID|VALIDATION)/);
    }
  });
});

describe('A call to a listener of one’s own', () => {
  const open: Server[] = [];
  after(() => open.forEach((server) => server.close()));
  const serve = async (listener: Parameters<typeof createServer>[1]) => {
    const server = createServer(listener as never);
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const call = { method: 'GET', path: '/', headers: {} } as const;

  it('reads a bounded part of a long answer', async () => {
    const partnerUrl = await serve((_request, response) =>
      response.end('x'.repeat(2 * OWN_ANSWER_BYTES_MAX)),
    );
    const answer = await createOwnCalls(() => ({ partnerUrl, webUrl: undefined })).toPartnerListener(call);
    assert.ok(!(answer instanceof Wrong));
    assert.deepEqual([answer.body.length, answer.isCut], [OWN_ANSWER_BYTES_MAX, true]);
  });

  it('is refused beyond so many at once, and where nothing listens', async () => {
    const held: (() => void)[] = [];
    const partnerUrl = await serve((_request, response) => void held.push(() => response.end('{}')));
    const calls = createOwnCalls(() => ({ partnerUrl, webUrl: undefined }));
    const waiting = Array.from({ length: OWN_CALLS_MAX }, () => calls.toPartnerListener(call));
    assert.deepEqual(await calls.toPartnerListener(call), new Wrong('callsBusy'));
    await until(async () => held.length === OWN_CALLS_MAX);
    for (const end of held) end();
    for (const answer of await Promise.all(waiting)) assert.ok(!(answer instanceof Wrong));
    assert.deepEqual(await calls.toWebListener(call), new Wrong('listenerAway', { setting: 'WEB_PORT' }));
    const nowhere = createOwnCalls(() => ({ partnerUrl: 'http://127.0.0.1:1', webUrl: undefined }));
    assert.deepEqual(
      await nowhere.toPartnerListener(call),
      new Wrong('listenerUnreached', { code: 'ECONNREFUSED' }),
    );
  });

  describe('with a credential that it may not know yet', () => {
    let running: Running;
    before(async () => (running = await startInstallation([hotelWith('ponte', [OPEN])])));
    after(() => running.installation.close());

    /** How often it is asked, and its last answer: it knows the token from that call on. */
    const sendUntil = async (knownFrom: number, ageMs = 0) => {
      let askedCount = 0;
      const partnerUrl = await serve((_request, response) => {
        askedCount += 1;
        response.writeHead(askedCount < knownFrom ? 401 : 200).end('{}');
      });
      const { storage } = running.installation;
      const { token } = await running.installation.issue();
      const { credentials } = await storage.readAccess();
      const { partnerId, createdAtMs } = credentials.toSorted((a, b) => b.revision - a.revision)[0]!;
      const ports = {
        storage,
        clock: () => createdAtMs + ageMs,
        ownCalls: createOwnCalls(() => ({ partnerUrl, webUrl: undefined })),
        signed: storage.asAuthor({ person: 'Ada', role: 'admin', act: 'send-now' }),
        acts: { publicUrl: partnerUrl },
      };
      const stay = { propertyId: 'ponte', city: 'Venezia', checkIn: '2026-12-01', checkOut: '2026-12-03' };
      const form = new URLSearchParams({ call: CALLS[0]!, token, ...stay, guests: '2' });
      const sent = await sendNow(ports as unknown as ActPorts, { segments: { partnerId }, form } as never);
      assert.ok(sent?.kind === 'shown');
      return [askedCount, sent.shown.answer.status];
    };

    it('is asked again so many times, and not once more', async () => {
      assert.deepEqual(await sendUntil(1), [1, 200]);
      assert.deepEqual(await sendUntil(TRIES_MAX), [TRIES_MAX, 200]);
      assert.deepEqual(await sendUntil(TRIES_MAX + 1), [TRIES_MAX, 401]);
    });

    it('is asked again as long as the credential is new', async () => {
      assert.deepEqual(await sendUntil(2, NEW_MS), [2, 200]);
      assert.deepEqual(await sendUntil(2, NEW_MS + 1), [1, 401]);
    });
  });
});
