/** What happens in each step of a story. */
import { issueCredential, revokeCredential, rotateCredential } from '../../src/access/credential-changes.ts';
import type { CredentialRow } from '../../src/storage/access/store.ts';
import { createPartner, updatePartner } from '../../src/access/partner-changes.ts';
import { rotateWebhook } from '../../src/partner/webhooks/webhook-changes.ts';
import { openCursor, sealCursor } from '../../src/partner/changes/feed-cursor.ts';
import { keyring } from '../suites/changes/feed-fixture.ts';
import { type Held, NEWBORN, PARTNERS, PROPERTIES, sendIntent, SOURCES } from './base.ts';
import { Copy } from './follower.ts';
import { judgeAccess, judgeSearch } from './judge.ts';
import { judgeStays } from './asks.ts';
import { Commands } from './commands.ts';
import {
  type DocumentIntent,
  endOf,
  type KnownProperty,
  lifetimeOf,
  type SentIntent,
  type Terms,
} from './known-truth.ts';
import { pick, Quotes } from './quotes.ts';
import type { Reader, Service } from './service.ts';
import { SandboxCalls } from './sandbox-calls.ts';
import { SHAPES } from './shapes.ts';
import { connectionOf, type Connections } from './shown.ts';
import { Spending } from './spending.ts';
import type { Step, StepKind } from './story.ts';
import type { KeptState, Place, World } from './world.ts';

const FROZEN_MS_MAX = 900;
const AWAY_MS_MAX = 900;
const BAD_WAY_MS_MAX = 700;
const SLOW_MS = 60;
const LOSS_SHARE = 0.25;
/** The slowest question of a slow catalogue began within it. */
const SLOW_ENDS_MS = 4_200;
const JUMP_MS_MAX = 300_000;
const DOWN_MS_MAX = 600;
const AGAIN_MS = 60;
const OVERLAP_MS_MAX = 1_500;
/** Undefined: another document. */
const SMALL_CHANGES: readonly (Partial<Terms> | undefined)[] = [
  undefined,
  undefined,
  { currency: 'USD' },
  { currency: undefined },
  { maxAdvanceDays: 4 },
  { maxAdvanceDays: 6 },
];
const MAX_ADVANCE_DAYS = [undefined, undefined, 4, 6];

type Numbers = Step['numbers'];

export class Traffic {
  copies: readonly Copy[];
  readonly #world: World;
  readonly #connections: Connections = new Map();
  /** A source sends its next message when the last one is acknowledged. */
  readonly #sending = new Map<string, Promise<void>>();
  readonly #quotes: Quotes;
  readonly #sandboxCalls: SandboxCalls;
  readonly #spending: Spending;
  readonly #commands: Commands;
  readonly #acknowledged: { readonly source: string; readonly key: string }[] = [];
  /** Credentials that a rotation may be under way for. */
  readonly #rotating = new Set<string>();
  #messageCount = 0;

  constructor(world: World) {
    this.#world = world;
    this.#spending = new Spending(world);
    this.#commands = new Commands(world);
    this.#quotes = new Quotes(world, (...asked) => this.#asked(...asked));
    this.#sandboxCalls = new SandboxCalls(world, (...asked) => this.#asked(...asked));
    this.copies = PARTNERS.map((partnerId) => new Copy(world, partnerId));
  }

  perform(step: Step): void {
    this.#world.counts.steps += 1;
    const act = this.#acts[step.kind];
    void act(step.numbers)?.catch((error: unknown) =>
      this.#world.blame('the story', String((error as Error).stack)),
    );
  }

  openQuotes(): Promise<void> {
    return this.#quotes.openLast();
  }

  /** Everything that is sent has been acknowledged. */
  async settle(): Promise<void> {
    await Promise.all([...this.#sending.values(), this.#commands.settle()]);
  }

  readonly #acts: Readonly<Record<StepKind, (numbers: Numbers) => Promise<unknown> | undefined>> = {
    calendar: (numbers) => this.#sendCalendar(numbers),
    ari: (numbers) => this.#sendCalendar(numbers, true),
    document: ([property, seers, terms, place]) => {
      const propertyId = pick(PROPERTIES, property);
      const before = this.#world.known.newest.get(propertyId);
      const isRenamed = seers % 3 === 0 && before !== undefined;
      const { visibleTo, isForAll } = isRenamed ? before : visibilityOf(seers >> 2);
      const name = isRenamed ? `${propertyId} ${this.#messageCount + 1}` : (before?.name ?? propertyId);
      const open = before?.isWithdrawn === false ? {} : { open: { units: 2, rate: this.#nextRate() } };
      const kept = isRenamed && !before.isWithdrawn ? before.terms : undefined;
      const said = { propertyId, name, visibleTo, isForAll, terms: this.#termsOf(terms, kept), ...open };
      return this.#send('pms', { kind: 'document', ...said }, place);
    },
    withdraw: ([property, , , place]) =>
      this.#send('pms', { kind: 'withdrawal', propertyId: pick(PROPERTIES, property) }, place),
    sameKey: (numbers) => this.#sendSameKey(numbers),
    import: (numbers) => this.#import(numbers),
    calendarFile: (numbers) => this.#commands.importCalendar(numbers),
    sheet: (numbers) => this.#commands.importSheet(numbers, this.#nextRate()),
    subscribe: (numbers) => this.#commands.subscribe(numbers),
    unsubscribe: (numbers) => this.#commands.unsubscribe(numbers),
    accept: (numbers) => this.#commands.accept(numbers),
    platform: (numbers) => {
      this.#world.platforms?.change(numbers);
      return undefined;
    },
    mapRoom: (numbers) => this.#commands.mapRoom(numbers),
    acceptRooms: () => this.#commands.acceptRooms(),
    disconnect: () => this.#commands.disconnect(),
    account: (numbers) => {
      this.#world.accounts?.change(numbers);
      return undefined;
    },
    nights: (numbers) => this.#commands.closeNights(numbers),
    priceByHand: (numbers) => this.#commands.priceNights(numbers, this.#nextRate()),
    takeBack: (numbers) => this.#commands.takePricesBack(numbers),
    retire: (numbers) => this.#commands.retire(numbers),
    search: ([place, reader, credential]) => this.search(place, reader, credential),
    quote: (numbers) => this.#quotes.ask(numbers),
    open: (numbers) => this.#quotes.open(numbers),
    book: (numbers) => this.#quotes.book(numbers),
    bookOther: (numbers) => this.#quotes.bookOther(numbers),
    sandbox: (numbers) => this.#sandboxCalls.call(numbers),
    follow: ([place, reader, copy, choice]) =>
      pick(this.copies, copy).ask(this.#place(place), reader, { choice }),
    wait: ([place, reader, copy, choice]) =>
      pick(this.copies, copy).ask(this.#place(place), reader, { choice, waits: true }),
    foreignCursor: (numbers) => this.#sendForeignCursor(numbers),
    testCursor: (numbers) => this.#sendTestCursor(numbers),
    spend: (numbers) => this.#spending.spend(numbers),
    askStays: (numbers) => this.#askStays(numbers),
    rotate: ([credential, place, overlap, again]) => {
      const { held, known } = this.#world;
      const ending = held.filter(({ credentialId }) => known.now.ending.has(credentialId));
      const some = again % 3 === 0 && ending.length > 0 ? ending : held;
      return this.rotate(pick(some, credential), place, overlap % OVERLAP_MS_MAX);
    },
    rotateKey: (numbers) => this.#rotateKey(numbers),
    revoke: ([credential, place]) => this.#revoke(pick(this.#world.base.credentials, credential), place),
    stop: (numbers) => this.#stop(numbers),
    create: ([place]) => this.#create(place),
    kill: ([place, downMs]) => this.#kill(this.#place(place), downMs % DOWN_MS_MAX),
    restart: ([place, downMs]) => this.#restart(this.#place(place), downMs % DOWN_MS_MAX),
    oldFile: ([place, choice]) => this.#putOldFileBack(this.#place(place), choice),
    freeze: ([place, forMs]) => {
      const { name } = this.#place(place);
      this.#world.tell(name, `is frozen for ${forMs % FROZEN_MS_MAX} ms`);
      this.#world.freeze(this.#place(place), forMs % FROZEN_MS_MAX);
      return undefined;
    },
    jump: ([place, byMs]) => {
      const { process, name } = this.#place(place);
      const jumpMs = (byMs % (2 * JUMP_MS_MAX)) - JUMP_MS_MAX;
      this.#world.tell(name, `has a clock that jumps by ${jumpMs} ms`);
      // Clocks differ by less than the time for which a process counts that says nothing.
      process.wallOffsetMs = Math.min(JUMP_MS_MAX, Math.max(-JUMP_MS_MAX, process.wallOffsetMs + jumpMs));
      return undefined;
    },
    away: ([forMs]) => {
      this.#world.tell('the database', `is away for ${forMs % AWAY_MS_MAX} ms`);
      this.#world.beAwayUntil(this.#world.nowMs + (forMs % AWAY_MS_MAX));
      return undefined;
    },
    lossy: ([forMs]) => this.#withWay(forMs, 'loses questions and answers', { lossShare: LOSS_SHARE }),
    full: ([forMs]) => {
      const { way, nowMs, counts } = this.#world;
      this.#world.tell('the database', `is full for ${forMs % AWAY_MS_MAX} ms`);
      way.fullUntilMs = Math.max(way.fullUntilMs, nowMs + (forMs % AWAY_MS_MAX));
      counts.failures += 1;
      return undefined;
    },
    slow: ([forMs]) => this.#withWay(forMs, 'is slow', { delayMsMax: SLOW_MS }),
    slowCatalogue: ([forMs]) => {
      const { way, places, nowMs } = this.#world;
      way.catalogueSlowUntilMs = nowMs + (forMs % BAD_WAY_MS_MAX);
      this.#world.tell('the database', `reads the catalogue slowly for ${forMs % BAD_WAY_MS_MAX} ms`);
      for (const place of places) place.catalogueDisturbedUntilMs = way.catalogueSlowUntilMs + SLOW_ENDS_MS;
      return undefined;
    },
    backUp: () => {
      this.#world.tell('the operator', 'backs the database up');
      this.#world.kept = this.#world.keep();
      return undefined;
    },
    restore: () => {
      const { kept } = this.#world;
      if (kept === undefined) return undefined;
      this.#world.tell('the operator', `restores ${this.#goBack(kept)}`);
      return undefined;
    },
    failOver: ([, awayMs]) => {
      const { standby, nowMs } = this.#world;
      if (standby === undefined) return undefined;
      this.#world.tell('the standby', `takes over with ${this.#goBack(standby)}`);
      this.#world.standby = undefined;
      this.#world.beAwayUntil(nowMs + (awayMs % AWAY_MS_MAX));
      return undefined;
    },
    redisAway: ([forMs, whether]) => {
      const { redis, nowMs, counts } = this.#world;
      if (redis === undefined) return undefined;
      counts.failures += 1;
      redis.awayUntilMs = Math.max(redis.awayUntilMs, nowMs + (forMs % AWAY_MS_MAX));
      redis.isRefusing = whether % 2 === 0;
      this.#world.tell(
        'Redis',
        `${redis.isRefusing ? 'refuses' : 'does not answer'} for ${forMs % AWAY_MS_MAX} ms`,
      );
      return undefined;
    },
    redisForgets: () => this.#spending.redisForgets(),
  };

  /** Returns in words how much is left. */
  #goBack(state: KeptState): string {
    const world = this.#world;
    const said = `revision ${state.knowledge.states.length - 1} of ${world.known.revision}`;
    world.restore(state);
    this.copies = this.copies.filter(({ partnerId }) => partnerId !== NEWBORN);
    for (const copy of this.copies) copy.goBackTo(world.known.revision);
    return said;
  }

  /** Mostly others than those of before, sometimes with one thing changed. */
  #termsOf(number: number, before?: Terms): Terms {
    const hasDiscount = number % 2 === 0;
    if (!this.#world.story.isRich) return { hasDiscount, shape: 0 };
    const change = before && pick(SMALL_CHANGES, number >> 12);
    if (change !== undefined) return { ...before!, ...change };
    return {
      hasDiscount,
      shape: (number >> 3) % SHAPES.length,
      maxAdvanceDays: pick(MAX_ADVANCE_DAYS, number >> 5),
      currency: (number >> 7) % 4 === 0 ? 'USD' : undefined,
    };
  }

  /** Each message has its own, so that what is shown names its message. */
  #nextRate(): number {
    return 10_000 + 100 * (this.#messageCount + 1);
  }

  #place(number: number): Place {
    return pick(this.#world.places, number);
  }

  #sendCalendar([what, first, second, place]: Numbers, isAri = false): Promise<void> {
    const source = SOURCES[what % 4 === 0 ? 1 : 0]!;
    const ids = new Set([
      pick(PROPERTIES, first),
      ...(second % 3 === 0 ? [pick(PROPERTIES, second >> 3)] : []),
    ]);
    const units = (what >> 3) % 3;
    const entries = [...ids].map((propertyId) => ({
      propertyId,
      units,
      ...(source === 'pms' ? { rate: this.#nextRate() } : {}),
    }));
    return this.#send(source, { kind: 'calendars', isAri, source, entries }, place);
  }

  /** From now on each property closes whose sources are silent for an hour. */
  async limitSilence(): Promise<void> {
    for (const {
      isWithdrawn,
      propertyId,
      name,
      visibleTo,
      isForAll,
      terms,
    } of this.#world.known.newest.values())
      if (!isWithdrawn)
        await this.#send(
          'pms',
          {
            kind: 'document',
            propertyId,
            name,
            visibleTo,
            isForAll,
            terms: { ...terms, maxSupplyAgeHours: 1 },
          },
          0,
        );
  }

  /** Units of one property. */
  sendUnits(source: string, propertyId: string): Promise<void> {
    return this.#send(source, { kind: 'calendars', source, entries: [{ propertyId, units: 2 }] }, 0);
  }

  /** A price of a source that may set none: what can be applied of the message is nothing. */
  async sendRefused(propertyId: string): Promise<void> {
    const key = `message ${(this.#messageCount += 1)}`;
    this.#world.known.intents.set(key, { kind: 'calendars', source: 'channel', entries: [] });
    const entries = [{ propertyId, units: 2, rate: this.#nextRate() }];
    await this.#world.request(this.#place(0), ({ supply }) =>
      sendIntent(supply, key, { kind: 'calendars', source: 'channel', entries }, { isPartial: true }),
    );
  }

  /** One or two properties, or all but one, which is then withdrawn. */
  #import([which, units, seers, killedMs]: Numbers): Promise<void> {
    const replaces = which % 4 === 0;
    const ids = PROPERTIES.filter((id, index) =>
      replaces
        ? id !== pick(PROPERTIES, which >> 2)
        : index === (which >> 2) % 4 || index === (which >> 4) % 4,
    );
    const others = PROPERTIES.filter((id) => !ids.includes(id));
    const unreadable = (which >> 6) % 3 === 0 ? others.slice(0, 1) : [];
    const documents = ids.map((propertyId, index): DocumentIntent => {
      const open = { units: (units + index) % 3, rate: this.#nextRate() };
      const name = `${propertyId} ${(this.#messageCount += 1)}`;
      const terms = this.#termsOf((units >> 2) + index);
      return { kind: 'document', propertyId, name, ...visibilityOf((seers >> 2) + index), terms, open };
    });
    return this.#commands.import(documents, { replaces, unreadable }, killedMs);
  }

  /** Sends until it is acknowledged, to one process after the other, always with the same key. */
  #send(source: string, intent: SentIntent, place: number): Promise<void> {
    const world = this.#world;
    const key = `message ${(this.#messageCount += 1)}`;
    world.known.intents.set(key, intent);
    const sent = this.#sendAfter(this.#sending.get(source), { source, key, intent, place });
    this.#sending.set(source, sent);
    return sent;
  }

  async #sendAfter(
    before: Promise<void> | undefined,
    { source, key, intent, place }: { source: string; key: string; intent: SentIntent; place: number },
  ): Promise<void> {
    const world = this.#world;
    await before;
    for (let tries = 0; ; tries += 1) {
      const answered = await world.request(this.#place(place + tries), (service) =>
        sendIntent(service.supply, key, intent),
      );
      if (answered !== undefined) {
        const { kind } = answered.value;
        world.tell(source, `has the answer to ${key}, ${describe(intent)}: ${kind}`);
        if (kind === 'done') this.#acknowledged.push({ source, key });
        if (kind === 'done' && !world.known.now.appliedKeys.has(key) && !world.excused.has(key))
          world.blame('the service', `acknowledges ${key}, which is not stored`);
        return;
      }
      await world.sleep(AGAIN_MS);
    }
  }

  /** It must not pass for the message that had the key, nor be applied. */
  async #sendSameKey([which, property, units, place]: Numbers): Promise<void> {
    const world = this.#world;
    const { known } = world;
    const used = this.#acknowledged[which % this.#acknowledged.length];
    if (used === undefined) return;
    const { source, key } = used;
    const target = `other ${(this.#messageCount += 1)}`;
    const entries = [{ propertyId: pick(PROPERTIES, property), units: units % 3 }];
    const intent = { kind: 'calendars', source, entries } as const;
    known.intents.set(target, intent);
    const { appliedKeys } = known.now;
    const answered = await world.request(this.#place(place), ({ supply }) =>
      sendIntent(supply, key, intent, { target }),
    );
    // The database went back meanwhile, or has lost the key before.
    if (answered === undefined || known.now.appliedKeys !== appliedKeys || !appliedKeys.has(key)) return;
    const { kind } = answered.value;
    world.tell(source, `has the answer to ${target} with the key of ${key}: ${kind}`);
    if (kind !== 'key-reused') world.blame('the service', `takes ${target} for ${key}: ${kind}`);
  }

  async search(placeNumber: number, readerNumber: number, credentialNumber: number): Promise<void> {
    const world = this.#world;
    const held = pick(world.held, Math.max(0, credentialNumber));
    await this.#asked(this.#place(placeNumber), readerNumber, held, async (place, reader) => {
      await judgeSearch(world, place, reader, held.partnerId, connectionOf(this.#connections, place, reader));
    });
  }

  /** Flexible stays, days, counts, nearest openings or cities. */
  async #askStays([placeNumber, readerNumber, credential, what]: Numbers): Promise<void> {
    const world = this.#world;
    const held = pick(world.held, credential);
    await this.#asked(this.#place(placeNumber), readerNumber, held, async (place, reader) => {
      const connection = connectionOf(this.#connections, place, reader);
      await judgeStays(world, place, reader, { partnerId: held.partnerId, connection, what });
    });
  }

  /** The old token ends after an overlap. Returns whether it was acknowledged. */
  async rotate({ credentialId, partnerId }: Held, place: number, overlapMs: number): Promise<boolean> {
    const world = this.#world;
    const { restoredAtMs } = world;
    const isAlone = !this.#rotating.has(credentialId);
    this.#rotating.add(credentialId);
    const before = world.known.now.credentials.get(credentialId);
    const answered = await world.request(this.#place(place), ({ storage, process, random }) =>
      rotateCredential({ storage, clock: process.wallMs, random }, credentialId, { overlapMs }),
    );
    // Without an answer it may still be under way.
    if (answered === undefined) return false;
    if (isAlone) this.#rotating.delete(credentialId);
    if (!answered.value.ok || world.restoredAtMs !== restoredAtMs) return false;
    const { credentialId: next, token } = answered.value.value;
    if (isAlone && before !== undefined) this.#judgeRotation(before, next);
    world.tell('the operator', `has rotated ${credentialId} into ${next}, with ${overlapMs} ms of both`);
    world.held = [...world.held, { partnerId, credentialId: next, token }];
    await this.#tryEverywhere(world.held.findIndex((held) => held.credentialId === credentialId));
    return true;
  }

  /** The new token lives as long as the old one was to live, and the old one no longer than it was. */
  #judgeRotation(before: CredentialRow, successor: string): void {
    const world = this.#world;
    const { credentials } = world.known.now;
    const { credentialId } = before;
    const [old, next] = [credentials.get(credentialId), credentials.get(successor)];
    if (old === undefined || next === undefined) return;
    world.counts.checks += 1;
    if (endOf(old) > endOf(before)) world.blame('the operator', `prolonged ${credentialId} by its rotation`);
    if (lifetimeOf(next) !== lifetimeOf(before))
      world.blame('the operator', `rotated ${credentialId} into one that lives ${lifetimeOf(next)} ms`);
    if (String(next.networks) !== String(before.networks))
      world.blame('the operator', `rotated ${credentialId} into one for ${String(next.networks)}`);
  }

  /** An endpoint that does not know the new secret yet goes on with the old one for a day. */
  async #rotateKey([place, partner]: Numbers): Promise<void> {
    const partnerId = pick(PARTNERS, partner);
    const { webhookId } = this.#world.base.webhooks.get(partnerId)!;
    this.#world.rotatedKeys.add(partnerId);
    await this.#untilAnswered(place, ({ storage, process, random }) =>
      rotateWebhook({ storage, clock: process.wallMs, random }, webhookId),
    );
    this.#world.tell('the operator', `has rotated the key of ${webhookId}`);
  }

  /** After the gates: the process is ready and takes the token. */
  async #asked(
    place: Place,
    readerNumber: number,
    held: Held,
    work: (place: Place, reader: Reader) => Promise<void>,
  ): Promise<void> {
    const world = this.#world;
    await world.request(place, async ({ readers }) => {
      const reader = readers[readerNumber % readers.length]!;
      if (reader.readiness() !== 'ready') return;
      if (!judgeAccess(world, place, reader, held)) return;
      await work(place, reader);
    });
  }

  async #sendForeignCursor([placeNumber, readerNumber, copy]: Numbers): Promise<void> {
    const world = this.#world;
    const { cursor, partnerId: owner } = pick(this.copies, copy);
    const other = PARTNERS.find((partnerId) => partnerId !== owner)!;
    if (cursor === undefined) return;
    await world.request(this.#place(placeNumber), async ({ readers, process }) => {
      const { feed } = readers[readerNumber % readers.length]!;
      const answer = await feed.ask({ partnerId: other, since: cursor, limit: 9 });
      if (answer.refused !== 'invalid' && answer.refused !== 'away')
        world.blame(process.name, `takes the cursor of ${owner} from ${other}`);
    });
  }

  /** As the sandbox gives them out; it knows nothing of live properties. */
  async #sendTestCursor([placeNumber, readerNumber, copy]: Numbers): Promise<void> {
    const world = this.#world;
    const { cursor, partnerId } = pick(this.copies, copy);
    if (cursor === undefined) return;
    await world.request(this.#place(placeNumber), async ({ readers, process, random }) => {
      const { feed } = readers[readerNumber % readers.length]!;
      const opened = openCursor(keyring, { partnerId, isTest: false }, cursor);
      if (opened === undefined || opened === 'retired') return;
      const since = sealCursor(keyring, { partnerId, isTest: true }, opened, random);
      const answer = await feed.ask({ partnerId, since, limit: 9 });
      if (answer.refused !== 'invalid' && answer.refused !== 'away')
        world.blame(process.name, `takes a cursor of a test token from ${partnerId}`);
    });
  }

  async #revoke({ credentialId }: Held, place: number): Promise<void> {
    await this.#untilAnswered(place, ({ storage, process, random }) =>
      revokeCredential({ storage, clock: process.wallMs, random }, credentialId),
    );
    this.#world.tell('the operator', `has revoked ${credentialId}`);
    await this.#tryEverywhere(this.#world.held.findIndex((held) => held.credentialId === credentialId));
  }

  async #stop([place, credential, whether]: Numbers): Promise<void> {
    const { partnerId } = pick(this.#world.base.credentials, credential);
    const disabled = whether % 2 === 0;
    await this.#untilAnswered(place, ({ storage, process, random }) =>
      updatePartner({ storage, clock: process.wallMs, random }, partnerId, { disabled }),
    );
    this.#world.tell('the operator', `has ${disabled ? 'stopped' : 'let in'} ${partnerId}`);
    await this.#tryEverywhere(this.#world.held.findIndex((held) => held.partnerId === partnerId));
  }

  /** Asks one process after the other. */
  async #untilAnswered(place: number, work: (service: Service) => Promise<unknown>): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      if ((await this.#world.request(this.#place(place + tries), work)) !== undefined) return;
      await this.#world.sleep(AGAIN_MS);
    }
  }

  /** A second after the operator has changed something about this credential. */
  async #tryEverywhere(credential: number): Promise<void> {
    await this.#world.sleep(this.#world.knownMs * 1.05);
    for (const [index, { readerCount }] of this.#world.places.entries())
      for (let reader = 0; reader < readerCount; reader += 1) await this.search(index, reader, credential);
  }

  /** A partner with a credential; it begins to follow the feed. */
  async #create(place: number): Promise<void> {
    const world = this.#world;
    if (world.held.some(({ partnerId }) => partnerId === NEWBORN)) return;
    const restoredAtMs = world.restoredAtMs;
    const answered = await world.request(this.#place(place), async ({ storage, process, random }) => {
      const deps = { storage, clock: process.wallMs, random };
      // The partner may be there, from a request that was not answered.
      await createPartner(deps, { partnerId: NEWBORN, name: NEWBORN });
      return issueCredential(deps, { partnerId: NEWBORN, quota: 1_000 });
    });
    if (answered?.value.ok !== true || world.restoredAtMs !== restoredAtMs) return;
    const { credentialId, token } = answered.value.value;
    world.tell('the operator', `has created ${NEWBORN}`);
    world.held = [...world.held, { partnerId: NEWBORN, credentialId, token }];
    this.copies = [...this.copies, new Copy(world, NEWBORN)];
  }

  async #kill(place: Place, downMs: number): Promise<void> {
    const world = this.#world;
    if (!place.isRunning) return;
    world.tell(place.name, `is killed for ${downMs} ms`);
    world.kill(place);
    await world.sleep(downMs);
    world.start(place);
  }

  async #restart(place: Place, downMs: number): Promise<void> {
    const world = this.#world;
    const { generation, service, process } = place;
    if (service === undefined || process.frozenUntilMs > world.nowMs) return;
    world.tell(place.name, 'is stopped in order');
    await Promise.race([world.stop(place), world.sleep(5_000)]);
    if (place.generation !== generation || place.isRunning) return;
    await world.sleep(downMs);
    if (!place.isRunning) world.start(place);
  }

  /** As a machine does that is put back to an older state: the process dies, and finds an older file. */
  async #putOldFileBack(place: Place, choice: number): Promise<void> {
    if (!place.isRunning || !this.#world.putOldFileBack(place, choice)) return;
    this.#world.tell(place.name, 'has an older file of the catalogue');
    await this.#kill(place, choice % DOWN_MS_MAX);
  }

  async #withWay(forMs: number, what: string, change: Partial<World['way']>): Promise<void> {
    const world = this.#world;
    const { lossShare, delayMsMax } = world.way;
    const lastsMs = forMs % BAD_WAY_MS_MAX;
    world.tell('the database', `${what} for ${lastsMs} ms`);
    Object.assign(world.way, change);
    world.counts.failures += 1;
    world.disturbAll(world.nowMs + lastsMs + 4 * SLOW_MS);
    await world.sleep(lastsMs);
    if (!world.isQuiet)
      Object.assign(world.way, { lossShare: Math.min(lossShare, 0), delayMsMax: Math.min(delayMsMax, 6) });
  }
}

function visibilityOf(number: number): Pick<KnownProperty, 'visibleTo' | 'isForAll'> {
  const visibleTo = [...PARTNERS, NEWBORN].filter((_, index) => ((number >> index) & 1) === 0);
  return { visibleTo, isForAll: visibleTo.length > PARTNERS.length };
}

function describe(intent: SentIntent): string {
  if (intent.kind === 'withdrawal') return `withdrawal of ${intent.propertyId}`;
  if (intent.kind === 'document')
    return `${intent.propertyId} is named ${intent.name} and seen by ${seersOf(intent)}`;
  return intent.entries
    .map(({ propertyId, units, rate }) => `${propertyId} has ${units} units at ${rate ?? '-'}`)
    .join(', ');
}

function seersOf({ isForAll, visibleTo }: Pick<KnownProperty, 'isForAll' | 'visibleTo'>): string {
  if (isForAll) return 'all';
  return visibleTo.length === 0 ? 'nobody' : visibleTo.join(' and ');
}
