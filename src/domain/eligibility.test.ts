import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naiveDays, naiveIsAvailable, naiveIsEligible } from '../../test/kit/naive-model.ts';
import { familyArbitrary, worldArbitrary } from '../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { dayOf, makeInventoryType } from '../../test/kit/property-fixtures.ts';
import { buildCalendar, EMPTY_CALENDAR, type CalendarEntry } from './calendar.ts';
import {
  explainEligibility,
  isEligible,
  isNightAvailable,
  isNightOpen,
  makeOfferedNights,
  type EligibilityRefusal,
  type OfferedNights,
} from './eligibility.ts';
import { formatLocalDate, localToday } from './local-date.ts';
import { type InventoryType, typesOf } from './property.ts';

const HORIZON_NIGHTS = 730;
const OFFERED = makeOfferedNights(dayOf('2026-11-20'), HORIZON_NIGHTS);
const OPEN: CalendarEntry = { from: dayOf('2026-11-01'), to: dayOf('2029-12-31'), set: { availability: 1 } };

interface Case {
  /** Laid over a calendar that is open for years. */
  readonly set?: readonly (readonly [from: string, to: string, set: CalendarEntry['set']])[];
  readonly checkIn?: string;
  readonly checkOut?: string;
  readonly guests?: number;
  readonly guestsMax?: number;
  readonly offered?: OfferedNights;
  readonly advance?: Pick<InventoryType, 'minAdvanceDays' | 'maxAdvanceDays'>;
}

/** Refusals of 2026-12-10 to 2026-12-13 (three nights) for two guests in a double, each as `rule date value`. */
function refusalsOf({
  set = [],
  checkIn = '2026-12-10',
  checkOut = '2026-12-13',
  guests = 2,
  guestsMax = 2,
  offered = OFFERED,
  advance = {},
}: Case): string[] {
  const type = makeInventoryType({ guestsMax, ...advance });
  const calendar = buildCalendar([OPEN, ...set.map(([from, to, fields]) => entry(from, to, fields))]);
  const stay = { checkIn: dayOf(checkIn), checkOut: dayOf(checkOut), guests };
  const refusals = explainEligibility(type, calendar, stay, offered);
  assert.equal(isEligible(type, calendar, stay, offered), refusals.length === 0);
  return refusals.map(describeRefusal);
}

function describeRefusal({ rule, date, value }: EligibilityRefusal): string {
  return `${rule} ${date === null ? '-' : formatLocalDate(date)} ${value}`;
}

function entry(from: string, to: string, set: CalendarEntry['set']): CalendarEntry {
  return { from: dayOf(from), to: dayOf(to), set };
}

describe('a type is eligible for a stay', () => {
  it('when nothing speaks against it', () => {
    assert.deepEqual(refusalsOf({}), []);
  });

  it('when it hosts all guests', () => {
    assert.deepEqual(refusalsOf({ guests: 2, guestsMax: 2 }), []);
    assert.deepEqual(refusalsOf({ guests: 3, guestsMax: 2 }), ['guestsMax - 2']);
  });

  it('when its check-in is as far ahead of today as the type wants', () => {
    // Today is 2026-11-20, 20 days before.
    for (const advance of [{ minAdvanceDays: 20 }, { maxAdvanceDays: 20 }, { minAdvanceDays: 0 }])
      assert.deepEqual(refusalsOf({ advance }), []);
    assert.deepEqual(refusalsOf({ advance: { minAdvanceDays: 21, maxAdvanceDays: 19 } }), [
      'minAdvanceDays 2026-12-10 21',
      'maxAdvanceDays 2026-12-10 19',
    ]);
    const today = { checkIn: '2026-11-20', checkOut: '2026-11-21' };
    assert.deepEqual(refusalsOf({ ...today, advance: { maxAdvanceDays: 0 } }), []);
    assert.deepEqual(refusalsOf({ ...today, advance: { minAdvanceDays: 1 } }), [
      'minAdvanceDays 2026-11-20 1',
    ]);
  });

  it('when a unit is left on every occupied night', () => {
    assert.deepEqual(refusalsOf({ set: [['2026-12-11', '2026-12-11', { availability: 0 }]] }), [
      'availability 2026-12-11 0',
    ]);
    assert.deepEqual(refusalsOf({ set: [['2026-12-11', '2026-12-12', { availability: null }]] }), [
      'availability 2026-12-11 0',
      'availability 2026-12-12 0',
    ]);
  });

  it('whatever is set for the check-out night, which is not occupied', () => {
    const lastNight = {
      availability: 0,
      stopSell: 1,
      closedToArrival: 1,
      minStayThrough: 60,
      minStayArrival: 60,
      maxStay: 1,
    };
    assert.deepEqual(refusalsOf({ set: [['2026-12-13', '2026-12-13', lastNight]] }), []);
  });

  it('never, where availability was not set, whatever else is', () => {
    const stay = { checkIn: dayOf('2026-12-10'), checkOut: dayOf('2026-12-11'), guests: 1 };
    const calendar = buildCalendar([
      entry('2026-12-01', '2026-12-31', { rate: 100, stopSell: 0, maxStay: 9 }),
    ]);
    assert.ok(!isEligible(makeInventoryType(), calendar, stay, OFFERED));
    assert.ok(!isEligible(makeInventoryType(), EMPTY_CALENDAR, stay, OFFERED));
  });

  it('when the sale is not stopped on any occupied night', () => {
    assert.deepEqual(refusalsOf({ set: [['2026-12-12', '2026-12-14', { stopSell: 1 }]] }), [
      'stopSell 2026-12-12 1',
    ]);
    assert.deepEqual(refusalsOf({ set: [['2026-12-01', '2026-12-31', { stopSell: 0 }]] }), []);
  });

  it('when it is not closed to arrival on the check-in date', () => {
    assert.deepEqual(refusalsOf({ set: [['2026-12-10', '2026-12-10', { closedToArrival: 1 }]] }), [
      'closedToArrival 2026-12-10 1',
    ]);
    assert.deepEqual(refusalsOf({ set: [['2026-12-11', '2026-12-13', { closedToArrival: 1 }]] }), []);
    assert.deepEqual(refusalsOf({ set: [['2026-12-10', '2026-12-10', { closedToArrival: 0 }]] }), []);
  });

  it('when it is not closed to departure on the check-out date, even if that night is sold out or never set', () => {
    assert.deepEqual(refusalsOf({ set: [['2026-12-13', '2026-12-13', { closedToDeparture: 1 }]] }), [
      'closedToDeparture 2026-12-13 1',
    ]);
    for (const availability of [0, null]) {
      assert.deepEqual(
        refusalsOf({ set: [['2026-12-13', '2026-12-13', { closedToDeparture: 1, availability }]] }),
        ['closedToDeparture 2026-12-13 1'],
      );
    }
    assert.deepEqual(refusalsOf({ set: [['2026-12-10', '2026-12-12', { closedToDeparture: 1 }]] }), []);
  });

  it('of 1 to STAY_NIGHTS_MAX nights; to ask for another is a bug', () => {
    assert.deepEqual(refusalsOf({ checkOut: '2026-12-11' }), []);
    assert.deepEqual(refusalsOf({ checkOut: '2027-02-08' }), []);
    for (const checkOut of ['2026-12-10', '2026-12-09', '2027-02-09']) {
      assert.throws(() => refusalsOf({ checkOut }), RangeError);
    }
  });

  it('with every reason named at once, rule by rule, night by night', () => {
    const everything: [string, string, CalendarEntry['set']][] = [
      ['2026-12-10', '2026-12-13', { availability: 0, closedToArrival: 1, closedToDeparture: 1 }],
      ['2026-12-10', '2026-12-13', { minStayArrival: 4, minStayThrough: 5, maxStay: 2 }],
      ['2026-12-12', '2026-12-12', { stopSell: 1, availability: 1 }],
    ];
    assert.deepEqual(refusalsOf({ set: everything, guests: 5 }), [
      'guestsMax - 2',
      'availability 2026-12-10 0',
      'availability 2026-12-11 0',
      'stopSell 2026-12-12 1',
      'closedToArrival 2026-12-10 1',
      'closedToDeparture 2026-12-13 1',
      'minStayArrival 2026-12-10 4',
      'minStayThrough 2026-12-10 5',
      'minStayThrough 2026-12-11 5',
      'minStayThrough 2026-12-12 5',
      'maxStay 2026-12-10 2',
    ]);
  });
});

describe('the length of a stay', () => {
  // minStayArrival and maxStay bind through the check-in night, minStayThrough through every occupied night.
  const first = ['2026-12-10', '2026-12-10'] as const;
  const second = ['2026-12-11', '2026-12-11'] as const;
  const three = 'a stay of three nights';
  const table: readonly [
    what: string,
    nights: readonly [string, string],
    set: CalendarEntry['set'],
    refusal?: string,
  ][] = [
    ['minStayArrival 3 on the first night lets in', first, { minStayArrival: 3 }],
    [
      'minStayArrival 4 on the first night refuses',
      first,
      { minStayArrival: 4 },
      'minStayArrival 2026-12-10 4',
    ],
    ['minStayArrival 4 on the second night lets in', second, { minStayArrival: 4 }],
    ['minStayThrough 3 on the first night lets in', first, { minStayThrough: 3 }],
    [
      'minStayThrough 4 on the first night refuses',
      first,
      { minStayThrough: 4 },
      'minStayThrough 2026-12-10 4',
    ],
    [
      'minStayThrough 4 on the second night refuses',
      second,
      { minStayThrough: 4 },
      'minStayThrough 2026-12-11 4',
    ],
    ['maxStay 3 on the first night lets in', first, { maxStay: 3 }],
    ['maxStay 2 on the first night refuses', first, { maxStay: 2 }, 'maxStay 2026-12-10 2'],
    ['maxStay 2 on the second night lets in', second, { maxStay: 2 }],
    ['all three at exactly 3 let in', first, { minStayArrival: 3, minStayThrough: 3, maxStay: 3 }],
    ['minStayArrival 2 with maxStay 4 lets in', first, { minStayArrival: 2, maxStay: 4 }],
    [
      'minStayThrough 4 refuses despite minStayArrival 1',
      first,
      { minStayArrival: 1, minStayThrough: 4 },
      'minStayThrough 2026-12-10 4',
    ],
    [
      'minStayArrival 4 refuses despite minStayThrough 1',
      first,
      { minStayArrival: 4, minStayThrough: 1 },
      'minStayArrival 2026-12-10 4',
    ],
    ['all three cleared let in', first, { minStayArrival: null, minStayThrough: null, maxStay: null }],
  ];
  for (const [what, [from, to], set, refusal] of table) {
    it(`${what} ${three}`, () => {
      assert.deepEqual(refusalsOf({ set: [[from, to, set]] }), refusal === undefined ? [] : [refusal]);
    });
  }

  it('can be refused by minStayArrival and maxStay together, for every length', () => {
    const contradiction: Case['set'] = [['2026-12-10', '2026-12-10', { minStayArrival: 3, maxStay: 2 }]];
    assert.deepEqual(refusalsOf({ set: contradiction, checkOut: '2026-12-12' }), [
      'minStayArrival 2026-12-10 3',
    ]);
    assert.deepEqual(refusalsOf({ set: contradiction, checkOut: '2026-12-13' }), ['maxStay 2026-12-10 2']);
  });
});

describe('a truth table of arrival, departure, sale and length', () => {
  // Every combination of six conditions on one two-night stay: eligible only when none of them holds.
  const conditions: readonly [what: string, from: string, set: CalendarEntry['set']][] = [
    ['closedToArrival on check-in', '2026-12-10', { closedToArrival: 1 }],
    ['closedToDeparture on check-out', '2026-12-12', { closedToDeparture: 1 }],
    ['stopSell on the second night', '2026-12-11', { stopSell: 1 }],
    ['minStayArrival 3 on check-in', '2026-12-10', { minStayArrival: 3 }],
    ['minStayThrough 3 on the second night', '2026-12-11', { minStayThrough: 3 }],
    ['maxStay 1 on check-in', '2026-12-10', { maxStay: 1 }],
  ];
  it('counts one refusal per condition that holds', () => {
    for (let combination = 0; combination < 2 ** conditions.length; combination++) {
      const held = conditions.filter((_, index) => (combination >> index) % 2 === 1);
      const set = held.map(([, from, fields]) => [from, from, fields] as const);
      const refusals = refusalsOf({ set, checkOut: '2026-12-12' });
      assert.equal(refusals.length, held.length, held.map(([what]) => what).join(', '));
    }
  });
});

describe('the nights that are offered', () => {
  it('begin today, where the property stands', () => {
    assert.deepEqual(refusalsOf({ checkIn: '2026-11-20', checkOut: '2026-11-21' }), []);
    assert.deepEqual(refusalsOf({ checkIn: '2026-11-19', checkOut: '2026-11-21' }), [
      'today 2026-11-19 20777',
    ]);
  });

  it('end with the horizon, whose last night may be followed by a check-out', () => {
    const last = formatLocalDate(OFFERED.end - 1);
    const after = formatLocalDate(OFFERED.end);
    const later = formatLocalDate(OFFERED.end + 1);
    assert.equal(after, '2028-11-19');
    assert.deepEqual(refusalsOf({ checkIn: last, checkOut: after }), []);
    assert.deepEqual(refusalsOf({ checkIn: last, checkOut: later }), [`horizon ${after} ${OFFERED.end - 1}`]);
    assert.deepEqual(
      refusalsOf({ set: [[after, after, { closedToDeparture: 1 }]], checkIn: last, checkOut: after }),
      [`closedToDeparture ${after} 1`],
    );
  });

  it('begin on another date on either side of the date line', () => {
    const now = Date.parse('2026-11-20T11:00:00Z');
    const todayIn = (timezone: string) => ({
      offered: makeOfferedNights(localToday(timezone, now), HORIZON_NIGHTS),
    });
    const nineteenth = { checkIn: '2026-11-19', checkOut: '2026-11-20' };
    const twentieth = { checkIn: '2026-11-20', checkOut: '2026-11-21' };
    assert.deepEqual(refusalsOf({ ...nineteenth, ...todayIn('Etc/GMT+12') }), []);
    assert.equal(refusalsOf({ ...nineteenth, ...todayIn('Europe/Rome') }).length, 1);
    assert.deepEqual(refusalsOf({ ...twentieth, ...todayIn('Europe/Rome') }), []);
    assert.equal(refusalsOf({ ...twentieth, ...todayIn('Pacific/Kiritimati') }).length, 1);
  });

  it('are not changed in number by daylight saving', () => {
    for (const [checkIn, checkOut] of [
      ['2027-03-27', '2027-03-29'],
      ['2027-10-30', '2027-11-01'],
    ] as const) {
      const exactlyTwo: Case['set'] = [[checkIn, checkIn, { minStayArrival: 2, maxStay: 2 }]];
      assert.deepEqual(refusalsOf({ set: exactlyTwo, checkIn, checkOut }), []);
    }
  });
});

describe('isNightAvailable', () => {
  const types = [
    makeInventoryType({ guestsMax: 2 }),
    makeInventoryType({ inventoryTypeId: 'suite', guestsMax: 4 }),
  ];
  const night = dayOf('2026-12-10');

  it('is true when some type for that many guests is open, and never adds types up', () => {
    const calendars = [buildCalendar([OPEN]), EMPTY_CALENDAR];
    assert.ok(isNightAvailable(types, calendars, { night, guests: 2 }, OFFERED));
    assert.ok(!isNightAvailable(types, calendars, { night, guests: 3 }, OFFERED));
    assert.ok(
      !isNightAvailable(types, [buildCalendar([OPEN]), buildCalendar([OPEN])], { night, guests: 6 }, OFFERED),
    );
  });

  it('ignores restrictions on arrival, departure and length', () => {
    const set = {
      closedToArrival: 1,
      closedToDeparture: 1,
      minStayArrival: 9,
      minStayThrough: 9,
      maxStay: 1,
    };
    assert.ok(isNightOpen(buildCalendar([OPEN, { ...OPEN, set }]), night, OFFERED));
  });

  it('is false before today and beyond the horizon', () => {
    const calendars = [buildCalendar([OPEN])];
    const isAvailable = (night: number) =>
      isNightAvailable(types.slice(0, 1), calendars, { night, guests: 1 }, OFFERED);
    const edges = [OFFERED.first - 1, OFFERED.first, OFFERED.end - 1, OFFERED.end];
    assert.deepEqual(edges.map(isAvailable), [false, true, true, false]);
  });
});

describe('against the naive model', () => {
  it('isEligible, an empty explanation and the naive walk agree, and so do the days', () => {
    const seen = { eligible: 0, refused: 0 };
    fc.assert(
      fc.property(worldArbitrary, familyArbitrary, (world, stay) => {
        const inventoryTypes = typesOf(world.property);
        const { guests, childAges } = stay;
        const calendars = world.entries.map(buildCalendar);
        const offered = makeOfferedNights(world.today, world.horizonNights);
        for (const [index, type] of inventoryTypes.entries()) {
          const expected = naiveIsEligible(world, index, stay);
          seen[expected ? 'eligible' : 'refused']++;
          assert.equal(isEligible(type, calendars[index]!, stay, offered), expected);
          assert.equal(explainEligibility(type, calendars[index]!, stay, offered).length === 0, expected);
        }
        const days = Array.from({ length: stay.checkOut - stay.checkIn }, (_, index) =>
          isNightAvailable(
            inventoryTypes,
            calendars,
            { night: stay.checkIn + index, guests, childAges },
            offered,
          ),
        );
        assert.deepEqual(days, naiveDays(world, stay));
        if (naiveIsAvailable(world, stay)) assert.ok(days.every(Boolean));
      }),
      { ...RUN_SEED, numRuns: 3000 },
    );
    assert.ok(seen.eligible > 500 && seen.refused > 500, JSON.stringify(seen));
  });
});
