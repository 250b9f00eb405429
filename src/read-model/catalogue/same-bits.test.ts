/** New versions of a property with equal bits, and some that only look so. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  followed,
  HORIZON_NIGHTS,
  makeProperty,
  NOW_MS,
  type Sample,
  TODAY,
} from '../../../test/kit/catalogue-samples.ts';
import { buildCalendar } from '../../domain/calendar.ts';
import type { Property } from '../../domain/property.ts';
import { parseByteText } from './bodies/byte-text.ts';
import { Catalogue } from './catalogue.ts';
import { digestBits } from './index/property-bits.ts';

const DAY_MS = 86_400_000;
const PROPERTY = makeProperty('h1', { timezone: 'Europe/Rome' }, [2]);

function sampleAt(rate: number, about: Partial<Property> = {}, availability = 1): Sample {
  const nights = { from: TODAY - 5, to: TODAY + HORIZON_NIGHTS + 60 };
  return {
    property: { ...PROPERTY, ...about },
    calendars: [buildCalendar([{ ...nights, set: { availability, rate } }])],
  };
}

function digestOf(sample: Sample): string {
  return digestBits(followed(sample, 1)).join();
}

function isAvailable(catalogue: Catalogue, checkIn: number): boolean {
  const stay = { checkIn, checkOut: checkIn + 1, guests: 2 };
  const body = parseByteText(catalogue.findAvailability({ propertyId: 'h1', partnerId: 'p1', ...stay })!);
  return (body as { readonly available: boolean }).available;
}

describe('A new version whose bits are the same', () => {
  it('has the digest of the one before, whatever it costs', () => {
    assert.equal(digestOf(sampleAt(9000)), digestOf(sampleAt(12_000)));
  });

  it('shows its price and its revision', () => {
    const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
    const priceAfter = (rate: number, revision: number): unknown => {
      catalogue.apply(followed(sampleAt(rate), revision));
      return parseByteText(catalogue.findSummary('h1', 'it-IT', 'p1')!);
    };
    const [before, after] = [priceAfter(9000, 1), priceAfter(12_000, 2)];
    assert.notDeepEqual(before, after);
    assert.equal(catalogue.revisionOf('h1'), 2);
    assert.ok(isAvailable(catalogue, TODAY + 1));
  });

  it('has another digest where any of its bits may differ', () => {
    const [type] = PROPERTY.inventoryTypes;
    const others = [
      digestOf(sampleAt(9000, {}, 0)),
      digestOf(sampleAt(9000, { cityAliases: ['Venedig'] })),
      digestOf(sampleAt(9000, { timezone: 'Europe/Paris' })),
      digestOf(sampleAt(9000, { visibleTo: ['p1'] })),
      digestOf(sampleAt(9000, { visibleTo: ['p2'] })),
      digestOf(sampleAt(9000, { inventoryTypes: [{ ...type!, guestsMax: 3 }] })),
      digestOf(sampleAt(9000, { inventoryTypes: [{ ...type!, minAdvanceDays: 3 }] })),
      digestOf(sampleAt(9000, { inventoryTypes: [{ ...type!, maxAdvanceDays: 3 }] })),
    ];
    assert.equal(new Set([...others, digestOf(sampleAt(9000))]).size, others.length + 1);
  });

  it('is written again when the days moved on, and when they moved back', () => {
    let nowMs = NOW_MS;
    const catalogue = new Catalogue({ clock: () => nowMs, horizonNights: HORIZON_NIGHTS });
    const neighbour = { ...PROPERTY, propertyId: 'h2' };
    catalogue.apply(followed(sampleAt(9000), 1));
    catalogue.apply(followed(sampleAt(9000, neighbour), 1));
    // The block moves on with the neighbour, and back with it, before the property itself is applied again.
    for (const days of [20, 0]) {
      nowMs = NOW_MS + days * DAY_MS;
      catalogue.moveOn();
      catalogue.apply(followed(sampleAt(9000, neighbour), 1));
    }
    catalogue.apply(followed(sampleAt(9000), 1));
    for (const night of [0, 5, 19, HORIZON_NIGHTS - 2]) assert.ok(isAvailable(catalogue, TODAY + night));
    nowMs = NOW_MS + 20 * DAY_MS;
    catalogue.moveOn();
    catalogue.apply(followed(sampleAt(9000), 1));
    for (const night of [20, 40, HORIZON_NIGHTS + 17]) assert.ok(isAvailable(catalogue, TODAY + night));
  });
});
