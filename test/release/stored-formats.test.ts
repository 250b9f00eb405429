/**
 * What this release stores or hands out, as the release before reads it: each row of the table of formats has a
 * specimen with every field, which the decoder of that release is given.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { encodeNights, encodeRates } from '../../src/domain/calendar-codec.ts';
import { buildCalendar, type Calendar } from '../../src/domain/calendar.ts';
import { STORED_PROPERTY } from '../../src/domain/document/property-grammar.ts';
import type { CalendarLayer } from '../../src/domain/layers.ts';
import type { Property } from '../../src/domain/property.ts';
import { type FormatName, STORED_FORMATS } from '../../src/domain/stored-formats.ts';
import { parseHandoffKeys } from '../../src/handoff/handoff-keys.ts';
import { type Handoff, type OpenedHandoff, sealHandoff } from '../../src/handoff/handoff-value.ts';
import { formatStoredBreakdown, type QuoteBreakdown } from '../../src/partner/quotes/present-quote.ts';
import { formatDocument } from '../../src/domain/ledger/stored-document.ts';
import {
  EARLIER_RELEASE,
  type EarlierRelease,
  earlierReleaseMissing,
  unpackEarlierRelease,
} from '../kit/earlier-release.ts';
import { LATER_FIELD_CODE } from '../kit/later-release.ts';
import {
  dayOf,
  makeDiscount,
  makeInventoryType,
  makeProperty,
  makeTaxRule,
} from '../kit/property-fixtures.ts';

/** What the release before calls itself in the table. */
const EARLIER_NAME = '0.1.0';

const FROM = dayOf('2026-12-10');
const CALENDAR = buildCalendar([
  {
    from: FROM,
    to: FROM + 3,
    set: {
      availability: 3,
      rate: 12_000,
      stopSell: 1,
      closedToArrival: 1,
      closedToDeparture: 1,
      minStayArrival: 2,
      minStayThrough: 3,
      maxStay: 28,
      ratesByGuests: [
        { guests: 1, rate: 9_000 },
        { guests: 2, rate: 11_000 },
      ],
    },
  },
]);

const PROPERTY: Property = makeProperty({
  cleaningFee: '40.00',
  taxes: [makeTaxRule({ validFrom: '2026-01-01', validTo: '2026-12-31', maxNights: 5 })],
  discounts: [makeDiscount({ percent: '12.5' })],
  maxSupplyAgeHours: 48,
  inventoryTypes: [makeInventoryType({ minAdvanceDays: 1, maxAdvanceDays: 300, priceSource: 'channel' })],
});

const BREAKDOWN: QuoteBreakdown = {
  discount: { code: 'weekly', percent: '12.5', amount: '30.00' },
  nights: [
    { date: '2026-12-10', rate: '120.00', extraGuests: '0.00', price: '105.00' },
    { date: '2026-12-11', rate: '120.00', extraGuests: '0.00', price: '105.00' },
  ],
  taxes: [],
};

const KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const HANDOFF: Handoff = {
  quoteId: 'qt_1',
  propertyId: 'a',
  checkIn: FROM,
  checkOut: FROM + 2,
  guests: 2,
  locale: 'it-IT',
  partnerId: 'acme',
  total: '210.00',
  currency: 'EUR',
  expiresAtMs: 1_800_000_000_000,
};

/** Takes the specimen of a format to the decoder of the release before. */
type Check = (load: <Module>(path: string) => Promise<Module>) => Promise<void>;

/** Formats that the release before does not have, by the file that it would read them in. */
const HAS_NO_DECODER: Readonly<Partial<Record<FormatName, string>>> = {
  cursor: 'src/http/operator/setup-query.ts',
  catalogueFile: 'src/following/catalogue-file.ts',
  sessionCookie: 'src/access/console-sessions.ts',
};

const CHECKS: Readonly<Partial<Record<FormatName, Check>>> = {
  async calendar(load) {
    const { decodeCalendar } = await load<CalendarCodec>('src/domain/calendar-codec.ts');
    const read = decodeCalendar(encodeNights(CALENDAR), encodeRates(CALENDAR));
    for (const field of STORED_FORMATS.calendar.fields) {
      // It has no `unknown`; a field that it can't read makes it throw above.
      assert.ok(CALENDAR[field].length > 0, `the specimen sets ${field}`);
      assert.deepEqual(read[field], CALENDAR[field], field);
    }
    // Why a new field waits for its end: `new-calendar-field.test.ts`.
    const later = { ...CALENDAR, unknown: [{ code: LATER_FIELD_CODE, runs: CALENDAR.maxStay }] };
    assert.throws(() => decodeCalendar(encodeNights(later), encodeRates(later)), RangeError);
  },
  async layer(load) {
    const { decodeCalendar } = await load<CalendarCodec>('src/domain/calendar-codec.ts');
    const { combineLayers } = await load<Layers>('src/domain/layers.ts');
    const other = buildCalendar([{ from: FROM, to: FROM, set: { availability: 1, minStayArrival: 5 } }]);
    const layers = [CALENDAR, other].map((one, index) => ({
      source: `s${index}`,
      calendar: decodeCalendar(encodeNights(one), encodeRates(one)),
    }));
    const { availability, minStayArrival } = combineLayers(layers, 's0');
    assert.deepEqual([availability[0]?.value, minStayArrival[0]?.value], [1, 5]);
  },
  async property(load) {
    const { parseDocument, formatDocument: formatAgain } = await load<Documents>(
      'src/storage/stored-document.ts',
    );
    const read = parseDocument(formatDocument(PROPERTY, 'digest'));
    const written = Object.keys(JSON.parse(formatAgain(read)) as object);
    const { fields } = STORED_FORMATS.property;
    assert.deepEqual(written, fields);
    for (const field of fields) assert.deepEqual(read[field], PROPERTY[field], field);
  },
  async breakdown(load) {
    const { parseStoredBreakdown } = await load<Breakdowns>('src/quotes/stored-breakdown.ts');
    const { nights, taxes } = parseStoredBreakdown(formatStoredBreakdown(BREAKDOWN, 'Inn'));
    assert.deepEqual({ nights, taxes }, { nights: BREAKDOWN.nights, taxes: BREAKDOWN.taxes });
  },
  async handoff(load) {
    const keys = await load<Keys>('src/handoff/handoff-keys.ts');
    const { openHandoff } = await load<Values>('src/handoff/handoff-value.ts');
    const own = parseHandoffKeys(KEYS);
    const earlier = keys.parseHandoffKeys(KEYS);
    assert.ok(own.ok && earlier.ok);
    const open = (handoff: Handoff) => openHandoff(earlier.keyring, sealHandoff(own.keyring, handoff), 0);
    const read = await open(HANDOFF);
    assert.deepEqual(read.ok && read.handoff, HANDOFF);
    assert.equal(STORED_FORMATS.handoff.unknown, 'refused');
    assert.equal((await open({ ...HANDOFF, isTest: true })).ok, false);
  },
};

interface CalendarCodec {
  readonly decodeCalendar: (nights: Uint8Array, rates: Uint8Array) => Calendar;
}
interface Layers {
  readonly combineLayers: (layers: readonly CalendarLayer[], priceSource: string) => Calendar;
}
interface Documents {
  readonly parseDocument: (text: string) => Property;
  readonly formatDocument: (property: Property) => string;
}
interface Breakdowns {
  readonly parseStoredBreakdown: (text: string) => QuoteBreakdown;
}
interface Keys {
  readonly parseHandoffKeys: typeof parseHandoffKeys;
}
interface Values {
  readonly openHandoff: (
    keyring: Extract<ReturnType<typeof parseHandoffKeys>, { ok: true }>['keyring'],
    value: string,
    nowMs: number,
  ) => Promise<OpenedHandoff>;
}

function describeFormats(): void {
  describe(`What this release stores and hands out, read by ${EARLIER_RELEASE}`, () => {
    let earlier: EarlierRelease;
    before(() => {
      earlier = unpackEarlierRelease();
    });
    after(() => earlier.remove());

    for (const [name, { since }] of Object.entries(STORED_FORMATS) as [FormatName, { since: string }][]) {
      const check = CHECKS[name];
      const path = HAS_NO_DECODER[name];
      if (since === EARLIER_NAME)
        it(`${name}: every field`, async () => {
          assert.ok(check !== undefined, `${name} has a specimen`);
          await check(async (file) => import(join(earlier.folder, file)));
        });
      else
        it(`${name}: it has none yet`, () => {
          assert.ok(path !== undefined, `${name} names where it would be read`);
          assert.ok(!existsSync(join(earlier.folder, path)));
        });
    }

    it('the table names the fields that the codecs write', () => {
      const { fields } = STORED_FORMATS.property;
      const written = Object.keys(STORED_PROPERTY.fields ?? {});
      assert.deepEqual(
        written.filter((name) => fields.some((field) => field === name)),
        fields,
      );
      const { v, ...compact } = JSON.parse(formatStoredBreakdown(BREAKDOWN, 'Inn')) as Record<
        string,
        unknown
      >;
      assert.deepEqual(['v', ...Object.keys(compact)], STORED_FORMATS.breakdown.fields);
      assert.equal(v, STORED_FORMATS.breakdown.version);
    });
  });
}

const missing = earlierReleaseMissing();
if (missing === undefined) describeFormats();
// Not a skipped suite: that would read as if it had been tested.
else process.stderr.write(`the formats of the release before are NOT tested: ${missing}\n`);
