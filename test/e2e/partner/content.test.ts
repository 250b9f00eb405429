/** Pictures, times and terms for partners (`/content/v1`), beside the contract. */
import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { PropertyContent, PropertyContentList } from '../../../src/contract/partner/content-schemas.ts';
import { hotel, type Line } from '../../kit/catalogue-lines.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { until } from '../../kit/command-line.ts';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><rect width="3" height="2"/></svg>';
const LISTED = 'https://pictures.example/front.jpg';

const DETAILS = {
  images: [
    { src: 'ponte/façade.svg', alt: { 'it-IT': 'La facciata', 'en-GB': 'The façade' }, width: 3, height: 2 },
    { src: 'ponte/missing.svg', alt: 'Missing', width: 3, height: 2 },
    { src: LISTED, alt: 'The front', width: 800, height: 600 },
    { src: 'https://unlisted.example/front.jpg', alt: 'Unlisted', width: 800, height: 600 },
  ],
  checkIn: { from: '15:00', until: null },
  checkOut: { until: '10:30' },
  cancellation: [{ daysBefore: 14, refundPercent: '100' }],
  payment: [{ due: 'arrival', percent: '100' }],
  houseRules: { 'en-GB': 'Quiet after 22:00.' },
  registrationNumber: 'IT027042A1XXXXXXXX',
};

const NOTHING = {
  images: [],
  checkIn: null,
  checkOut: null,
  cancellation: null,
  payment: null,
  houseRules: null,
  registrationNumber: null,
};

const LINES: readonly Line[] = [
  hotel('hotel-ponte', { ...DETAILS, seller: 'Ponte S.r.l.' }),
  hotel('plain-house'),
  hotel('hidden-house', { visibleTo: ['somebody-else'] }),
];

describe('/content/v1', () => {
  let installation: Installation;
  let service: Served;
  let folder: string;
  let liveToken: string;
  let testToken: string;

  before(async () => {
    installation = await openInstallation();
    await installation.importLines(LINES);
    folder = join(installation.folder, 'pictures');
    mkdirSync(join(folder, 'ponte'), { recursive: true });
    writePicture(SVG);
    liveToken = (await installation.issue({ scopes: ALL_SCOPE_NAMES })).token;
    testToken = (await installation.issue({ scopes: ['content:read'], isTest: true })).token;
    service = await installation.serve({
      WEB_PORT: '0',
      WEB_NAME: 'Bridge Hotels',
      WEB_IMAGES: folder,
      WEB_IMAGE_ORIGINS: 'https://pictures.example',
      HANDOFF_BASE_URL: 'https://stay.example/handoff',
    });
  });
  after(() => installation.close());

  /** Written an hour ago: a file that has just changed may change again. */
  function writePicture(text: string, atMs = Date.now() - 3_600_000): void {
    const path = join(folder, 'ponte', 'façade.svg');
    writeFileSync(path, text);
    utimesSync(path, atMs / 1_000, atMs / 1_000);
  }

  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const authorization = `Bearer ${liveToken}`;
    return fetch(`${service.partnerUrl}${path}`, { headers: { authorization, ...headers } });
  };
  const content = async (path: string) => (await (await get(path)).json()) as PropertyContent;

  it('answers with what the document says, in the locale, and with addresses of the pictures that can be served', async () => {
    const { images, ...terms } = await content('/content/v1/properties/hotel-ponte?locale=en-GB');
    assert.deepEqual(terms, {
      propertyId: 'hotel-ponte',
      checkIn: DETAILS.checkIn,
      checkOut: DETAILS.checkOut,
      cancellation: DETAILS.cancellation,
      payment: [{ due: 'arrival', daysBefore: null, percent: '100' }],
      houseRules: 'Quiet after 22:00.',
      registrationNumber: DETAILS.registrationNumber,
      seller: 'Ponte S.r.l.',
      timezone: 'Europe/Rome',
      currency: 'EUR',
    });
    assert.deepEqual(
      images.map(({ alt, width, height }) => [alt, width, height]),
      [
        ['The façade', 3, 2],
        ['The front', 800, 600],
      ],
    );
    assert.match(
      images[0]?.url ?? '',
      /^https:\/\/stay\.example\/images\/ponte\/fa%C3%A7ade\.svg\?v=[\w-]{12}$/,
    );
    assert.equal(images[1]?.url, LISTED);
    const italian = await content('/content/v1/properties/hotel-ponte');
    assert.equal(italian.images[0]?.alt, 'La facciata');
    assert.equal(italian.houseRules, 'Quiet after 22:00.');
  });

  it('leaves out pictures of the folder and of origins that are not set', async () => {
    const bare = await installation.serve();
    const headers = { authorization: `Bearer ${liveToken}` };
    for (const path of ['/content/v1/properties/hotel-ponte', '/content/v1/properties?city=Venezia']) {
      const text = await (await fetch(`${bare.partnerUrl}${path}`, { headers })).text();
      assert.match(text, /"propertyId":"hotel-ponte","images":\[\]/);
    }
    await bare.close();
  });

  it('answers with nulls where the document says nothing; then the operator sells', async () => {
    const answer = await content('/content/v1/properties/plain-house');
    assert.deepEqual(answer, {
      propertyId: 'plain-house',
      ...NOTHING,
      seller: 'Bridge Hotels',
      timezone: 'Europe/Rome',
      currency: 'EUR',
    });
  });

  it('lists the set and order of a search without dates', async () => {
    for (const query of ['city=Venezia', 'city=venice&country=IT&pageSize=1&page=2', 'city=Nowhere']) {
      const contents = (await (await get(`/content/v1/properties?${query}`)).json()) as PropertyContentList;
      const search = (await (await get(`/v1/properties?${query}`)).json()) as PropertyContentList;
      const idsOf = ({ items }: PropertyContentList) => items.map(({ propertyId }) => propertyId);
      assert.deepEqual(idsOf(contents), idsOf(search), query);
      assert.deepEqual(contents.pagination, search.pagination, query);
    }
  });

  it('knows no property that the partner may not see', async () => {
    const hidden = await get('/content/v1/properties/hidden-house');
    const unknown = await get('/content/v1/properties/nobody-knows-this');
    assert.equal(hidden.status, 404);
    assert.equal(hidden.headers.get('etag'), null);
    const bodies = [await hidden.json(), await unknown.json()] as Record<string, unknown>[];
    const [one, other] = bodies.map(({ correlationId: _correlationId, ...body }) => body);
    assert.deepEqual(one, other);
  });

  it('tags its answers, and answers 304 without a body as long as they are the same', async () => {
    for (const path of ['/content/v1/properties/plain-house', '/content/v1/properties?city=Venezia']) {
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      assert.match(etag, /^"[\w-]{22}"$/);
      const again = await get(path, { 'if-none-match': etag });
      assert.deepEqual([again.status, await again.text()], [304, '']);
      assert.equal(again.headers.get('cache-control'), 'private, max-age=60');
      assert.equal(again.headers.get('x-ratelimit-limit'), '1000000');
      assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
    }
  });

  it('shows a change of the document as soon as a search does', async () => {
    await content('/content/v1/properties/plain-house');
    await installation.importLines([hotel('plain-house', { houseRules: 'No smoking.' })]);
    await until(async () => {
      const { houseRules } = await content('/content/v1/properties/plain-house');
      return houseRules === 'No smoking.';
    });
  });

  it('gives a changed picture another address, which may be kept for ever', async () => {
    const urlOf = async () => (await content('/content/v1/properties/hotel-ponte')).images[0]?.url ?? '';
    const before = await urlOf();
    writePicture(SVG.replace('height="2"', 'height="1"'), Date.now() - 60_000);
    installation.time.nowMs += 5_000;
    const changed = await urlOf();
    assert.notEqual(changed, before);
    assert.equal(new URL(changed).pathname, new URL(before).pathname);
    const kept = async (url: string) => {
      const { pathname, search } = new URL(url);
      const picture = await fetch(`${service.webUrl}${pathname}${search}`);
      assert.match(await picture.text(), /height="1"/);
      return picture.headers.get('cache-control');
    };
    assert.equal(await kept(changed), 'public, max-age=31536000, immutable');
    for (const other of [before, changed.replace(/\?.*/, ''), `${changed}&x=1`])
      assert.equal(await kept(other), 'public, max-age=600', other);
  });

  it('is for credentials with its scope alone, which is granted only when it is named', async () => {
    const { token } = await installation.issue();
    const authorization = `Bearer ${token}`;
    let answer = await get('/content/v1/properties/plain-house', { authorization });
    await until(async () => {
      answer = await get('/content/v1/properties/plain-house', { authorization });
      return answer.status !== 401;
    });
    assert.equal(answer.status, 403);
    assert.match(answer.headers.get('www-authenticate') ?? '', /scope="content:read"/);
  });

  it('answers for the sandbox with pictures that the web listener serves', async () => {
    const authorization = `Bearer ${testToken}`;
    const answer = await get('/content/v1/properties/test-always?locale=en-GB', { authorization });
    const { images, houseRules } = (await answer.json()) as PropertyContent;
    assert.equal(houseRules, 'Quiet after 22:00.');
    const url = new URL(images[0]?.url ?? '');
    assert.equal(url.origin, 'https://stay.example');
    const picture = await fetch(`${service.webUrl}${url.pathname}`);
    assert.equal(picture.headers.get('content-type'), 'image/svg+xml');
    assert.equal(picture.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal((await get('/content/v1/properties/hotel-ponte', { authorization })).status, 404);
    const none = await get('/content/v1/properties/test-null-fields', { authorization });
    assert.deepEqual(((await none.json()) as PropertyContent).images, []);
  });

  it('is described at /extras/openapi.json', async () => {
    const answer = await fetch(`${service.partnerUrl}/extras/openapi.json`);
    const { paths } = (await answer.json()) as { paths: object };
    for (const path of ['/content/v1/properties', '/content/v1/properties/{propertyId}'])
      assert.ok(path in paths, path);
  });
});
