import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { BroadcastChannel } from 'node:worker_threads';
import { pino } from 'pino';
import {
  followed,
  HORIZON_NIGHTS,
  makeProperty,
  NOW_MS,
  TODAY,
} from '../../../test/kit/catalogue-samples.ts';
import { until } from '../../../test/kit/command-line.ts';
import { changesTo } from '../../../test/kit/torn-world.ts';
import { buildCalendar } from '../../domain/calendar.ts';
import { CatalogueReader } from '../../read-model/catalogue/catalogue-reader.ts';
import { CatalogueWriter } from '../../read-model/catalogue/catalogue-writer.ts';
import { Heap } from '../../read-model/catalogue/memory/heap.ts';
import { allocatePublication, Publishing, Reading } from '../../read-model/catalogue/memory/publication.ts';
import type { About, Question, QuestionKind } from '../../read-model/catalogue/questions/questions.ts';
import type { CatalogueReaderThread, Generation, GivenSegment, JoinedCatalogue } from './catalogue-place.ts';
import { ReaderKeeper, type ReaderKeeperOptions, WAITING_LIMITS } from './reader-keeper.ts';
import { DEATHS_MAX } from './threads.ts';

const READER = new URL('../cli/commands/reader-thread.ts', import.meta.url);
const OBEYING = new URL('../../../test/kit/processes/obeying-reader.ts', import.meta.url);
const READER_NUMBER = 1;

/** Memory that this thread writes and reads too: one generation after another. */
class SharedWorld {
  readonly left: number[] = [];
  readonly #segments: GivenSegment[] = [];
  #thread: CatalogueReaderThread | undefined;
  #generation!: Generation;
  #writer!: CatalogueWriter;
  reader!: CatalogueReader;

  constructor() {
    this.begin(1);
    this.serve();
  }

  /** New memory, which the thread has before it is told to read it. */
  begin(number: number): void {
    const generation = { number, publication: allocatePublication(READER_NUMBER + 1) };
    this.#generation = generation;
    const onSegment: ConstructorParameters<typeof Heap>[0]['onSegment'] = (segment) => {
      this.#segments.push({ generation, segment });
      this.#thread?.take({ generation, segment });
    };
    const heap = new Heap({ publishing: new Publishing(generation.publication), onSegment });
    const options = { clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS };
    this.#writer = new CatalogueWriter(options, heap);
    this.reader = new CatalogueReader(options, heap, new Reading(generation.publication, 0));
  }

  serve(): void {
    this.#thread?.serve(this.#generation.number);
  }

  get segmentCount(): number {
    return this.#segments.length;
  }

  change(generation: number): void {
    // Before the city, so that much of it is in a segment that comes with the change.
    for (let part = 0; part < LARGE_COUNT; part += 1) this.#writer.apply(largeProperty(generation, part));
    for (const change of changesTo(generation)) this.#writer.apply(change);
    this.#writer.publish();
  }

  place = (reader: number) => ({ generation: this.#generation, reader });

  join = (thread: CatalogueReaderThread): JoinedCatalogue => {
    this.#thread = thread;
    return { segments: [...this.#segments], serving: this.#generation.number, state: undefined };
  };

  leave = (_thread: CatalogueReaderThread, reader: number): void => void this.left.push(reader);
}

const LARGE_COUNT = 20;

/** In another city. */
function largeProperty(generation: number, part: number) {
  const location = { city: 'Milano', country: 'IT', area: null };
  const property = makeProperty(
    `large-${generation}-${part}`,
    { location, description: 'x'.repeat(50_000) },
    [2],
  );
  return followed({ property, calendars: [buildCalendar([])] }, generation);
}

const open: ReaderKeeper[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((keeper) => keeper.stop()));
});

function openKeeper(world: SharedWorld, options: Partial<ReaderKeeperOptions> = {}): ReaderKeeper {
  const keeper = new ReaderKeeper({
    program: OBEYING,
    environment: { ...process.env, HORIZON_NIGHTS: String(HORIZON_NIGHTS) },
    reader: READER_NUMBER,
    catalogue: world,
    logger: pino({ enabled: false }),
    ...options,
  });
  open.push(keeper);
  keeper.start();
  return keeper;
}

const never = new AbortController().signal;

function ask<Kind extends QuestionKind>(keeper: ReaderKeeper, kind: Kind, about: About<Kind>, asker = 'one') {
  const question = { kind, about, nowMs: NOW_MS } as unknown as Question;
  return keeper.ask(question, { asker, gone: never });
}

/** Asks a thread that obeys. */
function tell(keeper: ReaderKeeper, text: string, asker = 'one', gone = never): Promise<unknown> {
  const about = { text, country: undefined, locale: 'it-IT', limit: 1, partnerId: 'acme' } as const;
  return keeper.ask({ kind: 'cities', about, nowMs: NOW_MS }, { asker, gone });
}

const STAY = { checkIn: TODAY + 3, checkOut: TODAY + 6 };
const CITY = {
  city: 'Venezia',
  partnerId: 'acme',
  guests: 2,
  page: 1,
  pageSize: 20,
  locale: 'it-IT',
} as const;
const WINDOW = { checkIns: [TODAY + 1, TODAY + 3], nights: 2, maxNights: 3 };
const QUESTIONS: { readonly [Kind in QuestionKind]: About<Kind> } = {
  search: { ...CITY, stay: STAY, sort: 'total', counts: true, filters: { minRating: 1 } },
  flexible: {
    ...CITY,
    ...WINDOW,
    sort: 'night',
    filters: { maxTotal: { currency: 'EUR', total: 10n ** 9n } },
  },
  days: { ...CITY, from: TODAY, until: TODAY + 9, nights: 2 },
  properties: { propertyIds: ['h000', 'h059', 'none'], stay: { ...STAY, guests: 2 }, partnerId: 'acme' },
  calendar: { propertyId: 'h001', partnerId: 'acme', from: TODAY, until: TODAY + 9, nights: 2, guests: 2 },
  cities: { text: 'venzia', country: undefined, locale: 'it-IT', limit: 3, partnerId: 'acme' },
};

/** Bytes as text, so that a Buffer is what another thread makes of it. */
function plain(answer: unknown): unknown {
  if (answer instanceof Uint8Array) return Buffer.from(answer).toString();
  if (typeof answer !== 'object' || answer === null || !('body' in answer)) return answer;
  return { ...answer, body: plain(answer.body) };
}

describe('The thread for long questions', () => {
  it('answers each kind of question as the asking thread would, from what is shown when it is asked', async () => {
    const world = new SharedWorld();
    const keeper = openKeeper(world, { program: READER });
    let told = 0;
    let segmentCount = 0;
    for (let generation = 1; generation <= 30; generation += 1) {
      world.change(generation);
      for (const kind of Object.keys(QUESTIONS) as QuestionKind[]) {
        const expected = plain(world.reader.questions.answer(kind, QUESTIONS[kind]));
        assert.deepEqual(plain(await ask(keeper, kind, QUESTIONS[kind])), expected, `${kind} ${generation}`);
        told += JSON.stringify(expected).length;
      }
      // From here on the thread has joined: it takes further segments when it answers.
      if (generation === 1) segmentCount = world.segmentCount;
    }
    assert.ok(world.segmentCount > segmentCount + 2, `${world.segmentCount} segments`);
    assert.ok(told > 100_000, String(told));
    assert.deepEqual(
      plain(await ask(keeper, 'calendar', { ...QUESTIONS.calendar, propertyId: 'none' })),
      undefined,
    );
  });

  it('goes to other memory when it is told to, with all of its segments', async () => {
    const world = new SharedWorld();
    const keeper = openKeeper(world, { program: READER });
    world.change(1);
    const before = plain(await ask(keeper, 'search', QUESTIONS.search));
    world.begin(2);
    world.change(2);
    assert.deepEqual(plain(await ask(keeper, 'search', QUESTIONS.search)), before);
    world.serve();
    const after = plain(world.reader.questions.answer('search', QUESTIONS.search));
    assert.notDeepEqual(after, before);
    assert.deepEqual(plain(await ask(keeper, 'search', QUESTIONS.search)), after);
  });

  it('dies in the middle of a question: only that one is busy, and its claims end', async () => {
    const world = new SharedWorld();
    const keeper = openKeeper(world);
    const asked = [tell(keeper, 'die'), tell(keeper, 'hello'), tell(keeper, 'there', 'another')];
    assert.deepEqual(await Promise.all(asked), ['busy', 'hello', 'there']);
    assert.deepEqual(world.left, [READER_NUMBER]);
  });

  it('is ended after the time of a question, and another one begins', async () => {
    const world = new SharedWorld();
    const keeper = openKeeper(world, { answerMsMax: 2_000 });
    assert.equal(await tell(keeper, 'hello'), 'hello');
    const asked = [tell(keeper, 'work 3600000'), tell(keeper, 'hello')];
    assert.deepEqual(await Promise.all(asked), ['busy', 'hello']);
    assert.deepEqual(world.left, [READER_NUMBER]);
  });

  it('lets an asker rest whose question took too long, and nobody else', async () => {
    const keeper = openKeeper(new SharedWorld(), { answerMsMax: 2_000 });
    assert.equal(await tell(keeper, 'work 3600000'), 'busy');
    assert.equal(await tell(keeper, 'hello'), 'busy');
    assert.equal(await tell(keeper, 'hello', 'another'), 'hello');
    assert.deepEqual(
      await tell(keeper, 'tell', 'another'),
      ['hello', 'tell'],
      'the new thread was asked nothing else',
    );
  });

  it('lets nobody wait for a turn without end', async () => {
    const keeper = openKeeper(new SharedWorld(), { answerMsMax: 600_000, waitingMsMax: 100 });
    await until(async () => (await tell(keeper, 'hello')) === 'hello');
    const working = tell(keeper, 'hold', 'first');
    assert.equal(await tell(keeper, 'late'), 'busy');
    const orders = new BroadcastChannel('obeying reader');
    orders.postMessage('go on');
    assert.equal(await working, 'hold');
    orders.close();
    assert.ok(!((await tell(keeper, 'tell')) as string[]).includes('late'), 'it was dropped');
  });

  it('passes on a failure, and goes on', async () => {
    const keeper = openKeeper(new SharedWorld());
    await assert.rejects(tell(keeper, 'fail'), /it failed/);
    assert.deepEqual(await tell(keeper, 'tell'), ['fail', 'tell']);
  });

  it('takes so many questions that wait, in all and of one asker, and drops those of who is gone', async () => {
    const { waitingMax, waitingPerAskerMax } = WAITING_LIMITS;
    const keeper = openKeeper(new SharedWorld(), { answerMsMax: 600_000 });
    await tell(keeper, 'hello');
    const askers: AbortController[] = [];
    const busy = { one: 0, many: 0 };
    const askMany = (who: 'one' | 'many', asker: (index: number) => string): Promise<void>[] =>
      Array.from({ length: 10_000 }, async (_, index) => {
        const gone = new AbortController();
        askers.push(gone);
        if ((await tell(keeper, who, asker(index), gone.signal)) === 'busy') busy[who] += 1;
      });
    const working = tell(keeper, 'hold', 'first');
    const ofOne = askMany('one', () => 'one');
    await until(async () => busy.one === 10_000 - waitingPerAskerMax);
    const ofMany = askMany('many', (index) => `many ${index % 1_000}`);
    await until(async () => busy.many + busy.one === 20_000 - waitingMax);
    assert.ok(busy.one >= 10_000 - 2, 'who had more than others gave its places up');
    for (const gone of askers) gone.abort('closed');
    await Promise.all([...ofOne, ...ofMany]);
    const orders = new BroadcastChannel('obeying reader');
    orders.postMessage('go on');
    await working;
    orders.close();
    assert.deepEqual(await tell(keeper, 'tell'), ['hello', 'hold', 'tell'], 'nothing else was worked on');
  });

  it('works for the asker who had least: a crowd of one does not hold up another', async () => {
    const keeper = openKeeper(new SharedWorld());
    await tell(keeper, 'hello');
    const crowd = Array.from({ length: 50 }, () => tell(keeper, 'work 4', 'crowd'));
    // Its first ones are under way.
    await crowd[2];
    const other = ['a', 'b', 'c'].map((text) => tell(keeper, text, 'other'));
    await Promise.all([...crowd, ...other]);
    const order = ((await tell(keeper, 'tell')) as string[]).slice(1, -1);
    // A machine that is busy elsewhere may take long over a single one.
    assert.ok(order.indexOf('a') <= 10 && order.indexOf('c') <= 30, order.join());
  });

  it('rests after too many deaths, and is there again after it', async () => {
    const keeper = openKeeper(new SharedWorld(), { restMs: 100 });
    const deaths = Array.from({ length: DEATHS_MAX + 1 }, () => tell(keeper, 'die'));
    const waiting = Array.from({ length: 5 }, () => tell(keeper, 'hello'));
    assert.ok((await Promise.all([...deaths, ...waiting])).every((answer) => answer === 'busy'));
    assert.equal(await tell(keeper, 'hello'), 'busy');
    await until(async () => (await tell(keeper, 'hello')) === 'hello');
  });

  it('stops with a full queue: each question is busy', async () => {
    const keeper = openKeeper(new SharedWorld());
    await tell(keeper, 'hello');
    const asked = Array.from({ length: 200 }, (_, index) => tell(keeper, 'work 1000', String(index)));
    await keeper.stop();
    assert.ok((await Promise.all(asked)).every((answer) => answer === 'busy'));
    assert.equal(await tell(keeper, 'hello'), 'busy');
  });
});
