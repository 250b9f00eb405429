/** What partners read: the OpenAPI document, the documentation, and the pages that problem types lead to (SPEC 7). */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildOpenApi, COMMITTED_SETTINGS, formatOpenApi } from '../../../src/contract/openapi/openapi.ts';
import { OPERATIONS } from '../../../src/contract/partner/operations.ts';
import { PROBLEM_CODES, PROBLEMS } from '../../../src/contract/partner/problems.ts';
import { SPEC_PROBLEMS } from '../../kit/spec-problems.ts';
import { HOTEL_PONTE } from '../../kit/catalogue-lines.ts';
import { exchange, headerOf, type Received } from '../../kit/http-exchange.ts';
import { NOW_MS, type Running, type Served, startInstallation } from '../../kit/installation.ts';

/** The document as it is committed, but for the day that its examples are counted from. */
const EXPECTED = formatOpenApi(
  buildOpenApi({ ...COMMITTED_SETTINGS, today: Math.floor(NOW_MS / 86_400_000) }),
);
const PUBLIC_URL = 'https://partners.example/api';
const PROBLEMS_BASE_URL = 'https://help.example/problems';

let running: Running;
/** The same installation, reached by partners somewhere else. */
let elsewhere: Served;
before(async () => {
  running = await startInstallation([HOTEL_PONTE]);
  elsewhere = await running.installation.serve({ PUBLIC_URL, PROBLEMS_BASE_URL });
});
after(() => running.installation.close());

const get = (path: string, service: Served = running.service, method = 'GET') =>
  exchange(service.partnerUrl, { method, path });
/** Without the places at which a long name may be broken. */
const textOf = ({ body }: Received) => Buffer.from(body).toString('utf8').replaceAll('<wbr />', '');

describe('/openapi.json', () => {
  it('is the committed document with the dates of today, and needs no credential', async () => {
    const received = await get('/openapi.json');
    assert.equal(received.status, 200);
    assert.equal(headerOf(received, 'content-type'), 'application/json');
    assert.ok(headerOf(received, 'x-correlation-id'));
    assert.equal(textOf(received), EXPECTED);
  });

  it('differs elsewhere in the address of the service and of its problems, and in nothing else', async () => {
    const expected = JSON.parse(
      EXPECTED.replaceAll('http://127.0.0.1:8080/problems', PROBLEMS_BASE_URL),
    ) as Record<string, unknown>;
    const document = JSON.parse(textOf(await get('/openapi.json', elsewhere))) as Record<string, unknown>;
    const { servers, ...rest } = document;
    const { servers: _committedServers, ...expectedRest } = expected;
    assert.equal((servers as { url: string }[])[0]?.url, PUBLIC_URL);
    assert.deepEqual(rest, expectedRest);
  });
});

describe('/docs', () => {
  it('shows every scope and every problem, and needs no credential', async () => {
    const received = await get('/docs');
    assert.equal(received.status, 200);
    assert.match(headerOf(received, 'content-type') ?? '', /^text\/html/);
    const text = textOf(received);
    for (const scope of OPERATIONS.flatMap(({ scopes }) => scopes)) assert.ok(text.includes(scope), scope);
    for (const code of PROBLEM_CODES) assert.ok(text.includes(code), code);
  });
});

describe('/openapi.yaml and /llms.txt', () => {
  it('are there for machines', async () => {
    const yaml = await get('/openapi.yaml');
    assert.equal(headerOf(yaml, 'content-type'), 'application/yaml');
    assert.ok(textOf(yaml).startsWith('openapi: "3.1.0"\n'));
    const text = await get('/llms.txt');
    assert.equal(headerOf(text, 'content-type'), 'text/plain; charset=utf-8');
    for (const { operationId, path } of OPERATIONS) assert.ok(textOf(text).includes(path), operationId);
  });
});

describe('the type of a problem', () => {
  for (const code of PROBLEM_CODES) {
    it(`${code} leads to a page that explains it`, async () => {
      const received = await get(`/problems/${PROBLEMS[code].slug}`);
      assert.equal(received.status, 200);
      assert.match(headerOf(received, 'content-type') ?? '', /^text\/html/);
      assert.ok(textOf(received).includes(code));
    });
  }

  it('is an example of the problem for a program that asks for JSON, and HTML for a browser', async () => {
    const path = '/problems/stay-unavailable';
    const ask = (accept: string) =>
      exchange(running.service.partnerUrl, { method: 'GET', path, headers: { accept } });
    for (const accept of ['application/json', 'application/problem+json, */*;q=0.1']) {
      const received = await ask(accept);
      assert.equal(headerOf(received, 'content-type'), 'application/problem+json');
      assert.equal(JSON.parse(textOf(received)).code, 'STAY_UNAVAILABLE');
    }
    for (const accept of ['text/html,application/json;q=0.9,*/*;q=0.8', '*/*', 'image/png'])
      assert.match(headerOf(await ask(accept), 'content-type') ?? '', /^text\/html/, accept);
  });

  it('is where the service itself shows it, unless the settings name another place', async () => {
    const answer = await running.partner.property('nowhere');
    assert.equal(answer.problem.type, 'http://127.0.0.1:8080/problems/property-not-found');
    const received = await get('/v1/nowhere', elsewhere);
    assert.equal(JSON.parse(textOf(received)).type, `${PROBLEMS_BASE_URL}/partner-operation-not-found`);
  });

  it('has the slug of the contract', () => {
    for (const code of PROBLEM_CODES) assert.equal(PROBLEMS[code].slug, SPEC_PROBLEMS[code].slug);
  });
});

describe('a page', () => {
  it('HEAD of a page has the headers of GET, without the body', async () => {
    const [got, headed] = [await get('/docs'), await get('/docs', running.service, 'HEAD')];
    assert.equal(headed.status, 200);
    assert.equal(headed.body.byteLength, 0);
    assert.equal(headerOf(headed, 'content-length'), headerOf(got, 'content-length'));
  });

  it('takes no other method', async () => {
    const answer = await running.partner.ask(null, { method: 'DELETE', path: '/docs' });
    assert.equal(answer.outcome, '405 PARTNER_OPERATION_NOT_FOUND');
  });

  it('is found with a slash at the end too', async () => {
    for (const [path, location] of [
      ['/docs/', '../docs'],
      ['/docs/reference/', '../reference'],
      ['/problems/stay-unavailable/', '../stay-unavailable'],
    ] as const) {
      const received = await get(path);
      assert.deepEqual([received.status, headerOf(received, 'location')], [308, location]);
      const target = new URL(location, running.service.partnerUrl + path);
      assert.equal((await get(target.pathname)).status, 200);
    }
    assert.equal((await get('/openapi.json/')).status, 404);
  });

  it('has an icon where browsers look for one, on each listener', async () => {
    const web = await running.installation.serve({ WEB_PORT: '0' });
    for (const url of [running.service.partnerUrl, running.service.operatorUrl, web.webUrl]) {
      const answer = await fetch(`${url}/favicon.ico`);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/svg+xml'], url);
      assert.match(await answer.text(), /^<svg /);
    }
  });

  it('says on the operator listener what is where', async () => {
    const answer = await fetch(`${running.service.operatorUrl}/`);
    const text = await answer.text();
    assert.equal(answer.status, 200);
    for (const [, href = ''] of text.matchAll(/<a href="(\.\/[^"]+)"/g)) {
      assert.equal((await fetch(new URL(href, answer.url))).status, 200, href);
    }
    assert.equal((await fetch(`${running.service.operatorUrl}/`, { method: 'POST' })).status, 405);
    const slash = await fetch(`${running.service.operatorUrl}/supply/docs/`);
    assert.ok(slash.url.endsWith('/supply/docs'));
  });

  it('that does not exist is a problem', async () => {
    for (const path of ['/problems/no-such-problem', '/docs/../etc/passwd', '/openapi.xml']) {
      assert.equal((await running.partner.ask(null, { path })).outcome, '404 PARTNER_OPERATION_NOT_FOUND');
    }
  });
});
