/**
 * Every restriction at its edges: its first and last nights, and stays one night shorter and longer than its limit.
 * Random calendars seldom meet them.
 */
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
import { buildCalendar, type CalendarEntry } from '../../domain/calendar.ts';
import { isStayLength, RESTRICTION_FIELDS } from '../../domain/calendar-fields.ts';
import { isEligible, makeOfferedNights } from '../../domain/eligibility.ts';
import { Catalogue } from './catalogue.ts';

const OFFERED = makeOfferedNights(TODAY, HORIZON_NIGHTS);
/** First night of most restrictions. */
const FROM = TODAY + 10;
const LENGTHS = [1, 2, 3, 4, 6, 7, 8, 9, 12, 30];

const RESTRICTIONS: readonly CalendarEntry['set'][] = RESTRICTION_FIELDS.flatMap((field) => {
  if (isStayLength(field)) return LENGTHS.map((nights) => ({ [field]: nights }));
  return [{ [field]: field === 'availability' ? 0 : 1 }];
});

/** Runs of one and three nights from FROM on, and up to the last offered nights. */
const RUNS = [
  { from: FROM, to: FROM },
  { from: FROM, to: FROM + 2 },
  { from: TODAY - 3, to: TODAY },
  { from: TODAY + HORIZON_NIGHTS - 1, to: TODAY + HORIZON_NIGHTS + 60 },
  { from: TODAY + HORIZON_NIGHTS, to: TODAY + HORIZON_NIGHTS },
];

function makeSamples(): Sample[] {
  const open = { from: TODAY - 5, to: TODAY + HORIZON_NIGHTS + 20, set: { availability: 1, rate: 9000 } };
  return RUNS.flatMap((run) =>
    RESTRICTIONS.map((set, index) => ({
      property: makeProperty(`h${run.from}-${run.to}-${index}`, { timezone: 'Europe/Rome' }, [2]),
      calendars: [buildCalendar([open, { ...run, set }])],
    })),
  );
}

function* staysToTry(): Generator<{ readonly checkIn: number; readonly checkOut: number }> {
  for (let checkIn = TODAY; checkIn < TODAY + HORIZON_NIGHTS; checkIn++) {
    for (const nights of [...LENGTHS, 5, 13]) yield { checkIn, checkOut: checkIn + nights };
  }
}

describe('Each restriction at its edges', () => {
  const samples = makeSamples();
  const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
  for (const sample of samples) catalogue.apply(followed(sample, 1));

  it('refuses the stays that the evaluator refuses, and no others', () => {
    const about = { city: 'Venezia', country: undefined, partnerId: 'p1', guests: 2 } as const;
    for (const stay of staysToTry()) {
      const expected = samples.filter(({ property, calendars }) =>
        isEligible(property.inventoryTypes[0]!, calendars[0]!, { ...stay, guests: 2 }, OFFERED),
      );
      const found: string[] = [];
      for (let page = 1, hasMore = true; hasMore; page++) {
        const bytes = catalogue.list({ ...about, stay, page, pageSize: 50, locale: 'it-IT' });
        const list = JSON.parse(Buffer.from(bytes).toString()) as {
          readonly items: readonly { readonly propertyId: string }[];
          readonly pagination: { readonly hasMore: boolean };
        };
        found.push(...list.items.map(({ propertyId }) => propertyId));
        ({ hasMore } = list.pagination);
      }
      assert.deepEqual(found, expected.map(({ property }) => property.propertyId).sort());
    }
  });
});
