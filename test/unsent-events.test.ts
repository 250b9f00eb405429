/** Events of transactions that are committed while nobody sends: the process dies before its sender looks, or none runs. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { systemClock } from '../src/runtime/clock.ts';
import { openStorage } from '../src/storage/open.ts';
import { daysAhead, openNow } from './kit/catalogue-lines.ts';
import { type RunningServer, startServer, until, Workplace } from './kit/command-line.ts';
import { type HookServer, startHookServer, trustedCertificates } from './kit/hook-server.ts';
import { PartnerClient, quoteBody } from './kit/partner-client.ts';
import { describePostgres } from './suites/storage/postgres-fixture.ts';

const BROWSER = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Firefox/133.0' };
/** Often enough that no service takes its owner for dead. */
const CLAIM_EVERY_MS = 1_000;
const CLAIM_MS = 20_000;
const SETTLED_MS = 2_000;

interface Told {
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

describe('What was committed and not sent', () => describeUnsent(async () => ({})));
describePostgres('What was committed and not sent, on PostgreSQL', (server) =>
  describeUnsent(async () => ({ DATABASE_URL: await server().createDatabase() })),
);

function describeUnsent(openDatabase: () => Promise<Readonly<Record<string, string>>>): void {
  it('is sent once by the next service: a visit and a booking of a killed one, a change by no service', async () => {
    const certificates = trustedCertificates();
    const hooks = await startHookServer(certificates);
    const workplace = new Workplace({
      ...(await openDatabase()),
      WEB_PORT: '0',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      NODE_EXTRA_CA_CERTS: 'authority.pem',
    });
    try {
      writeFileSync(join(workplace.directory, 'authority.pem'), certificates.authority);
      await commitUnsent(workplace, hooks);
    } finally {
      await workplace.remove();
      await hooks.close();
    }
  });
}

async function commitUnsent(workplace: Workplace, hooks: HookServer): Promise<void> {
  const importHotel = (name: string) =>
    workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(openNow('ponte', { name })) });
  await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
  await importHotel('Before');
  const { token } = await workplace.json(['credential', 'issue', '--partner', 'acme']);
  const operator = await workplace.json(['operator-token', 'issue', '--name', 'web']);
  const create = ['webhook', 'create', '--partner', 'acme', '--url', hooks.url];
  const { webhookId, secret } = await workplace.json(create);
  const storage = await openStorage(workplace.environment['DATABASE_URL']!, { clock: systemClock });
  const claim = (untilMs: number) =>
    storage.claimTask('send webhooks', 'nobody', { nowMs: Date.now(), untilMs });
  assert.ok(await claim(Date.now() + CLAIM_MS));
  const claiming = setInterval(() => void claim(Date.now() + CLAIM_MS), CLAIM_EVERY_MS);
  const waiting = async (): Promise<string[]> => {
    const deliveries = await storage.listDeliveries(webhookId, 9);
    assert.ok(deliveries.every(({ status, attempts }) => status === 'pending' && attempts === 0));
    return deliveries.map(({ event }) => event).toSorted();
  };
  try {
    const killed = await startServer(workplace);
    const quoteId = await openAndBook(killed, { partner: token, operator: operator.token });
    await until(async () => (await waiting()).length === 2);
    assert.deepEqual(await waiting(), ['quote.converted', 'quote.opened']);
    killed.child.kill('SIGKILL');
    assert.equal((await killed.ended).signal, 'SIGKILL');
    await importHotel('After');
    clearInterval(claiming);
    assert.ok(await claim(0));
    assert.equal(hooks.received.length, 0, 'not one byte was sent');
    const next = await startServer(workplace);
    await until(async () => hooks.received.length >= 3);
    await sleep(SETTLED_MS);
    const told = hooks.received.map(
      ({ body, headers }) => new Verifier(secret).verify(body, headers) as Told,
    );
    const quote = { quoteId, propertyId: 'ponte' };
    assert.deepEqual(
      told
        .map(({ type, data }) => ({ type, data }))
        .toSorted((one, other) => (one.type < other.type ? -1 : 1)),
      [
        { type: 'changes.available', data: {} },
        { type: 'quote.converted', data: quote },
        { type: 'quote.opened', data: quote },
      ],
    );
    next.child.kill('SIGTERM');
    assert.equal((await next.ended).code, 0);
  } finally {
    clearInterval(claiming);
    await storage.close();
  }
}

/** A traveller opens the page of a quote, and the operator reports the booking. */
async function openAndBook(
  { partnerUrl, operatorUrl, webUrl }: RunningServer,
  tokens: { readonly partner: string; readonly operator: string },
): Promise<string> {
  const partner = new PartnerClient(partnerUrl, tokens.partner);
  const quoted = await partner.quote(quoteBody('ponte', daysAhead(2), daysAhead(4)));
  const { quoteId, handoffUrl } = quoted.success;
  const opened = await fetch(`${webUrl}/handoff${new URL(handoffUrl).search}`, { headers: BROWSER });
  assert.equal(opened.status, 200, await opened.text());
  const booked = await fetch(`${operatorUrl}/handoff/conversions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quoteId, reference: 'B-1', status: 'booked' }),
  });
  assert.equal(booked.status, 200, await booked.text());
  return quoteId;
}
