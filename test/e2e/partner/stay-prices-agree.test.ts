/**
 * Random catalogues through the whole stack, asked for prices in each way that there is, with the ages of children and
 * without: lists, by ids, any dates, days, calendars, offers and quotes agree to the cent with a model that reads the text
 * of the documents, on both databases, with one worker and with several, and while the catalogue changes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import type {
  FlexibleStayList,
  PriceCalendar,
  PriceDays,
  StayPriceList,
  StayPrices,
} from '../../../src/contract/partner/price-schemas.ts';
import type { StayOffer } from '../../../src/contract/partner/offer-schemas.ts';
import type { PartnerQuote } from '../../../src/contract/partner/quote-schemas.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { formatLocalDate } from '../../../src/domain/local-date.ts';
import { formatMoney } from '../../../src/domain/money.ts';
import { formatPropertyDocument } from '../../../src/supply/native/format-property-document.ts';
import { canSharePorts } from '../../../src/app/workers/claimed-ports.ts';
import type { Line } from '../../kit/catalogue-lines.ts';
import { startServer, until, Workplace } from '../../kit/command-line.ts';
import { type Asked, exchange } from '../../kit/http-exchange.ts';
import { type Installation, openInstallation } from '../../kit/installation.ts';
import {
  naiveInstead,
  naiveIsAvailable,
  naiveQuote,
  naiveReasons,
  type NaiveStay,
  readNaiveWorld,
} from '../../kit/naive-model.ts';
import { quoteBody } from '../../kit/partner-client.ts';
import { naiveDays, naiveFlexible, type NaiveCity } from '../../kit/priced-city.ts';
import { familyArbitrary, FIRST_DAY, FIXED_SEED, worldArbitrary } from '../../kit/property-arbitraries.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const DAY_MS = 86_400_000;
const CITY = 'Venezia';
const PROPERTY_COUNT = 40;
const CHANGE_COUNT = 10;
const HORIZON_NIGHTS = 45;
const PAGE_SIZE = 7;
const STAY_COUNT = 14;
/** Quotes are stored: of so many stays, one for each property. */
const QUOTED_STAY_COUNT = 2;
/** Stays of a window, and dates of the city's days. */
const WINDOW = { dates: 4, lengths: 2 };
const DAYS = 6;
const ASKED_AT_ONCE = 6;
const PAUSE_MS = 20;
const MIDNIGHT_MARGIN_MS = 30_000;
const ZONES = ['UTC', 'Europe/Rome', 'Pacific/Kiritimati'];
const CURRENCIES = ['EUR', 'EUR', 'CHF'];
const WORKERS = (await canSharePorts()) ? ['1', '4'] : ['1'];
const SORTS = ['default', 'total'] as const;
type Sort = (typeof SORTS)[number];

/** Documents as text, by id. */
type Documents = ReadonlyMap<string, string>;

/** Random calendars live on days of their own: those of the text are moved to the days after today. */
const SHIFT_DAYS = Math.floor(Date.now() / DAY_MS) + 2 - FIRST_DAY;

/** Every fifth property is another partner's; its id is a text that stands nowhere else. */
const isHidden = (index: number): boolean => index % 5 === 4;
const idOf = (index: number): string => `${isHidden(index) ? 'unseen' : 'seen'}-${(index * 37) % 101}`;

/** The line of a catalogue file for a random world, which takes the place `index`. */
function makeLine(drawn: Parameters<typeof formatPropertyDocument>, index: number): string {
  const [property, entries] = drawn;
  const line = formatPropertyDocument(
    {
      ...property,
      propertyId: idOf(index),
      name: `Name of ${idOf(index)}`,
      timezone: ZONES[index % ZONES.length]!,
      currency: CURRENCIES[index % CURRENCIES.length]!,
      visibleTo: isHidden(index) ? ['somebody-else'] : 'all',
      location: { city: CITY, country: 'IT', area: null },
      cityAliases: [],
    },
    entries,
  );
  return JSON.stringify(line).replaceAll(/\d{4}-\d\d-\d\d/g, (date) =>
    formatLocalDate(Date.parse(date) / DAY_MS + SHIFT_DAYS),
  );
}

const LINES: readonly string[] = fc
  .sample(worldArbitrary, { ...FIXED_SEED, numRuns: PROPERTY_COUNT + CHANGE_COUNT })
  .map(({ property, entries }, index) =>
    makeLine(
      [property, entries],
      index < PROPERTY_COUNT ? index : ((index - PROPERTY_COUNT) * 3) % PROPERTY_COUNT,
    ),
  );
const parseLine = (line: string): Line => JSON.parse(line) as Line;
const idOfLine = (line: string): string => String(parseLine(line)['propertyId']);

/** The document with the ages and taxes of another one: nothing else changes. */
function withAgesOf(line: string, other: string): string {
  const { ageBands, taxes } = parseLine(other);
  const types = (parseLine(line)['inventoryTypes'] as Line[]).map(({ ageBands: _own, ...type }) => type);
  return JSON.stringify({ ...parseLine(line), ageBands, taxes, inventoryTypes: types });
}

/** What changes, one property at a time: the whole document, or who counts as what in it. */
const CHANGES: readonly string[] = LINES.slice(PROPERTY_COUNT).map((line, index) => {
  const before = LINES.slice(0, PROPERTY_COUNT).find((one) => idOfLine(one) === idOfLine(line));
  return index % 2 === 0 ? line : withAgesOf(before!, line);
});

/** What there is after so many changes, each of one revision. */
const STATES: readonly Documents[] = Array.from({ length: CHANGE_COUNT + 1 }, (_, count) => {
  const lines = [...LINES.slice(0, PROPERTY_COUNT), ...CHANGES.slice(0, count)];
  return new Map(lines.map((line) => [idOfLine(line), line]));
});

const STAYS: readonly NaiveStay[] = fc
  .sample(familyArbitrary, { ...FIXED_SEED, numRuns: STAY_COUNT })
  .map((stay) => ({
    ...stay,
    checkIn: stay.checkIn + SHIFT_DAYS,
    checkOut: stay.checkOut + SHIFT_DAYS,
  }));

interface NaivePriced {
  readonly propertyId: string;
  readonly code: string | null;
  readonly currency: string;
  readonly total: bigint | null;
  readonly pricing: object | null;
}

function priceNaively(line: string, stay: NaiveStay): NaivePriced {
  const world = readNaiveWorld(line, Date.now(), HORIZON_NIGHTS);
  const { propertyId, currency } = world.property;
  const quote = naiveQuote(world, stay);
  if (quote.outcome !== 'priced')
    return { propertyId, code: quote.outcome, currency, total: null, pricing: null };
  const { accommodation, cleaningFee, taxes, total, discount } = quote.price;
  const pricing = {
    accommodation: formatMoney(accommodation),
    cleaningFee: formatMoney(cleaningFee),
    taxes: formatMoney(taxes),
    total: formatMoney(total),
    discount: discount && { percent: discount.percent, amount: formatMoney(discount.amount) },
  };
  return { propertyId, code: null, currency, total, pricing };
}

/** Everything priced, then sorted: what pages of a list are slices of. */
function listNaively(documents: Documents, stay: NaiveStay, sort: Sort): readonly NaivePriced[] {
  const available = [...documents]
    .filter(([, line]) => parseLine(line)['visibleTo'] === 'all')
    .filter(([, line]) => naiveIsAvailable(readNaiveWorld(line, Date.now(), HORIZON_NIGHTS), stay))
    .map(([, line]) => priceNaively(line, stay))
    .toSorted((one, other) => (one.propertyId < other.propertyId ? -1 : 1));
  if (sort === 'default') return available;
  return available.toSorted((one, other) => {
    if (one.total === null || other.total === null)
      return Number(one.total === null) - Number(other.total === null);
    if (one.currency !== other.currency) return one.currency < other.currency ? -1 : 1;
    return Number(one.total - other.total);
  });
}

interface Page {
  readonly page: number;
  readonly pageSize: number;
}

function formatNaivePage(listed: readonly NaivePriced[], { page, pageSize }: Page): string {
  const shown = listed.slice((page - 1) * pageSize, page * pageSize);
  const items = shown.map(({ propertyId, currency, pricing }) => [propertyId, currency, pricing]);
  return JSON.stringify([items, listed.length]);
}

function formatPage({ items, pagination }: StayPriceList): string {
  const shown = items.map(({ propertyId, currency, pricing }) => [propertyId, currency, pricing]);
  return JSON.stringify([shown, pagination.total]);
}

interface WhyNot {
  readonly reasons?: readonly object[] | null;
  readonly instead?: readonly object[];
}

/** Why a stay is not priced, and which can be had instead, all asked for one by one. */
function explainNaively(line: string, stay: NaiveStay): WhyNot {
  const world = readNaiveWorld(line, Date.now(), HORIZON_NIGHTS);
  const instead = naiveInstead(world, stay).map((one) => {
    return { ...one, total: one.total === null ? null : formatMoney(one.total) };
  });
  return { reasons: naiveReasons(world, stay), instead };
}

function formatItems(
  items: readonly (Pick<NaivePriced, 'propertyId' | 'code' | 'pricing'> & WhyNot)[],
): string {
  return JSON.stringify(
    items.map(({ propertyId, code, pricing, reasons, instead }) => [
      propertyId,
      code,
      pricing,
      reasons,
      instead,
    ]),
  );
}

/** Ages come in any order. */
function datesOf({ checkIn, checkOut, guests, childAges }: NaiveStay) {
  const dates = { checkIn: formatLocalDate(checkIn), checkOut: formatLocalDate(checkOut), guests };
  return childAges === undefined ? dates : { ...dates, childAges: childAges.toReversed() };
}

function agesIn({ childAges }: NaiveStay): string {
  return childAges === undefined ? '' : `&childAges=${childAges.toReversed().join()}`;
}

function listPath(stay: NaiveStay, sort: Sort, { page, pageSize }: Page): string {
  const { checkIn, checkOut, guests } = datesOf(stay);
  return `/prices/v1/stays?city=${CITY}&checkIn=${checkIn}&checkOut=${checkOut}&guests=${guests}${agesIn(stay)}&sort=${sort}&page=${page}&pageSize=${pageSize}`;
}

/** The city as searches over many dates see it, in the order of ids. */
function cityOf(documents: Documents): NaiveCity {
  const worlds = [...documents]
    .map(([id, line]) => [id, readNaiveWorld(line, Date.now(), HORIZON_NIGHTS)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { worlds: new Map(worlds) };
}

const nightsOf = ({ checkIn, checkOut }: NaiveStay): number => Math.min(checkOut - checkIn, 7);

/** Dates, nights and travellers of searches over many dates. */
const datesPath = (stay: NaiveStay, from: string): string =>
  `city=${CITY}&${from}=${formatLocalDate(stay.checkIn)}&nights=${nightsOf(stay)}&guests=${stay.guests}${agesIn(stay)}`;

const flexiblePath = (stay: NaiveStay, sort: 'total' | 'night'): string =>
  `/prices/v1/flexible-stays?${datesPath(stay, 'checkInFrom')}&checkInUntil=${formatLocalDate(stay.checkIn + WINDOW.dates - 1)}&maxNights=${nightsOf(stay) + WINDOW.lengths - 1}&sort=${sort}&pageSize=50`;

const daysPath = (stay: NaiveStay): string =>
  `/prices/v1/days?${datesPath(stay, 'from')}&until=${formatLocalDate(stay.checkIn + DAYS)}`;

function formatNaiveFlexible(documents: Documents, stay: NaiveStay, sort: 'total' | 'night'): string {
  const { guests, childAges } = stay;
  const nights = nightsOf(stay);
  const checkIns = Array.from({ length: WINDOW.dates }, (_, day) => stay.checkIn + day);
  const window = { checkIns, nights, maxNights: nights + WINDOW.lengths - 1, guests, childAges };
  const best = naiveFlexible(cityOf(documents), window, sort === 'night');
  const items = best.map(({ world, stay: one, pricing, checkIns: count }) => {
    const dates = [formatLocalDate(one.checkIn), formatLocalDate(one.checkOut), guests, childAges];
    return [world.property.propertyId, dates, pricing, count];
  });
  return JSON.stringify(items);
}

function formatFlexible({ items }: FlexibleStayList): string {
  const shown = items.map(({ propertyId, stay, pricing, checkIns }) => {
    const { checkIn, checkOut, guests, childAges } = stay;
    return [propertyId, [checkIn, checkOut, guests, childAges], pricing, checkIns];
  });
  return JSON.stringify(shown);
}

function formatNaiveDays(documents: Documents, stay: NaiveStay): string {
  const range = { from: stay.checkIn, until: stay.checkIn + DAYS };
  return JSON.stringify(naiveDays(cityOf(documents), range, { ...stay, nights: nightsOf(stay) }));
}

/** The processes go by the clock of the machine: a day must not end at the property between question and model. */
async function awayFromMidnight(): Promise<void> {
  const leftMs = 3_600_000 - (Date.now() % 3_600_000);
  if (leftMs < MIDNIGHT_MARGIN_MS && new Date().getUTCHours() % 2 === 1) await sleep(leftMs);
}

async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const workOff = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, workOff));
}

function describeAgreement(databaseUrl: () => Promise<string | undefined>): void {
  let installation: Installation;
  let url: string;
  let token: string;
  before(async () => {
    await awayFromMidnight();
    const given = await databaseUrl();
    installation = await openInstallation(given);
    installation.time.nowMs = Date.now();
    url = given ?? `sqlite:${installation.databasePath}`;
    token = (await installation.issue({ scopes: ALL_SCOPE_NAMES })).token;
  });
  after(() => installation.close());

  const write = async (lines: readonly string[]): Promise<void> => {
    const { rejections } = await installation.importLines(lines.map(parseLine));
    assert.deepEqual(rejections, []);
  };

  for (const workers of WORKERS) {
    describe(`with WORKERS=${workers}`, () => {
      let workplace: Workplace;
      let partnerUrl: string;
      /** Every byte that was answered where no hidden id was named in the question. */
      const answered: string[] = [];

      before(async () => {
        await write(LINES.slice(0, PROPERTY_COUNT));
        workplace = new Workplace({
          DATABASE_URL: url,
          WORKERS: workers,
          INGRESS_LIMIT: '0',
          HORIZON_NIGHTS: `${HORIZON_NIGHTS}`,
        });
        ({ partnerUrl } = await startServer(workplace));
      });
      after(() => workplace.remove());

      /** A machine with no time to spare refuses for that reason: then again. */
      async function ask(asked: Asked): Promise<{ readonly status: number; readonly text: string }> {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        for (;;) {
          const { status, body, headers: got } = await exchange(partnerUrl, { ...asked, headers });
          const text = Buffer.from(body).toString();
          if (status !== 503) {
            if (!`${asked.path}${String(asked.body)}`.includes('unseen-'))
              answered.push(JSON.stringify(got) + text);
            return { status, text };
          }
          await sleep(PAUSE_MS);
        }
      }
      async function get<T>(path: string): Promise<T> {
        const { status, text } = await ask({ path });
        assert.equal(status, 200, `${path}: ${text}`);
        return JSON.parse(text) as T;
      }

      it('a list is what pricing everything and sorting would give, page by page', async () => {
        let priced = 0;
        let unpriced = 0;
        const lists = STAYS.flatMap((stay) => SORTS.map((sort) => ({ stay, sort })));
        await eachAtOnce(lists, async ({ stay, sort }) => {
          const expected = listNaively(STATES[0]!, stay, sort);
          for (let page = 1; page <= Math.ceil(expected.length / PAGE_SIZE) + 1; page++) {
            const asked = { page, pageSize: PAGE_SIZE };
            const list = await get<StayPriceList>(listPath(stay, sort, asked));
            assert.equal(formatPage(list), formatNaivePage(expected, asked));
          }
          unpriced += expected.filter(({ pricing }) => pricing === null).length;
          priced += expected.length;
        });
        assert.ok(priced > 100 && unpriced > 10, `${priced} ${unpriced}`);
      });

      it('over many dates, the best stay of each property and the least total of each day are those of the model', async () => {
        let [families, priced] = [0, 0];
        await eachAtOnce(STAYS, async (stay) => {
          for (const sort of ['total', 'night'] as const) {
            const path = flexiblePath(stay, sort);
            const found = formatFlexible(await get<FlexibleStayList>(path));
            assert.equal(found, formatNaiveFlexible(STATES[0]!, stay, sort), path);
            priced += found.split('"total"').length - 1;
          }
          const path = daysPath(stay);
          const { days } = await get<PriceDays>(path);
          assert.equal(JSON.stringify(days), formatNaiveDays(STATES[0]!, stay), path);
          const { childAges: _none, ...adults } = stay;
          families += Number(
            formatNaiveFlexible(STATES[0]!, stay, 'total') !==
              formatNaiveFlexible(STATES[0]!, { ...adults, childAges: undefined }, 'total'),
          );
        });
        assert.ok(families > 4 && priced > 100, `${families} ${priced}`);
      });

      it('by ids, by date, as an offer and as a quote, a stay costs the same to the cent, or is refused for the same', async () => {
        let [reasonCount, insteadCount] = [0, 0];
        const ids = [...STATES[0]!.keys(), 'nobody'];
        await eachAtOnce([...STAYS.entries()], async ([index, stay]) => {
          const dates = datesOf(stay);
          const body = JSON.stringify({ propertyIds: ids, stay: dates, why: true });
          const answer = await ask({ method: 'POST', path: '/prices/v1/stays', body });
          const { items } = JSON.parse(answer.text) as StayPrices;
          assert.deepEqual(
            items.map((item) => item.propertyId),
            ids,
          );
          for (const { propertyId, ...item } of items) {
            const line = STATES[0]!.get(propertyId);
            if (line === undefined || parseLine(line)['visibleTo'] !== 'all') {
              const unknown = { code: 'PROPERTY_NOT_FOUND', currency: null, pricing: null };
              assert.deepEqual(item, { ...unknown, reasons: [], instead: [] });
              continue;
            }
            const { code, currency, pricing } = priceNaively(line, stay);
            const whyNot = explainNaively(line, stay);
            assert.deepEqual(item, { code, currency, pricing, ...whyNot }, propertyId);
            reasonCount += whyNot.reasons?.length ?? 0;
            insteadCount += whyNot.instead?.length ?? 0;
            if (index >= QUOTED_STAY_COUNT) continue;
            const query = `checkIn=${dates.checkIn}&checkOut=${dates.checkOut}&guests=${stay.guests}${agesIn(stay)}`;
            const offer = await ask({ path: `/prices/v1/properties/${propertyId}/offer?${query}` });
            assert.equal(offer.status, code === null ? 200 : 409, offer.text);
            if (code === null) assert.deepEqual((JSON.parse(offer.text) as StayOffer).pricing, pricing);
            const quoted = { ...quoteBody(propertyId, dates.checkIn, dates.checkOut), stay: dates };
            const path = stay.childAges === undefined ? '/v1/quotes' : '/prices/v1/quotes';
            const quote = await ask({ method: 'POST', path, body: JSON.stringify(quoted) });
            assert.equal(quote.status, code === null ? 201 : 409, quote.text);
            if (item.pricing === null) {
              assert.equal((JSON.parse(quote.text) as { code: string }).code, code);
              continue;
            }
            const {
              mode: _mode,
              pricePreservedInHandoff: _isKept,
              ...amounts
            } = (JSON.parse(quote.text) as PartnerQuote).pricing;
            const { discount: _discount, ...parts } = item.pricing;
            assert.deepEqual(parts, amounts, propertyId);
          }
        });
        assert.ok(reasonCount > 100 && insteadCount > 100, `${reasonCount} ${insteadCount}`);
        await eachAtOnce([...STATES[0]!], async ([propertyId, line]) => {
          const index = ids.indexOf(propertyId);
          const { checkIn, guests, childAges } = STAYS[index % STAYS.length]!;
          const nights = 1 + (index % 9);
          const range = { from: checkIn - 3, until: checkIn + 20 };
          const path = `/prices/v1/properties/${propertyId}/calendar?from=${formatLocalDate(range.from)}&until=${formatLocalDate(range.until)}&nights=${nights}&guests=${guests}${agesIn(STAYS[index % STAYS.length]!)}`;
          if (parseLine(line)['visibleTo'] !== 'all') {
            assert.equal((await ask({ path })).status, 404);
            return;
          }
          const { days } = await get<PriceCalendar>(path);
          const expected = Array.from({ length: range.until - range.from }, (_, day) => {
            const dates = { checkIn: range.from + day, checkOut: range.from + day + nights };
            const stay = { ...dates, guests, childAges };
            const { code, pricing } = priceNaively(line, stay);
            return {
              checkIn: formatLocalDate(stay.checkIn),
              available: code !== 'STAY_UNAVAILABLE',
              total: pricing === null ? null : (pricing as { total: string }).total,
            };
          });
          assert.deepEqual(days, expected, propertyId);
        });
      });

      it('an answer is of one revision while the catalogue changes, and of the last one in the end', async () => {
        const stays = STAYS.filter((stay) => listNaively(STATES[0]!, stay, 'total').length > PAGE_SIZE).slice(
          0,
          3,
        );
        assert.ok(stays.length > 0);
        const pages: readonly Page[] = [
          { page: 1, pageSize: 50 },
          { page: 1, pageSize: PAGE_SIZE },
          { page: 2, pageSize: PAGE_SIZE },
        ];
        const lists = stays.flatMap((stay) =>
          pages.map((page) => {
            const shown = STATES.map((state) => formatNaivePage(listNaively(state, stay, 'total'), page));
            const read = async () => formatPage(await get<StayPriceList>(listPath(stay, 'total', page)));
            return { read, shown: new Set(shown), last: shown.at(-1)! };
          }),
        );
        const ids = [...STATES[0]!.keys()].filter((id) => !id.startsWith('unseen-'));
        const byId = stays.map((stay) => {
          const shown = STATES.map((state) =>
            formatItems(
              ids.map((id) => ({
                ...priceNaively(state.get(id)!, stay),
                ...explainNaively(state.get(id)!, stay),
              })),
            ),
          );
          const body = JSON.stringify({ propertyIds: ids, stay: datesOf(stay), why: true });
          const read = async () => {
            const { text } = await ask({ method: 'POST', path: '/prices/v1/stays', body });
            return formatItems((JSON.parse(text) as StayPrices).items);
          };
          return { read, shown: new Set(shown), last: shown.at(-1)! };
        });
        const families = STAYS.filter(({ childAges }) => childAges !== undefined).slice(0, 2);
        const overDates = families.flatMap((stay) => {
          const best = STATES.map((state) => formatNaiveFlexible(state, stay, 'total'));
          const days = STATES.map((state) => formatNaiveDays(state, stay));
          const readBest = async () =>
            formatFlexible(await get<FlexibleStayList>(flexiblePath(stay, 'total')));
          const readDays = async () => JSON.stringify((await get<PriceDays>(daysPath(stay))).days);
          return [
            { read: readBest, shown: new Set(best), last: best.at(-1)! },
            { read: readDays, shown: new Set(days), last: days.at(-1)! },
          ];
        });
        const questions = [...lists, ...byId, ...overDates];
        for (const asked of [lists, byId, overDates])
          assert.ok(
            asked.some(({ shown }) => shown.size > CHANGE_COUNT / 4),
            'changes are seen',
          );
        let isDone = false;
        const changing = (async () => {
          try {
            for (const line of CHANGES) await write([line]);
          } finally {
            isDone = true;
          }
        })();
        const reading = Array.from({ length: ASKED_AT_ONCE }, async (_, reader) => {
          for (let turn = reader; !isDone; turn++) {
            const { read, shown } = questions[turn % questions.length]!;
            const answer = await read();
            assert.ok(shown.has(answer), `of no revision: ${answer}`);
          }
        });
        await Promise.all([changing, ...reading]);
        for (const { read, last } of questions) await until(async () => (await read()) === last);
      });

      it('what a partner may not see is in no answer', () => {
        const hidden = [...STATES.at(-1)!.keys()].filter((id) => id.startsWith('unseen-'));
        assert.ok(hidden.length > 5 && answered.length > 100);
        for (const text of answered) assert.ok(!text.includes('unseen-'), text);
      });

      it('and by its id it is as unknown as any other', async () => {
        const hidden = idOf(4);
        const answersOf = async (propertyId: string): Promise<readonly string[]> => {
          const body = JSON.stringify({ propertyIds: [propertyId], stay: datesOf(STAYS[0]!), why: true });
          const answers = [
            await ask({ method: 'POST', path: '/prices/v1/stays', body }),
            await ask({ path: `/prices/v1/properties/${propertyId}/calendar` }),
            await ask({ path: `/content/v1/properties/${propertyId}` }),
          ];
          return answers.map(({ status, text }) =>
            `${status} ${text}`.replaceAll(propertyId, 'ID').replace(/"correlationId":"[^"]*"/, ''),
          );
        };
        assert.deepEqual(await answersOf(hidden), await answersOf('nobody'));
      });
    });
  }
}

describe('Prices of stays on SQLite', () => describeAgreement(async () => undefined));

describePostgres('Prices of stays on PostgreSQL', (server) =>
  describeAgreement(() => server().createDatabase()),
);
