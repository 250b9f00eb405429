import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { Wrong } from '../domain/wrong.ts';
import { BOOKING_URL_PLACES, bookingTemplateFor, fillBookingUrl, findUnknownPlace } from './booking-url.ts';
import {
  bookingUrlTemplate,
  colour,
  filePath,
  personUrl,
  pictureFile,
  shownName,
} from '../app/settings/setting-values.ts';

const STAY = {
  propertyId: 'hotel~ponte',
  inventoryTypeId: 'double',
  checkIn: 20_788,
  checkOut: 20_791,
  guests: 2,
  locale: 'en-GB',
  partnerId: 'acme',
  quoteId: 'qt_1',
} as const;

describe('the booking URL', () => {
  it('has every value in its place, as often as it is named', () => {
    assert.equal(
      fillBookingUrl('https://a.example/{propertyId}?{guests}-{guests}&{checkIn}/{checkOut}#{locale}', STAY),
      'https://a.example/hotel~ponte?2-2&2026-12-01/2026-12-04#en-GB',
    );
  });

  it('lets no value leave its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const url = new URL(
          fillBookingUrl('https://a.example/p?id={inventoryTypeId}&x=1', { ...STAY, inventoryTypeId: text }),
        );
        assert.equal(url.host, 'a.example');
        assert.equal(url.searchParams.get('id'), text);
        assert.deepEqual([...url.searchParams.keys()], ['id', 'x']);
      }),
      { seed: 20261121, numRuns: 500 },
    );
  });

  it('is never climbed, whatever stands in its path', () => {
    const template = 'https://a.example/book/{propertyId}/{inventoryTypeId}{partnerId}/stay?id={propertyId}';
    for (const propertyId of ['.', '..']) {
      for (const [inventoryTypeId, partnerId] of [
        ['..', 'acme'],
        ['.', '.'],
        ['', '..'],
      ] as const) {
        const url = new URL(fillBookingUrl(template, { ...STAY, propertyId, inventoryTypeId, partnerId }));
        assert.ok(url.pathname.startsWith('/book/'), url.href);
        assert.ok(url.pathname.endsWith('/stay'), url.href);
        assert.equal(url.searchParams.get('id'), propertyId);
      }
    }
    assert.equal(
      fillBookingUrl('https://a.example/{propertyId}/x', { ...STAY, propertyId: '...' }),
      'https://a.example/.../x',
    );
  });

  it('has only places that are known; the first unknown one is named', () => {
    assert.equal(findUnknownPlace(BOOKING_URL_PLACES.map((name) => `{${name}}`).join('/')), undefined);
    assert.equal(findUnknownPlace('https://a.example/{guests}/{total}'), '{total}');
    assert.equal(findUnknownPlace('{}'), '{}');
  });
});

describe('the settings of the web listener', () => {
  const accepted = [
    [
      bookingUrlTemplate,
      ['https://a.example/{propertyId}', 'https://a.example:8443', 'https://a.example?x={quoteId}'],
    ],
    [
      personUrl,
      ['mailto:a@b.example', 'mailto:a@b.example?subject=Stay', 'tel:+39041123', 'https://a.example/x'],
    ],
    [colour, ['#1d5c57', '#FFFFFF']],
    [pictureFile, ['logo.svg', '/x/LOGO.PNG']],
    [shownName, ['Hotel "Ponte" & figli', 'فندق']],
    [filePath, ['/etc/x']],
  ] as const;
  const refused = [
    [
      bookingUrlTemplate,
      [
        'http://a.example/',
        'https://{propertyId}.example/',
        'https://u:p@a.example/',
        'https://a.example/{price}',
        'x',
        `https://a.example/${'x'.repeat(1_500)}`,
      ],
    ],
    [
      personUrl,
      ['a@b.example', 'javascript:alert(1)', 'http://a.example', 'tel:call me', 'mailto:a b@c', 'data:x'],
    ],
    [colour, ['red', '#fff', '#12345g', '#1234567']],
    [pictureFile, ['logo.gif', 'svg']],
    [shownName, ['x'.repeat(61), 'a\nb']],
    [filePath, ['a\0b']],
  ] as const;
  for (const [parse, texts] of accepted) {
    for (const text of texts) it(`take ${text}`, () => assert.ok(!(parse(text) instanceof Wrong)));
  }
  for (const [parse, texts] of refused) {
    for (const text of texts) {
      it(`refuse ${JSON.stringify(text.slice(0, 40))}, ${text.length} characters`, () =>
        assert.ok(parse(text) instanceof Wrong));
    }
  }
});

describe("a property's own booking site", () => {
  const sites = {
    bookingUrlTemplate: 'https://all.example/{propertyId}',
    bookingOrigins: ['https://own.example', 'https://b.example:8443'],
  };

  it('wins over the one of all while its origin is listed', () => {
    for (const own of [
      'https://own.example/{quoteId}',
      'HTTPS://OWN.example?x={guests}',
      'https://b.example:8443',
    ])
      assert.equal(bookingTemplateFor(own, sites), own);
    assert.equal(bookingTemplateFor(undefined, sites), sites.bookingUrlTemplate);
    assert.equal(
      bookingTemplateFor('https://own.example/', { ...sites, bookingOrigins: [] }),
      sites.bookingUrlTemplate,
    );
  });

  it('is not used where it could lead anywhere else', () => {
    for (const own of [
      'https://evil.example/',
      'https://own.example.evil.example/',
      'https://own.example@evil.example/',
      'https://own.example\\@evil.example/',
      'https://own.example:444/',
      'https://{propertyId}/',
      'https://own.example{propertyId}/',
      'http://own.example/',
      'javascript:alert(1)',
      '//own.example',
      'https://own.example/\r\nSet-Cookie: a=b',
      'https://own.example/\u00e8',
      'https://own.example/{host}',
      '',
    ])
      assert.equal(bookingTemplateFor(own, sites), sites.bookingUrlTemplate, own);
  });
});
