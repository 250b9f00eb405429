/**
 * Dates are those of the property (SPEC 1.3): where its today begins and ends, that a change of the clocks adds or
 * takes no night, and that the horizon moves with the day.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../kit/command-line.ts';
import { hotelWith, inCity, nights } from '../../kit/catalogue-lines.ts';
import { NOW_MS, type Running, startInstallation } from '../../kit/installation.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';

/** Zone, its date at 10:30 UTC on 20 November 2026, and the instant at which its next date begins. */
const ZONES: readonly (readonly [timezone: string, today: string, nextDayAt: string])[] = [
  ['Pacific/Kiritimati', '2026-11-21', '2026-11-21T10:00:00Z'],
  ['Pacific/Chatham', '2026-11-21', '2026-11-21T10:15:00Z'],
  ['Pacific/Auckland', '2026-11-20', '2026-11-20T11:00:00Z'],
  ['Asia/Kathmandu', '2026-11-20', '2026-11-20T18:15:00Z'],
  ['Europe/Rome', '2026-11-20', '2026-11-20T23:00:00Z'],
  ['UTC', '2026-11-20', '2026-11-21T00:00:00Z'],
  ['America/St_Johns', '2026-11-20', '2026-11-21T03:30:00Z'],
  ['Pacific/Marquesas', '2026-11-20', '2026-11-21T09:30:00Z'],
  ['Pacific/Niue', '2026-11-19', '2026-11-20T11:00:00Z'],
  ['Etc/GMT+12', '2026-11-19', '2026-11-20T12:00:00Z'],
];
const HORIZON_NIGHTS = 10;
/** Zone, and the first of two nights between which its clocks change. */
const CLOCK_CHANGES: readonly (readonly [timezone: string, checkIn: string, checkOut: string])[] = [
  ['Europe/Rome', '2027-03-27', '2027-03-29'],
  ['Europe/Rome', '2027-10-30', '2027-11-01'],
  ['America/New_York', '2027-03-13', '2027-03-15'],
  ['America/New_York', '2027-11-06', '2027-11-08'],
  ['Asia/Beirut', '2027-03-27', '2027-03-29'],
  ['America/Santiago', '2027-09-04', '2027-09-06'],
  ['Australia/Lord_Howe', '2027-04-03', '2027-04-05'],
];

const idOf = (timezone: string) => timezone.replaceAll(/[/+]/g, '.');
const DAY_MS = 86_400_000;
const addDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

let running: Running;
/** On the same database, but with a horizon of ten nights. */
let shortSighted: PartnerClient;
before(async () => {
  const timezones = new Set([...ZONES, ...CLOCK_CHANGES].map(([timezone]) => timezone));
  const open = nights('2026-11-01', '2028-12-31', { availability: 1, rate: '100.00' });
  const cheap = nights('2026-12-31', '2026-12-31', { rate: '50.00' });
  running = await startInstallation(
    [...timezones].map((timezone) =>
      hotelWith(idOf(timezone), [open, cheap], { timezone, ...inCity('Anywhere') }),
    ),
  );
  const { token } = await running.installation.issue();
  const { partnerUrl } = await running.installation.serve({ HORIZON_NIGHTS: `${HORIZON_NIGHTS}` });
  shortSighted = new PartnerClient(partnerUrl, token);
});
after(() => running.installation.close());

/** Whether a stay of one night can be had, asked in three ways that must agree. */
async function isNightOffered(partner: PartnerClient, propertyId: string, night: string): Promise<boolean> {
  const stay = { checkIn: night, checkOut: addDays(night, 1) };
  const list = await partner.search({ city: 'Anywhere', pageSize: 50, ...stay });
  const { available, days } = (await partner.availability(propertyId, stay)).success;
  const quote = await partner.quote(quoteBody(propertyId, stay.checkIn, stay.checkOut));
  assert.equal(days[0]?.available, available);
  assert.equal(
    list.success.items.some((item) => item.propertyId === propertyId),
    available,
  );
  assert.equal(quote.outcome, available ? '201' : '409 STAY_UNAVAILABLE');
  return available;
}

describe('today', () => {
  for (const [timezone, today, nextDayAt] of ZONES) {
    it(`is ${today} in ${timezone}, until ${nextDayAt}`, async () => {
      const propertyId = idOf(timezone);
      const { time } = running.installation;
      const nextDayMs = Date.parse(nextDayAt);
      try {
        for (const [instantMs, expected] of [
          [NOW_MS, today],
          [nextDayMs - 1, today],
          [nextDayMs, addDays(today, 1)],
        ] as const) {
          time.nowMs = instantMs;
          assert.equal(await isNightOffered(running.partner, propertyId, addDays(expected, -1)), false);
          assert.equal(await isNightOffered(running.partner, propertyId, expected), true);
        }
      } finally {
        time.nowMs = NOW_MS;
      }
    });
  }

  it('is shown as the timezone of the stay', async () => {
    const stay = { checkIn: '2026-12-01', checkOut: '2026-12-02' };
    const answer = await running.partner.availability(idOf('Pacific/Kiritimati'), stay);
    assert.equal(answer.success.stay.timezone, 'Pacific/Kiritimati');
  });
});

describe('the horizon', () => {
  for (const [timezone, today] of ZONES) {
    it(`is ${HORIZON_NIGHTS} nights from today on, in ${timezone} too`, async () => {
      const lastNight = addDays(today, HORIZON_NIGHTS - 1);
      assert.equal(await isNightOffered(shortSighted, idOf(timezone), lastNight), true);
      assert.equal(await isNightOffered(shortSighted, idOf(timezone), addDays(lastNight, 1)), false);
    });
  }

  it('bounds the starting price', async () => {
    const propertyId = idOf('Europe/Rome');
    assert.equal((await running.partner.property(propertyId)).success.startingPrice, '50.00');
    assert.equal((await shortSighted.property(propertyId)).success.startingPrice, '100.00');
  });

  it('moves with the day', async () => {
    const { time } = running.installation;
    try {
      time.nowMs = NOW_MS + DAY_MS;
      const lastNight = addDays('2026-11-21', HORIZON_NIGHTS - 1);
      assert.equal(await isNightOffered(shortSighted, idOf('Europe/Rome'), lastNight), true);
      assert.equal(await isNightOffered(shortSighted, idOf('Europe/Rome'), addDays(lastNight, 1)), false);
    } finally {
      time.nowMs = NOW_MS;
    }
  });
});

describe('a service that runs for weeks', () => {
  it('goes on offering the nights that come within the horizon, without a restart', async () => {
    const { time } = running.installation;
    try {
      for (const weeks of [1, 3, 9]) {
        time.nowMs = NOW_MS + weeks * 7 * DAY_MS;
        const lastNight = addDays('2026-11-20', weeks * 7 + HORIZON_NIGHTS - 1);
        const stay = { checkIn: lastNight, checkOut: addDays(lastNight, 1) };
        await until(async () => {
          const { success } = await shortSighted.search({ city: 'Anywhere', pageSize: 50, ...stay });
          return success.items.some(({ propertyId }) => propertyId === idOf('Europe/Rome'));
        });
        assert.equal(await isNightOffered(shortSighted, idOf('Europe/Rome'), addDays(lastNight, 1)), false);
      }
    } finally {
      time.nowMs = NOW_MS;
    }
    // Nights that had passed are unknown until they were read again.
    const stay = { checkIn: '2026-11-20', checkOut: '2026-11-21' };
    await until(async () => {
      const { success } = await shortSighted.availability(idOf('Europe/Rome'), stay);
      return success.available;
    });
    assert.equal(await isNightOffered(shortSighted, idOf('Europe/Rome'), '2026-11-20'), true);
  });
});

describe('a change of the clocks', () => {
  for (const [timezone, checkIn, checkOut] of CLOCK_CHANGES) {
    it(`between ${checkIn} and ${checkOut} in ${timezone} leaves two nights two nights`, async () => {
      const propertyId = idOf(timezone);
      const { success } = await running.partner.availability(propertyId, { checkIn, checkOut });
      assert.equal(success.stay.nights, 2);
      assert.deepEqual(success.days, [
        { date: checkIn, available: true },
        { date: addDays(checkIn, 1), available: true },
      ]);
      const quote = await running.partner.quote(quoteBody(propertyId, checkIn, checkOut));
      assert.equal(quote.success.pricing.accommodation, '200.00');
      assert.equal(quote.success.stay.nights, 2);
    });
  }
});
