/**
 * A storm of quotes, and the process is killed in the middle of it: every quote that was answered with 201 is there
 * afterwards, and its handoff value still opens (SPEC 4.4).
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { daysAhead, openNow } from './kit/catalogue-lines.ts';
import { startServer } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

const CLIENT_COUNT = 16;
const QUOTES_BEFORE_KILL = 200;
/** Looking a quote up is a process each; a sample of the storm, always with the last ones before the kill. */
const SHOWN_COUNT = 6;

interface Quote {
  readonly quoteId: string;
  readonly handoffUrl: string;
}

describe('A server that is killed in a storm of quotes', () => {
  const workplace = new WorkplaceHere({ INGRESS_LIMIT: '0' });
  after(async () => workplace.remove());

  it('has stored every quote that it acknowledged', async () => {
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(openNow('open-house')) });
    await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const { token } = await workplace.json([
      'credential',
      'issue',
      '--partner',
      'acme',
      '--quota',
      '1000000',
    ]);

    const server = await startServer(workplace, { LOG_LEVEL: 'warn' });
    const acknowledged: Quote[] = [];
    const clients = Array.from({ length: CLIENT_COUNT }, async () => {
      for (;;) {
        const quote = await createQuote(server.partnerUrl, token).catch(() => undefined);
        if (quote === undefined) return;
        acknowledged.push(quote);
        if (acknowledged.length === QUOTES_BEFORE_KILL) server.child.kill('SIGKILL');
      }
    });
    await Promise.all(clients);
    assert.equal((await server.ended).signal, 'SIGKILL');
    assert.ok(acknowledged.length >= QUOTES_BEFORE_KILL);

    const restarted = await startServer(workplace, { LOG_LEVEL: 'warn' });
    const { token: operatorToken } = await workplace.json(['operator-token', 'issue', '--name', 'test']);
    await untilKnown(restarted.operatorUrl, operatorToken, acknowledged[0]!);
    for (const quote of acknowledged) {
      const resolution = await resolve(restarted.operatorUrl, operatorToken, quote);
      assert.deepEqual([resolution.outcome, resolution.quoteId], ['unchanged', quote.quoteId]);
    }
    for (const quote of acknowledged.slice(-SHOWN_COUNT)) {
      const shown = await workplace.json(['quote', 'show', quote.quoteId]);
      assert.equal(shown.handoffUrl, quote.handoffUrl);
      const inspected = await workplace.json(['handoff', 'inspect', quote.handoffUrl]);
      assert.equal(inspected.quoteId, quote.quoteId);
    }
  });
});

async function createQuote(partnerUrl: string, token: string): Promise<Quote> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const stay = { checkIn: daysAhead(2), checkOut: daysAhead(4), guests: 2 };
  const body = JSON.stringify({ propertyId: 'open-house', stay, locale: 'en-GB' });
  const response = await fetch(`${partnerUrl}/v1/quotes`, { method: 'POST', headers, body });
  assert.equal(response.status, 201);
  return (await response.json()) as Quote;
}

/** The operator listener answers `unchanged` only for a value that opens and whose quote is stored. */
async function resolve(operatorUrl: string, token: string, { handoffUrl }: Quote) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ handoff: new URL(handoffUrl).searchParams.get('handoff') });
  const response = await fetch(`${operatorUrl}/handoff/resolve`, { method: 'POST', headers, body });
  return { status: response.status, ...((await response.json()) as { outcome?: string; quoteId?: string }) };
}

async function untilKnown(operatorUrl: string, token: string, quote: Quote): Promise<void> {
  while ((await resolve(operatorUrl, token, quote)).status === 401) {
    await new Promise((wake) => setTimeout(wake, 20));
  }
}
