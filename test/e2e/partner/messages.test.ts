/** What people read when a call fails: the sentence that saves a question. Codes and statuses are tested elsewhere. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOTEL_PONTE } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';

let running: Running;
let token = '';
before(async () => {
  running = await startInstallation([HOTEL_PONTE]);
  ({ token } = await running.installation.issue());
  // The service runs already, and follows what is issued.
  await until(async () => (await ask('/v1/properties?city=Venezia')).status === 200);
});
after(() => running.installation.close());

async function ask(path: string, init: RequestInit = {}): Promise<{ status: number; detail: string }> {
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
  const response = await fetch(running.service.partnerUrl + path, { ...init, headers });
  const { detail } = (await response.json()) as { detail: string };
  return { status: response.status, detail };
}

const quote = (checkIn: string, checkOut: string, headers: Record<string, string> = {}) => {
  const body = JSON.stringify({
    propertyId: HOTEL_PONTE['propertyId'],
    stay: { checkIn, checkOut, guests: 2 },
    locale: 'it-IT',
  });
  return ask('/v1/quotes', { method: 'POST', body: Buffer.from(body), headers });
};

describe('the detail', () => {
  it('of a token without its scheme says that the scheme is missing', async () => {
    for (const authorization of [token, 'Bearer', `Token ${token}`]) {
      const { status, detail } = await ask('/v1/properties?city=Venezia', { headers: { authorization } });
      assert.equal(status, 401);
      assert.match(detail, /no token of the Bearer scheme/);
    }
    const none = await fetch(`${running.service.partnerUrl}/v1/properties?city=Venezia`);
    assert.match(((await none.json()) as { detail: string }).detail, /carries no partner token/);
  });

  it('of a path without its version points to /v1', async () => {
    for (const path of ['/properties?city=Venezia', '/properties/x/availability', '/quotes']) {
      const { status, detail } = await ask(path);
      assert.equal(status, 404);
      assert.match(detail, /begin with \/v1/);
    }
    assert.doesNotMatch((await ask('/v2/properties')).detail, /\/v1/);
  });

  it('of a stay that nobody offers says whether it is past or too far ahead', async () => {
    assert.match((await quote('2026-11-18', '2026-11-19')).detail, /begins in the past/);
    assert.match((await quote('2031-01-01', '2031-01-02')).detail, /after the last night that is offered/);
    const booked = await quote('2026-12-01', '2027-01-15');
    assert.equal(booked.status, 409);
    assert.doesNotMatch(booked.detail, /past|beyond/);
  });
});

describe('a quote without a Content-Type', () => {
  it('is read as JSON', async () => {
    assert.notEqual((await quote('2026-11-18', '2026-11-19')).status, 400);
    assert.equal((await quote('2026-11-18', '2026-11-19', { 'content-type': 'text/plain' })).status, 400);
  });
});
