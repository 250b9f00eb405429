/**
 * The operator's commands that write the catalogue: `import`, `import rates`, `import ical`, `close` and `open`; one
 * killed is run again.
 */
import { inEnglish } from '../../src/domain/wrong.ts';
import { MANUAL_SOURCE } from '../../src/domain/layers.ts';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { randomMessageIds } from '../../src/storage/supply/message-id.ts';
import { StorageUnavailable } from '../../src/storage/storage.ts';
import { importCalendar } from '../../src/supply/ical/import-calendar.ts';
import { acceptFeed, listFeeds, subscribeFeed, unsubscribeFeed } from '../../src/supply/ical/feed-changes.ts';
import {
  acceptHeld,
  addConnection,
  onAccount,
  removeConnection,
} from '../../src/supply/connections/connection-changes.ts';
import { saveRooms } from '../../src/supply/connections/save-rooms.ts';
import { done } from '../../src/domain/outcome.ts';
import { changeNights } from '../../src/supply/manual-override/change-nights.ts';
import type { NightsDeps } from '../../src/supply/messages/receive-message.ts';
import { retireSource } from '../../src/supply/sources/retire-source.ts';
import { openCatalogueFile, STANDARD_INPUT } from '../../src/supply/native/catalogue-file.ts';
import { importRates } from '../../src/supply/rates/import-rates.ts';
import { runImport } from '../../src/supply/run/import-run.ts';
import { ByteSource } from '../../src/supply/text/byte-source.ts';
import { seededBytes, seededRandom } from '../kit/catalogue-samples.ts';
import { calendarText } from '../kit/feed-server.ts';
import { type Accounts, CONNECTION } from './accounts.ts';
import { documentOf, PROPERTIES } from './base.ts';
import { commandKeyOf, type DocumentIntent, importKeyOf, type Intent, OWNER } from './known-truth.ts';
import { pick } from './quotes.ts';
import { Process } from './scheduler.ts';
import { HORIZON_NIGHTS } from './service.ts';
import { FIRST_NIGHT, LAST_NIGHT, SHAPES, UNPRICED_TYPE } from './shapes.ts';
import type { Step } from './story.ts';
import { passed } from './today.ts';
import type { World } from './world.ts';

type AccountDeps = Parameters<typeof saveRooms>[0];

const KILLED_MS_MAX = 60;
const AGAIN_MS = 60;
const AGENCY = 'agency';
const RETIRED = [AGENCY, 'channel'] as const;
const SHEET_CURRENCIES = ['', 'EUR', 'USD'] as const;

export class Commands {
  readonly #world: World;
  /** One command at a time. */
  #before: Promise<void> = Promise.resolve();
  #count = 0;
  #feedCount = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * A file of these properties; with `replaces`, all others of its source are withdrawn, but for those whose line
   * cannot be read.
   */
  import(
    files: readonly DocumentIntent[],
    { replaces, unreadable }: { readonly replaces: boolean; readonly unreadable: readonly string[] },
    killedMs: number,
  ): Promise<void> {
    const { known } = this.#world;
    for (const intent of files) known.intents.set(importKeyOf(intent.name), intent);
    const documents = [
      ...files.map((intent) => documentOf(intent)),
      ...unreadable.map((propertyId) => ({ propertyId, name: 0 })),
    ];
    const lines = documents.map((document) => Buffer.from(`${JSON.stringify(document)}\n`));
    const said = `imports ${files.map(({ name }) => name).join(', ')}${replaces ? ', and no others' : ''}`;
    return this.#run(said, killedMs, async (process) => {
      const storage = this.#world.reach(process);
      const begun = { from: known.revision, states: known.now.states };
      const { failure, summary } = await runImport(
        await openCatalogueFile({
          file: STANDARD_INPUT,
          standardInput: fromMemory(lines),
          readsTwice: false,
        }),
        {
          storage,
          clock: process.wallMs,
          source: OWNER,
          horizonNights: HORIZON_NIGHTS,
          replace: replaces,
          batchMax: this.#world.story.sizes.batch,
        },
      );
      if (failure !== undefined) return inEnglish(failure);
      const counted = summary.created + summary.changed + summary.unchanged;
      if (summary.read !== documents.length || counted !== files.length)
        this.#world.blame('the import', `counts ${counted} of ${summary.read}; there are ${files.length}`);
      if (summary.withdrawn > PROPERTIES.length - documents.length)
        this.#world.blame(
          'the import',
          `withdraws ${summary.withdrawn}, though it names ${documents.length}`,
        );
      const named = [...files.map(({ propertyId }) => propertyId), ...unreadable];
      if (replaces && known.now.states === begun.states) this.#judgeReplaced(named, begun.from);
      // What was acknowledged is stored, unless the database went back meanwhile.
      for (const { name } of files) {
        const key = importKeyOf(name);
        if (!known.now.appliedKeys.has(key) && !this.#world.excused.has(key))
          this.#world.blame('the import', `says that ${name} is stored, and it is not`);
      }
      return undefined;
    });
  }

  /** What the file did not name is withdrawn, unless its source has sent it again meanwhile. */
  #judgeReplaced(named: readonly string[], from: number): void {
    for (const [id, { isWithdrawn, revision }] of this.#world.known.newest)
      if (!isWithdrawn && revision <= from && !named.includes(id))
        this.#world.blame('the import', `replaces all properties, and leaves ${id}`);
  }

  /** A calendar of an agency that closes all nights, or none. */
  importCalendar([property, whether, , killedMs]: Step['numbers']): Promise<void> {
    const propertyId = pick(PROPERTIES, property);
    const closes = whether % 2 === 0;
    const text = calendarText(
      ...(closes ? [[formatLocalDate(FIRST_NIGHT), formatLocalDate(LAST_NIGHT + 1)] as const] : []),
    );
    const said = `imports a calendar that ${closes ? 'closes' : 'opens'} ${propertyId}`;
    return this.#run(said, killedMs, async (process) => {
      const deps = this.#beginClosing(process, { source: AGENCY, propertyId, closes });
      const layer = { propertyId, inventoryTypeId: 'double', source: AGENCY };
      const done = await importCalendar(deps, layer, Buffer.from(text), { dryRun: false });
      return done.ok ? undefined : inEnglish(done.problem);
    });
  }

  /** Units and a rate of all nights, as the price source's next file of them; some name a currency. */
  importSheet([property, units, money, killedMs]: Step['numbers'], rate: number): Promise<void> {
    const entry = { propertyId: pick(PROPERTIES, property), units: units % 3, rate };
    const { propertyId } = entry;
    const currency = pick(SHEET_CURRENCIES, money);
    const nights = `${formatLocalDate(FIRST_NIGHT)},${formatLocalDate(LAST_NIGHT)}`;
    const header = 'propertyId,inventoryTypeId,dateFrom,dateTo,availability,rate,currency';
    const row = `${propertyId},double,${nights},${entry.units},${(rate / 100).toFixed(2)},${currency}`;
    const bytes = Buffer.from(`${header}\n${row}\n`);
    const intent = { kind: 'calendars', source: OWNER, entries: [entry] } as const;
    return this.#run(`imports a sheet of rates for ${propertyId}`, killedMs, async (process) => {
      const isForeign = (): boolean => this.#isForeign(propertyId, currency);
      const { states } = this.#world.known.now;
      const wasForeign = isForeign();
      const { failure, summary } = await importRates(
        new ByteSource('rates.csv', { [Symbol.asyncIterator]: () => fromMemory([bytes]) }),
        {
          ...this.#begin(process, intent),
          source: OWNER,
          dryRun: false,
          strict: false,
          onRejection: () => undefined,
          onProgress: () => undefined,
        },
      );
      const isSame = states === this.#world.known.now.states && wasForeign === isForeign();
      if (isSame && wasForeign && summary.rejected === 0)
        this.#world.blame('the sheet', `sets a price of ${propertyId} in ${currency}`);
      return failure && inEnglish(failure);
    });
  }

  /** The same key again, where the command was killed. */
  subscribe([property, , , killedMs]: Step['numbers']): Promise<void> {
    const { platforms } = this.#world;
    if (platforms === undefined) return Promise.resolve();
    const propertyId = pick(PROPERTIES, property);
    const key = `feed ${(this.#feedCount += 1)}`;
    const feed = {
      propertyId,
      inventoryTypeId: 'double',
      url: platforms.urlOf(propertyId, this.#feedCount),
      everySeconds: 1,
      name: null,
    };
    return this.#run(`subscribes a calendar of ${propertyId}`, killedMs, async (process) => {
      const done = await subscribeFeed(this.#feedDeps(process), feed, key);
      return done.ok ? undefined : inEnglish(done.problem);
    });
  }

  unsubscribe(numbers: Step['numbers']): Promise<void> {
    return this.#onFeed('unsubscribes', numbers, async (process, feedId) => {
      const done = await unsubscribeFeed(this.#feedDeps(process), feedId);
      if (done.ok) this.#world.platforms!.noteEnded(feedId);
      return done.ok ? undefined : inEnglish(done.problem);
    });
  }

  accept(numbers: Step['numbers']): Promise<void> {
    return this.#onFeed('accepts', numbers, async (process, feedId) => {
      const done = await acceptFeed(this.#feedDeps(process), feedId);
      return done.ok ? undefined : inEnglish(done.problem);
    });
  }

  /** Of those that there are, as a list shows them. */
  #onFeed(
    what: string,
    [which]: Step['numbers'],
    work: (process: Process, feedId: string) => Promise<string | undefined>,
  ): Promise<void> {
    const { platforms } = this.#world;
    if (platforms === undefined) return Promise.resolve();
    // A command that dies has the feed for two minutes more, and all others would wait for it.
    return this.#run(`${what} a feed`, 1, async (process) => {
      const feeds = await listFeeds(this.#feedDeps(process));
      if (feeds.length === 0) return 'there is none';
      const { feedId } = pick(feeds, which);
      platforms.mayOpen.add(feedId);
      const end = await work(process, feedId);
      platforms.mayOpen.delete(feedId);
      return end;
    });
  }

  /** The connection is added first, where there is none. */
  mapRoom([property, whether]: Step['numbers']): Promise<void> {
    const left = whether % 4 === 0 ? pick(PROPERTIES, property) : undefined;
    const { newest } = this.#world.known;
    const isThere = (room: string): boolean => newest.get(room)?.isWithdrawn === false;
    const chosen = PROPERTIES.filter((room) => (left === undefined ? isThere(room) : room === left)).map(
      (room) => ({
        room,
        type: room === left ? null : { propertyId: room, inventoryTypeId: 'double' },
        withPrices: false,
      }),
    );
    return this.#onAccount(left === undefined ? 'maps all rooms' : `leaves ${left}`, async (deps) => {
      const { storage } = deps;
      if ((await storage.findConnection(CONNECTION)) === undefined) {
        const added = await addConnection(deps, { kind: 'smoobu', name: CONNECTION, key: 'key\nsecret' });
        if (!added.ok) return inEnglish(added.problem);
      }
      // More often than a person may wish.
      const often = await onAccount(deps, CONNECTION, async (connection) =>
        done(await storage.updateConnection({ ...connection, everySeconds: 1 })),
      );
      if (!often.ok) return inEnglish(often.problem);
      const saved = await saveRooms(deps, CONNECTION, chosen);
      if (!saved.ok) return inEnglish(saved.problem);
      return saved.value.problems.size === 0 ? undefined : 'a room is refused';
    });
  }

  acceptRooms(): Promise<void> {
    return this.#onAccount('accepts what is held back', async (deps, accounts) => {
      accounts.mayOpen = true;
      const accepted = await acceptHeld(deps, CONNECTION);
      accounts.mayOpen = false;
      return accepted.ok ? undefined : inEnglish(accepted.problem);
    });
  }

  disconnect(): Promise<void> {
    return this.#onAccount('removes the connection', async (deps) => {
      const removed = await removeConnection(deps, CONNECTION, { dryRun: false });
      return removed.ok ? undefined : inEnglish(removed.problem);
    });
  }

  /** None of them is killed: its claim would keep all others away for two minutes. */
  #onAccount(
    what: string,
    work: (deps: AccountDeps, accounts: Accounts) => Promise<string | undefined>,
  ): Promise<void> {
    const { accounts } = this.#world;
    if (accounts === undefined) return Promise.resolve();
    return this.#run(what, 1, (process) => work(this.#accountDeps(process, accounts), accounts));
  }

  #accountDeps(process: Process, accounts: Accounts): AccountDeps {
    return {
      ...this.#deps(process),
      random: seededBytes(seededRandom(this.#world.nowMs)),
      holder: process.name,
      calling: { allowsPrivate: true },
      openAccount: accounts.opener(process),
    };
  }

  /** All nights by hand. */
  closeNights([property, whether, , killedMs]: Step['numbers']): Promise<void> {
    const propertyId = pick(PROPERTIES, property);
    const action = whether % 2 === 0 ? 'close' : 'open';
    return this.#run(`${action}s ${propertyId} by hand`, killedMs, async (process) => {
      const closes = action === 'close';
      const deps = this.#beginClosing(process, { source: MANUAL_SOURCE, propertyId, closes });
      const nights = { from: FIRST_NIGHT, to: LAST_NIGHT, inventoryTypeIds: ['double'] };
      const { outcome } = await changeNights(deps, { action, propertyId, ...nights, dryRun: false });
      return outcome.verdict === 'applied' ? undefined : outcome.verdict;
    });
  }

  /** Whether a property that is there has another currency. */
  #isForeign(propertyId: string, currency: string): boolean {
    const known = this.#world.known.newest.get(propertyId);
    if (currency === '' || known === undefined || known.isWithdrawn) return false;
    return currency !== (known.terms.currency ?? 'EUR');
  }

  /** A type that nobody else prices, or that of the sources. */
  priceNights([property, which, , killedMs]: Step['numbers'], rate: number): Promise<void> {
    const inventoryTypeId = which % 2 === 0 ? UNPRICED_TYPE : 'double';
    const { newest } = this.#world.known;
    const unpriced = PROPERTIES.filter((id) =>
      SHAPES[newest.get(id)?.terms.shape ?? 0]!.types.some(
        (type) => type['inventoryTypeId'] === UNPRICED_TYPE,
      ),
    );
    const propertyId = pick(which % 2 === 0 && unpriced.length > 0 ? unpriced : PROPERTIES, property);
    return this.#run(`prices ${propertyId} by hand at ${rate}`, killedMs, async (process) => {
      const price = { kind: 'price', source: MANUAL_SOURCE, propertyId, inventoryTypeId, rate } as const;
      const deps = this.#begin(process, price);
      const nights = { from: FIRST_NIGHT, to: LAST_NIGHT, inventoryTypeIds: [inventoryTypeId] };
      const change = { action: 'set', set: { rate }, propertyId, ...nights, dryRun: false } as const;
      const { outcome } = await changeNights(deps, change);
      return outcome.verdict === 'applied' ? undefined : outcome.verdict;
    });
  }

  /** Prices of the source, which takes those by hand with it: none comes to light. */
  takePricesBack([property, , , killedMs]: Step['numbers']): Promise<void> {
    const world = this.#world;
    const inventoryTypeId = 'double';
    const byHand = PROPERTIES.filter((id) => world.known.newest.get(id)?.byHand[inventoryTypeId]);
    const propertyId = pick(byHand.length > 0 ? byHand : PROPERTIES, property);
    const nights = { from: FIRST_NIGHT, to: LAST_NIGHT, inventoryTypeIds: [inventoryTypeId] };
    const change = { action: 'set', set: { rate: null }, propertyId, ...nights, dryRun: false } as const;
    return this.#run(`takes back the prices of ${propertyId}`, killedMs, async (process) => {
      const { states } = world.known.now;
      const price = { kind: 'price', propertyId, inventoryTypeId, rate: null } as const;
      this.#begin(process, { ...price, source: OWNER });
      const deps = this.#begin(process, { ...price, source: MANUAL_SOURCE });
      const { outcome } = await changeNights(deps, { ...change, priceLayer: OWNER });
      if (outcome.verdict !== 'applied') return outcome.verdict;
      const left = world.known.newest.get(propertyId)?.byHand[inventoryTypeId];
      if (left !== undefined && world.known.now.states === states)
        world.blame('the operator', `took back the prices of ${propertyId}, and ${left} comes to light`);
      return undefined;
    });
  }

  /** A source that owns no document: everything that it said is taken back. */
  retire([which, , , killedMs]: Step['numbers']): Promise<void> {
    const source = pick(RETIRED, which);
    return this.#run(`retires ${source}`, killedMs, async (process) => {
      const { batch: batchMax } = this.#world.story.sizes;
      const done = await retireSource(this.#deps(process), { source, dryRun: false, batchMax });
      return done.ok ? undefined : inEnglish(done.problem);
    });
  }

  #beginClosing(process: Process, closing: Omit<Extract<Intent, { kind: 'closing' }>, 'kind'>): NightsDeps {
    return this.#begin(process, { kind: 'closing', ...closing });
  }

  #begin(process: Process, intent: Extract<Intent, { kind: 'closing' | 'price' | 'calendars' }>) {
    this.#world.known.intents.set(commandKeyOf(process.name, intent.source), intent);
    return this.#deps(process);
  }

  #feedDeps(process: Process) {
    return {
      ...this.#deps(process),
      random: seededBytes(seededRandom(this.#world.nowMs)),
      holder: process.name,
      fetching: { allowsPrivate: true },
      publicUrl: 'https://partners.example',
    };
  }

  #deps(process: Process) {
    const { nowMs } = this.#world;
    return {
      storage: this.#world.reach(process),
      clock: process.wallMs,
      newMessageId: randomMessageIds(seededBytes(seededRandom(nowMs))),
      horizonNights: HORIZON_NIGHTS,
    };
  }

  /** A process of its own: it may be killed, and the command is run again. */
  #run(
    what: string,
    killedMs: number,
    work: (process: Process) => Promise<string | undefined>,
  ): Promise<void> {
    return (this.#before = this.#runAfter(this.#before, what, killedMs, work));
  }

  async #runAfter(
    before: Promise<void>,
    what: string,
    killedMs: number,
    work: (process: Process) => Promise<string | undefined>,
  ): Promise<void> {
    await before;
    const world = this.#world;
    for (let tries = 0; ; tries += 1) {
      const name = `command ${(this.#count += 1)}`;
      const process = new Process(world.scheduler, name, { wallOffsetMs: passed() });
      const killed = world.sleep(killedMs % KILLED_MS_MAX).then(() => 'killed' as const);
      const ended = world.within(process, () => endOf(work(process)));
      const end = await (tries === 0 && killedMs % 2 === 0 ? Promise.race([killed, ended]) : ended);
      world.end(process);
      if (end === 'killed') world.counts.failures += 1;
      world.tell('the operator', `${what}: ${end}`);
      if (end !== 'killed' && end !== 'away') return;
      await world.sleep(AGAIN_MS);
    }
  }

  /** Everything that was begun has ended. */
  settle(): Promise<void> {
    return this.#before;
  }
}

async function endOf(work: Promise<string | undefined>): Promise<string> {
  try {
    return (await work) ?? 'done';
  } catch (error) {
    if (error instanceof StorageUnavailable) return 'away';
    throw error;
  }
}

async function* fromMemory(lines: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* lines;
}
