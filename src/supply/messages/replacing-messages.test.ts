/** `?replace=true` against the naive model: any messages of two sources, on a real database. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { hasPrice, NaiveSupply } from '../../../test/kit/naive-supply.ts';
import { RUN_SEED } from '../../../test/kit/seeds.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import {
  effectiveCalendar,
  FIRST_NIGHT,
  HORIZON_NIGHTS,
  suppliedWrite,
} from '../../../test/suites/storage/supply-samples.ts';
import type { CalendarEntry } from '../../domain/calendar.ts';
import { CALENDAR_FIELDS } from '../../domain/calendar-fields.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { valueAt } from '../../domain/night-runs.ts';
import { WEEKDAYS, weekdayRanges } from '../../domain/weekdays.ts';
import { createMessageIds } from '../../storage/supply/message-id.ts';
import { openMessageParser } from './message-parser.ts';
import { receiveCalendars } from './receive-message.ts';

const NIGHTS = 14;
const PROPERTY_ID = 'ponte';
const TYPE = { propertyId: PROPERTY_ID, inventoryTypeId: 'double' };

/** An entry as it is sent, and what it sets. */
const anyEntry = fc
  .record({
    from: fc.nat(NIGHTS - 1),
    extra: fc.nat(6),
    weekdays: fc.option(fc.subarray([...WEEKDAYS], { minLength: 1 }), { nil: undefined, freq: 2 }),
    availability: fc.option(fc.nat(3), { nil: undefined }),
    stopSell: fc.option(fc.constantFrom(true, null), { nil: undefined }),
    minStayArrival: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    rate: fc.option(fc.constantFrom('90.00', '120.00'), { nil: undefined, freq: 1 }),
  })
  .map(({ from, extra, weekdays, ...set }) => ({
    from: FIRST_NIGHT + from,
    to: FIRST_NIGHT + from + extra,
    weekdays,
    set,
  }));
type SentEntry = typeof anyEntry extends fc.Arbitrary<infer Entry> ? Entry : never;
const anyMessage = fc.record({
  source: fc.constantFrom('pms', 'channel'),
  replaces: fc.boolean(),
  entries: fc.array(anyEntry, { minLength: 1, maxLength: 4 }),
});

function formatBody(entries: readonly SentEntry[]): Buffer {
  const sent = entries.map(({ from, to, weekdays, set }) => {
    return { ...TYPE, dateFrom: formatLocalDate(from), dateTo: formatLocalDate(to), weekdays, ...set };
  });
  return Buffer.from(JSON.stringify({ entries: sent }));
}

function toEntries({ from, to, weekdays, set }: SentEntry): CalendarEntry[] {
  const { stopSell, rate, availability, minStayArrival } = set;
  const fields = {
    ...(availability === undefined ? {} : { availability }),
    ...(minStayArrival === undefined ? {} : { minStayArrival }),
    ...(stopSell === undefined ? {} : { stopSell: stopSell === null ? null : 1 }),
    ...(rate === undefined ? {} : { rate: rate === '90.00' ? 9_000 : 12_000 }),
  };
  const ranges = weekdays === undefined ? [{ from, to }] : weekdayRanges(from, to, weekdays);
  return [...ranges].map((range) => ({ ...range, set: fields }));
}

describe('Messages that are all that their source says of a range', () => {
  let temporary: TemporaryStorage;
  const parser = openMessageParser();
  before(async () => {
    temporary = await openTemporaryStorage();
  });
  after(async () => {
    await parser.close();
    await temporary.close();
  });

  it('end in the calendar of the naive model, whatever was said before', () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyMessage, { minLength: 3, maxLength: 12 }), async (messages) => {
        const { storage } = temporary;
        await storage.withdrawProperties([PROPERTY_ID]);
        for (const source of ['pms', 'channel']) {
          const work = { kind: 'retirement', propertyIds: [PROPERTY_ID], isLast: true } as const;
          const message = {
            source,
            kind: 'retirement',
            receivedAtMs: 1,
            idempotency: null,
            note: '{}',
            work,
          };
          await storage.applySupply({ messageId: newMessageId(1), ...message });
        }
        await storage.writeProperties([suppliedWrite(PROPERTY_ID, [[]])]);
        const model = new NaiveSupply();
        model.write({
          propertyId: PROPERTY_ID,
          source: 'pms',
          types: [{ inventoryTypeId: 'double', entries: [] }],
        });
        const own = { horizonNights: HORIZON_NIGHTS, bookingOrigins: [] };
        const deps = { storage, parser, clock: () => 1, newMessageId, ...own };
        for (const { source, replaces, entries } of messages) {
          const result = await receiveCalendars(deps, {
            source,
            replaces,
            isPartial: false,
            idempotencyKey: null,
            target: '',
            body: formatBody(entries),
          });
          const said = entries.flatMap(toEntries);
          const isRefused = source !== 'pms' && said.some(hasPrice);
          assert.equal(result.kind, isRefused ? 'source-mismatch' : 'done');
          if (isRefused) continue;
          const clears = {
            from: Math.min(...entries.map(({ from }) => from)),
            to: Math.max(...entries.map(({ to }) => to)),
          };
          model.change(source, [
            { ...TYPE, replaces: false, clears: replaces ? clears : undefined, entries: said },
          ]);
        }
        const calendar = await effectiveCalendar(storage, PROPERTY_ID);
        for (let night = FIRST_NIGHT; night < FIRST_NIGHT + NIGHTS + 7; night += 1) {
          for (const field of CALENDAR_FIELDS) {
            const expected = model.valueOf(PROPERTY_ID, 'double', night, field);
            assert.equal(
              valueAt(calendar[field], night),
              expected,
              `${field} of night ${night - FIRST_NIGHT}`,
            );
          }
        }
      }),
      { ...RUN_SEED, numRuns: 60 },
    ));
});

const newMessageId = createMessageIds(() => 'x'.repeat(10));
