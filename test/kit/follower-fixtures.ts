/** Small properties for tests of the follower, and what the read model answers about them. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { parseByteText } from '../../src/read-model/catalogue/bodies/byte-text.ts';
import type { Catalogue } from '../../src/read-model/catalogue/catalogue.ts';
import { encodeNights, encodeRates } from '../../src/domain/calendar-codec.ts';
import { buildCalendar, type Calendar } from '../../src/domain/calendar.ts';
import { buildLowestRates } from '../../src/domain/lowest-rates.ts';
import type { PropertyWrite } from '../../src/domain/ledger/stored-write.ts';
import { HORIZON_NIGHTS, makeProperty, TODAY } from './catalogue-samples.ts';

/** On a machine that is busy with other things. */
const VISIBLE_WITHIN_MS = 3_000;

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function write(propertyId: string, rate: number, calendar?: Calendar): PropertyWrite {
  const held = calendar ?? buildCalendar([{ from: TODAY, to: TODAY + 500, set: { availability: 1, rate } }]);
  return {
    property: makeProperty(propertyId, {}, [2]),
    source: 'test',
    lowestRates: buildLowestRates([held], HORIZON_NIGHTS),
    calendars: [{ inventoryTypeId: 't0', nights: encodeNights(held), rates: encodeRates(held) }],
  };
}

export function startingPrice(catalogue: Catalogue, propertyId: string): string | null {
  const body = catalogue.findSummary(propertyId, 'it-IT', 'p1');
  assert.ok(body !== undefined);
  return (parseByteText(body) as { startingPrice: string | null }).startingPrice;
}

export function isOpenOn(catalogue: Catalogue, propertyId: string, night: number): boolean {
  const query = { propertyId, checkIn: night, checkOut: night + 1, guests: 1, partnerId: 'p1' };
  const body = catalogue.findAvailability(query);
  return body !== undefined && (JSON.parse(body) as { available: boolean }).available;
}

export async function eventually(isTrue: () => boolean): Promise<void> {
  const endMs = performance.now() + VISIBLE_WITHIN_MS;
  while (!isTrue()) {
    assert.ok(performance.now() < endMs, `not true within ${VISIBLE_WITHIN_MS} ms`);
    await delay(5);
  }
}
