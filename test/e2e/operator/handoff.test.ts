/** What becomes of a handoff value on the operator listener, and who may ask (SPEC 1.9, SPEC 2). */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rotateHandoffKey } from '../../../src/handoff/key-changes.ts';
import { until } from '../../kit/command-line.ts';
import { checkProblemBody } from '../../kit/response-body-check.ts';
import { december, double, hotel, hotelWith, type Line, nights } from '../../kit/catalogue-lines.ts';
import { type Asked, exchange, headerOf, type Received } from '../../kit/http-exchange.ts';
import {
  NOW_MS,
  openInstallation,
  type Running,
  startInstallation,
  type Served,
} from '../../kit/installation.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';

const PROBLEMS_BASE_URL = 'http://127.0.0.1:8080/problems';

let running: Running;
let operatorToken: string;
before(async () => {
  running = await startInstallation(
    ['steady', 'dearer', 'sold', 'gone', 'hidden', 'silent', 'late', 'rotated', 'dollar', 'other-type'].map(
      (propertyId) => hotel(propertyId),
    ),
  );
  operatorToken = await running.installation.issueOperatorToken();
  await until(async () => (await resolve('x')).status === 400);
});
after(() => running.installation.close());

/** The value in the handoff URL of a new quote for three nights. */
async function quotedValue(propertyId: string): Promise<string> {
  const { partner } = running;
  const { handoffUrl } = (await partner.quote(quoteBody(propertyId, '2026-12-01', '2026-12-04'))).success;
  return new URL(handoffUrl).searchParams.get('handoff') ?? '';
}

function resolve(handoff: unknown, asked: Partial<Asked> = {}, service: Served = running.service) {
  return exchange(service.operatorUrl, {
    method: 'POST',
    path: '/handoff/resolve',
    body: JSON.stringify({ handoff }),
    ...asked,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${operatorToken}`,
      ...asked.headers,
    },
  });
}

async function outcomeOf(value: string): Promise<Record<string, unknown>> {
  const received = await resolve(value);
  assert.equal(received.status, 200, textOf(received));
  assert.equal(headerOf(received, 'content-type'), 'application/json');
  assert.equal(headerOf(received, 'cache-control'), 'no-store');
  assert.ok(headerOf(received, 'x-correlation-id'));
  return JSON.parse(textOf(received)) as Record<string, unknown>;
}

function textOf({ body }: Received): string {
  return Buffer.from(body).toString('utf8');
}

/** Status and code of a problem whose form is checked on the way. */
function problemOf(received: Received): string {
  const body = JSON.parse(textOf(received)) as { readonly code: string };
  const header = (name: string) => headerOf(received, name);
  const facts = { status: received.status, body, header };
  assert.equal(header('content-type'), 'application/problem+json');
  assert.equal(header('cache-control'), 'no-store');
  assert.deepEqual(checkProblemBody(facts, [body.code], PROBLEMS_BASE_URL), []);
  return `${received.status} ${body.code}`;
}

const change = (line: Line) => running.installation.importLines([line]);

describe('a handoff value is', () => {
  it('unchanged: with all that the quote bound', async () => {
    const { handoffUrl, quoteId, expiresAt } = (
      await running.partner.quote({ ...quoteBody('steady', '2026-12-01', '2026-12-04', 1), locale: 'en-GB' })
    ).success;
    assert.deepEqual(await outcomeOf(new URL(handoffUrl).searchParams.get('handoff') ?? ''), {
      outcome: 'unchanged',
      quoteId,
      propertyId: 'steady',
      stay: { checkIn: '2026-12-01', checkOut: '2026-12-04', nights: 3, guests: 1, timezone: 'Europe/Rome' },
      locale: 'en-GB',
      partnerId: 'acme',
      currency: 'EUR',
      quotedTotal: '360.00',
      currentTotal: '360.00',
      pricing: {
        mode: 'indicative',
        accommodation: '360.00',
        cleaningFee: '0.00',
        taxes: '0.00',
        total: '360.00',
        pricePreservedInHandoff: false,
      },
      currentCurrency: 'EUR',
      expiresAt,
      test: false,
    });
  });

  it('unchanged as often as it is resolved', async () => {
    const value = await quotedValue('steady');
    for (let time = 0; time < 3; time++) assert.equal((await outcomeOf(value))['outcome'], 'unchanged');
  });

  it('price_changed: with the old and the new total', async () => {
    const value = await quotedValue('dearer');
    await change(hotelWith('dearer', [december(), nights('2026-12-02', '2026-12-02', { rate: '120.01' })]));
    const { outcome, quotedTotal, currentTotal } = await outcomeOf(value);
    assert.deepEqual([outcome, quotedTotal, currentTotal], ['price_changed', '360.00', '360.01']);
  });

  it('price_changed when the same number is of another currency', async () => {
    const value = await quotedValue('dollar');
    await change(hotel('dollar', { currency: 'USD' }));
    const { outcome, currency, currentCurrency } = await outcomeOf(value);
    assert.deepEqual([outcome, currency, currentCurrency], ['price_changed', 'EUR', 'USD']);
  });

  it('unchanged when another inventory type gives the same price', async () => {
    const value = await quotedValue('other-type');
    const twin = double({ inventoryTypeId: 'twin' });
    await change(hotel('other-type', { inventoryTypes: [double({ calendar: [] }), twin] }));
    assert.equal((await outcomeOf(value))['outcome'], 'unchanged');
  });

  const losses: readonly (readonly [name: string, propertyId: string, lose: () => Promise<unknown>])[] = [
    ['a night is sold', 'sold', () => change(hotelWith('sold', [december({ availability: 0 })]))],
    ['the property is withdrawn', 'gone', () => running.installation.storage.withdrawProperties(['gone'])],
    [
      'the property is no longer offered to the partner',
      'hidden',
      () => change(hotel('hidden', { visibleTo: [] })),
    ],
    ['the property gives no quotes any more', 'silent', () => change(hotel('silent', { quoting: false }))],
  ];
  for (const [name, propertyId, lose] of losses) {
    it(`unavailable when ${name}`, async () => {
      const value = await quotedValue(propertyId);
      assert.equal((await outcomeOf(value))['outcome'], 'unchanged');
      await lose();
      const { outcome, quotedTotal, currentTotal } = await outcomeOf(value);
      assert.deepEqual([outcome, quotedTotal, currentTotal], ['unavailable', '360.00', null]);
    });
  }

  it('expired from the instant on that the quote names, whatever became of the price', async () => {
    const { time } = running.installation;
    const value = await quotedValue('late');
    try {
      time.nowMs = NOW_MS + 1_799_999;
      assert.equal((await outcomeOf(value))['outcome'], 'unchanged');
      time.nowMs = NOW_MS + 1_800_000;
      assert.equal((await outcomeOf(value))['outcome'], 'expired');
      await change(hotelWith('late', []));
      assert.equal((await outcomeOf(value))['outcome'], 'expired');
    } finally {
      time.nowMs = NOW_MS;
    }
  });

  it('opened by the old key after a rotation, and sealed with the new one', async () => {
    const { access } = running.installation;
    const sealedBefore = await quotedValue('rotated');
    await rotateHandoffKey(access);
    const headOf = (value: string) => value.split('.')[0];
    let sealedAnew = sealedBefore;
    await until(async () => {
      sealedAnew = await quotedValue('rotated');
      return headOf(sealedAnew) !== headOf(sealedBefore);
    }, 1_000);
    for (const value of [sealedBefore, sealedAnew])
      assert.equal((await outcomeOf(value))['outcome'], 'unchanged');
  });
});

describe('HANDOFF_INVALID is', () => {
  it('a value with any part of it changed', async () => {
    const value = await quotedValue('steady');
    const parts = value.split('.');
    for (const [index, part] of parts.entries()) {
      if (part === '') continue;
      const middle = Math.floor(part.length / 2);
      const changed = part.slice(0, middle) + (part[middle] === 'A' ? 'B' : 'A') + part.slice(middle + 1);
      const tampered = parts.with(index, changed).join('.');
      assert.equal(problemOf(await resolve(tampered)), '400 HANDOFF_INVALID', `part ${index}`);
    }
  });

  it('part of a value, more than a value, or something else', async () => {
    const value = await quotedValue('steady');
    for (const text of ['', 'x', value.slice(0, -1), `${value}A`, ` ${value}`, 'a'.repeat(10_000), '\0']) {
      assert.equal(problemOf(await resolve(text)), '400 HANDOFF_INVALID', text.slice(0, 20));
    }
  });

  it('a value of another installation', async () => {
    const other = await openInstallation();
    try {
      await other.importLines([hotel('steady')]);
      const { token } = await other.issue();
      const partner = new PartnerClient((await other.serve()).partnerUrl, token);
      const { handoffUrl } = (await partner.quote(quoteBody('steady', '2026-12-01', '2026-12-04'))).success;
      const value = new URL(handoffUrl).searchParams.get('handoff');
      assert.equal(problemOf(await resolve(value)), '400 HANDOFF_INVALID');
    } finally {
      await other.close();
    }
  });
});

describe('a request to resolve a handoff', () => {
  it('needs an operator token', async () => {
    const value = await quotedValue('steady');
    const partnerToken = (await running.installation.issue()).token;
    const ask = async (authorization: string) =>
      problemOf(await resolve(value, { headers: { authorization } }));
    assert.equal(await ask(''), '401 OPERATOR_AUTH_REQUIRED');
    assert.equal(await ask('Basic YTpi'), '401 OPERATOR_AUTH_REQUIRED');
    assert.equal(await ask('Bearer nonsense'), '401 OPERATOR_TOKEN_INVALID');
    assert.equal(await ask(`Bearer ${partnerToken}`), '401 OPERATOR_TOKEN_INVALID');
  });

  const refused: readonly (readonly [body: string, outcome: string])[] = [
    ['', '400 INVALID_JSON'],
    ['{', '400 INVALID_JSON'],
    ['null', '400 VALIDATION_ERROR'],
    ['["x"]', '400 VALIDATION_ERROR'],
    ['{}', '400 VALIDATION_ERROR'],
    ['{"handoff":1}', '400 VALIDATION_ERROR'],
    ['{"handoff":"x","more":1}', '400 VALIDATION_ERROR'],
    [' '.repeat(16_385), '413 PAYLOAD_TOO_LARGE'],
  ];
  for (const [body, outcome] of refused) {
    it(`with ${body.trim() === '' ? `${body.length} blanks` : body}: ${outcome}`, async () => {
      assert.equal(problemOf(await resolve(undefined, { body })), outcome);
    });
  }

  it('is not understood by the partner listener, nor the operations by the operator listener', async () => {
    const { partner, service } = running;
    const asked = { method: 'POST', path: '/handoff/resolve', body: '{}' };
    assert.equal((await partner.ask(null, asked)).outcome, '404 PARTNER_OPERATION_NOT_FOUND');
    const received = await exchange(service.operatorUrl, { path: '/v1/properties?city=Venezia' });
    assert.equal(problemOf(received), '404 OPERATOR_OPERATION_NOT_FOUND');
  });
});

describe('the operator listener', () => {
  it('tells that the process lives and is ready', async () => {
    for (const path of ['/livez', '/readyz']) {
      assert.equal((await exchange(running.service.operatorUrl, { path })).status, 200);
    }
  });

  it('shows metrics that count what partners asked', async () => {
    await running.partner.search({ city: 'Venezia' });
    const received = await exchange(running.service.operatorUrl, { path: '/metrics' });
    assert.equal(received.status, 200);
    assert.match(textOf(received), /listPartnerProperties/);
  });

  it('is all that shows them: partners find nothing there', async () => {
    for (const path of ['/livez', '/readyz', '/metrics']) {
      assert.equal((await running.partner.ask(null, { path })).status, 404);
    }
  });
});
