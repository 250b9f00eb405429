import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { DETAILS, LEAST_DOCUMENT } from '../../../test/kit/property-details.ts';
import { NO_DETAILS } from '../../domain/property-details.ts';
import { formatPropertyDocument } from './format-property-document.ts';
import { parsePropertyDocument } from './property-document.ts';

type Json = Record<string, unknown>;

const [IMAGE] = DETAILS.images;

function read(fields: Json): Extract<ReturnType<typeof parsePropertyDocument>, { ok: true }> {
  const result = parsePropertyDocument({ ...LEAST_DOCUMENT, ...fields });
  assert.ok(result.ok, JSON.stringify(result));
  return result;
}

function refusal(fields: Json): readonly [string, string] {
  const result = parsePropertyDocument({ ...LEAST_DOCUMENT, ...fields });
  assert.ok(!result.ok, `accepted: ${JSON.stringify(fields)}`);
  return [result.field, inEnglish(result.reason)];
}

const withImage = (fields: Json): Json => ({ images: [IMAGE, { ...IMAGE, ...fields }] });
const steps = (...all: readonly (readonly [number, string])[]): Json => ({
  cancellation: all.map(([daysBefore, refundPercent]) => ({ daysBefore, refundPercent })),
});
const parts = (...all: readonly Json[]): Json => ({ payment: all });

describe('The fields of a document that only the page of a stay shows', () => {
  it('are all optional, and null says the same as nothing', () => {
    assert.deepEqual(read({}).details, NO_DETAILS);
    assert.deepEqual(read({ ...NO_DETAILS, images: null }).details, NO_DETAILS);
  });

  it('are read, and written as they were read', () => {
    const { property, entries, details } = read({ ...DETAILS });
    assert.deepEqual(details, DETAILS);
    const written = formatPropertyDocument(property, entries, details);
    const again = parsePropertyDocument(written);
    assert.ok(again.ok);
    assert.deepEqual(again.details, DETAILS);
    assert.equal(Object.hasOwn(property, 'images'), false, 'the property itself stays as it was');
  });

  it('take paths below the folder and https URLs', () => {
    for (const src of [
      'a.jpg',
      'hotel-ponte/front view.webp',
      'città/è.png',
      'https://cdn.example.com/a%20b.jpg?w=1',
    ])
      assert.equal(read({ images: [{ ...IMAGE, src }] }).details.images[0]?.src, src);
  });

  it('take 30 pictures, and not one more', () => {
    assert.equal(read({ images: Array.from({ length: 30 }, () => IMAGE) }).details.images.length, 30);
    assert.deepEqual(refusal({ images: Array.from({ length: 31 }, () => IMAGE) }), [
      'images',
      'must have at most 30 entries, not 31',
    ]);
  });

  it('take an arrival without an end, and one after midnight', () => {
    assert.deepEqual(read({ checkIn: { from: '15:00' } }).details.checkIn, { from: '15:00', until: null });
    assert.deepEqual(read({ checkIn: { from: '15:00', until: '01:30' } }).details.checkIn, {
      from: '15:00',
      until: '01:30',
    });
  });

  it('take thirds of a price that are 100 together', () => {
    const thirds = [
      { due: 'booking', percent: '33.33' },
      { due: 'daysBefore', daysBefore: 30, percent: '33.33' },
      { due: 'arrival', percent: '33.34' },
    ];
    assert.equal(read(parts(...thirds)).details.payment?.length, 3);
    assert.deepEqual(refusal(parts(...thirds.slice(0, 2))), [
      'payment',
      'must have percentages that are 100 together, not 66.66',
    ]);
  });

  const REFUSED: readonly (readonly [Json, string, RegExp])[] = [
    [{ images: {} }, 'images', /must be a list/],
    [withImage({ width: undefined }), 'images[1].width', /whole number from 1 to 20000/],
    [{ images: [{ src: 'a.jpg', alt: 'A', width: 1 }] }, 'images[0].height', /^is required$/],
    [{ images: [{ src: 'a.jpg', width: 1, height: 1 }] }, 'images[0].alt', /^is required$/],
    [withImage({ height: 0 }), 'images[1].height', /from 1 to 20000/],
    [withImage({ width: 20_001 }), 'images[1].width', /from 1 to 20000/],
    [withImage({ alt: ' ' }), 'images[1].alt', /must not be blank/],
    [withImage({ alt: 'x'.repeat(501) }), 'images[1].alt', /at most 500 characters/],
    [withImage({ title: 'x' }), 'images[1].title', /not a known field/],
    [withImage({ src: 'x'.repeat(2_001) }), 'images[1].src', /at most 2000 characters/],
    ...[
      'http://a.example/b.jpg',
      'HTTP://a.example/b',
      'data:image/png;base64,AAAA',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://user@a.example/b.jpg',
      'https:///b.jpg',
      'https://a.example/b c.jpg',
      'https://a.example/b.jpg#x',
      'C:/b.jpg',
    ].map((src) => [withImage({ src }), 'images[1].src', /must be an https:\/\/ URL/] as const),
    ...[
      '../b.jpg',
      'a/../b.jpg',
      'a/..',
      '/a.jpg',
      '//a.example/b.jpg',
      'a//b.jpg',
      'a/',
      './a.jpg',
      '.env',
      'a/.git/x.png',
    ].map((src) => [withImage({ src }), 'images[1].src', /must be a path below the folder/] as const),
    ...['a\\b.jpg', 'a%2e%2e/b.jpg', 'a.jpg?x', 'a.jpg#x', 'a\u0001.jpg', 'b/c:d.jpg'].map(
      (src) => [withImage({ src }), 'images[1].src', /without any of % \? # :/] as const,
    ),
    [withImage({ src: 'a\0.jpg' }), 'images[1].src', /NUL/],
    [{ checkIn: '15:00' }, 'checkIn', /must be a JSON object/],
    [{ checkIn: { until: '22:00' } }, 'checkIn.from', /^is required$/],
    ...['25:00', '24:00', '9:00', '15:60', '15', ' 15:00', '15:00:00', 15].map(
      (from) => [{ checkIn: { from } }, 'checkIn.from', /must be a time from "00:00" to "23:59"/] as const,
    ),
    [{ checkOut: { until: null } }, 'checkOut.until', /must be a time/],
    [{ checkOut: { from: '10:00' } }, 'checkOut.from', /not a known field/],
    [
      steps([14, '100'], [14, '50']),
      'cancellation[1].daysBefore',
      /must be below that of the step before \(14\)/,
    ],
    [steps([3, '50'], [14, '100']), 'cancellation[1].daysBefore', /must be below/],
    [steps([14, '50'], [3, '100']), 'cancellation[1].refundPercent', /must not be above/],
    [steps([14, '100.01']), 'cancellation[0].refundPercent', /from 0 to 100/],
    [steps([14, '1.005']), 'cancellation[0].refundPercent', /two digits/],
    [steps([-1, '100']), 'cancellation[0].daysBefore', /from 0 to 730/],
    [
      { cancellation: [{ daysBefore: 1, refundPercent: 50 }] },
      'cancellation[0].refundPercent',
      /in a string/,
    ],
    [
      steps(...Array.from({ length: 21 }, (_, index) => [30 - index, '50'] as const)),
      'cancellation',
      /at most 20/,
    ],
    [parts(), 'payment', /at least one step/],
    [parts({ due: 'booking', percent: '30' }), 'payment', /100 together, not 30/],
    [
      parts({ due: 'booking', percent: '100' }, { due: 'arrival', percent: '0' }),
      'payment[1].percent',
      /above 0/,
    ],
    [
      parts({ due: 'booking', percent: '60' }, { due: 'booking', percent: '40' }),
      'payment[1].due',
      /in the order booking, daysBefore, arrival/,
    ],
    [
      parts({ due: 'arrival', percent: '60' }, { due: 'booking', percent: '40' }),
      'payment[1].due',
      /in the order/,
    ],
    [parts({ due: 'daysBefore', percent: '100' }), 'payment[0].daysBefore', /^is required$/],
    [parts({ due: 'arrival', daysBefore: 1, percent: '100' }), 'payment[0].daysBefore', /does not belong/],
    [
      parts(
        { due: 'daysBefore', daysBefore: 7, percent: '50' },
        { due: 'daysBefore', daysBefore: 30, percent: '50' },
      ),
      'payment[1].daysBefore',
      /must be below/,
    ],
    [
      parts({ due: 'later', percent: '100' }),
      'payment[0].due',
      /must be one of booking, daysBefore, arrival/,
    ],
    [{ houseRules: 'x'.repeat(4_001) }, 'houseRules', /at most 4000/],
    [{ registrationNumber: 'x'.repeat(65) }, 'registrationNumber', /at most 64/],
    [{ registrationNumber: ' ' }, 'registrationNumber', /must not be blank/],
    [{ seller: 'x'.repeat(201) }, 'seller', /at most 200/],
  ];
  for (const [fields, field, reason] of REFUSED) {
    it(`are refused as ${field} for ${JSON.stringify(fields).slice(0, 160)}`, () => {
      const [found, why] = refusal(fields);
      assert.equal(found, field);
      assert.match(why, reason);
    });
  }

  it('never throw, and come back as they were taken, whatever is written', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(...Object.values(DETAILS), 'booking', '100', 14, 'a.jpg', '15:00'),
    );
    const keys = [
      ...Object.keys(DETAILS),
      'src',
      'alt',
      'width',
      'due',
      'percent',
      'daysBefore',
      'from',
      'until',
    ];
    const object = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 });
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...Object.keys(DETAILS)),
          fc.oneof(value, object, fc.array(object, { maxLength: 4 })),
        ),
        (fields) => {
          const result = parsePropertyDocument({ ...LEAST_DOCUMENT, ...fields });
          if (!result.ok) return;
          const again = parsePropertyDocument(
            formatPropertyDocument(result.property, result.entries, result.details),
          );
          assert.ok(again.ok);
          assert.deepEqual(again.details, result.details);
        },
      ),
      { seed: 20261122, numRuns: 2_000 },
    );
  });
});
