/** A form that makes a secret makes one, however often it is sent, and to however many processes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { IssuedCredential } from '../../../src/access/credential-changes.ts';
import { hotelWith } from '../../kit/catalogue-lines.ts';
import { ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { fieldsOfForm } from '../../kit/form-fields.ts';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const PAGE = '/console/partners/acme';
const JSON_ANSWER = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };
type Fields = Readonly<Record<string, string>>;

function describeOnce(databaseUrl: () => Promise<string | undefined>): void {
  let installation: Installation;
  let clients: readonly ConsoleClient[];
  before(async () => {
    installation = await openInstallation(await databaseUrl());
    await installation.importLines([hotelWith('ponte', [])]);
    await installation.issue();
    const services: Served[] = [await installation.serve(), await installation.serve()];
    const ada = await signInTo(installation, services[0]!.operatorUrl, { role: 'admin' });
    clients = services.map(({ operatorUrl }) => new ConsoleClient(operatorUrl, ada.cookie));
  });
  after(() => installation.close());

  const drawn = async (act: string): Promise<Fields> =>
    Object.fromEntries(fieldsOfForm((await clients[0]!.get(PAGE)).text, act));
  const stored = async () => (await installation.storage.readAccess()).credentials;
  const send = async (client: ConsoleClient, act: string, fields: Fields) => {
    const answer = await client.act(`${PAGE}/${act}`, fields, JSON_ANSWER);
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as IssuedCredential;
  };
  /** Six at once, half of them to each process. */
  const sendAll = async (act: string, fields: Fields) =>
    Promise.all([0, 1, 0, 1, 0, 1].map(async (index) => send(clients[index]!, act, fields)));
  const issueEntries = async (act: string) =>
    (await installation.storage.readAudit(0, 1_000)).filter((entry) => entry.act === act).length;

  it('issues one credential for six copies sent at once, and shows its token to all', async () => {
    const before = await stored();
    const issued = await sendAll('issue', { ...(await drawn('issue')), quota: '600' });
    const tokens = new Set(issued.map(({ token }) => token));
    const ids = new Set(issued.map(({ credentialId }) => credentialId));
    assert.deepEqual([tokens.size, ids.size, (await stored()).length - before.length], [1, 1, 1]);
    assert.equal(issued.filter(({ isShownAgain }) => isShownAgain === true).length, 5);
    assert.equal(await issueEntries('credential issue'), 1);
    assert.ok(!JSON.stringify(await stored()).includes([...tokens][0]!.slice(8)));
  });

  it('keeps the terms of the first copy, says so on the page, and issues another for another form', async () => {
    const form = await drawn('issue');
    const first = await send(clients[0]!, 'issue', { ...form, quota: '600' });
    const answer = await clients[1]!.act(`${PAGE}/issue`, { ...form, quota: '900' });
    assert.ok(answer.text.includes(first.token));
    assert.match(answer.text, /l’aveva già emessa/);
    assert.equal((await stored()).find((row) => row.credentialId === first.credentialId)!.quota, 600);
    const other = await send(clients[0]!, 'issue', { ...(await drawn('issue')), quota: '600' });
    assert.notEqual(other.credentialId, first.credentialId);
  });

  it('refuses to show one that was revoked meanwhile', async () => {
    const form = await drawn('issue');
    const { credentialId } = await send(clients[0]!, 'issue', form);
    await send(clients[0]!, 'revoke', { credentialId });
    const answer = await clients[1]!.act(`${PAGE}/issue`, form, JSON_ANSWER);
    assert.equal(answer.status, 422);
    assert.match(answer.text, /which was revoked/);
  });

  it('rotates once, even where the old token ends at once', async () => {
    const { credentialId } = await send(clients[0]!, 'issue', await drawn('issue'));
    const { formId } = await drawn('rotate');
    const before = (await stored()).length;
    const rotated = await sendAll('rotate', { credentialId, formId: formId!, overlap: '0s' });
    assert.equal(new Set(rotated.map(({ token }) => token)).size, 1);
    assert.equal((await stored()).length, before + 1);
    assert.equal(await issueEntries('credential rotate'), 2, 'the old one, and the new one');
    const late = await send(clients[1]!, 'rotate', { credentialId, formId: formId!, overlap: '0s' });
    assert.deepEqual([late.token, late.isShownAgain], [rotated[0]!.token, true]);
  });

  it('makes other secrets of the same form for another credential', async () => {
    const [one, two] = [
      await send(clients[0]!, 'issue', await drawn('issue')),
      await send(clients[0]!, 'issue', await drawn('issue')),
    ];
    const { formId } = await drawn('rotate');
    const rotate = async (credentialId: string) =>
      send(clients[0]!, 'rotate', { credentialId, formId: formId! });
    assert.notEqual((await rotate(one.credentialId)).token, (await rotate(two.credentialId)).token);
  });

  it('keeps its id when it is refused, and issues then', async () => {
    const form = await drawn('issue');
    const refused = await clients[0]!.act(`${PAGE}/issue`, { ...form, quota: '0' });
    assert.equal(refused.status, 422);
    assert.equal(fieldsOfForm(refused.text, 'issue').get('formId'), form['formId']);
    const issued = await send(clients[0]!, 'issue', { ...form, quota: '5' });
    assert.equal(issued.isShownAgain, undefined);
  });
}

describe('A form that issues a credential', () => describeOnce(async () => undefined));
describePostgres('A form that issues a credential, on PostgreSQL', (server) =>
  describeOnce(() => server().createDatabase()),
);
