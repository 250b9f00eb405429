/** Follows the commits of writers in their order, by the checker's rules, and judges what each was answered. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { decodeCalendar } from '../../src/domain/calendar-codec.ts';
import type { SupplyAnswer, SupplyMessage } from '../../src/domain/ledger/message.ts';
import type { PropertyWrite, WriteOutcome } from '../../src/domain/ledger/stored-write.ts';
import { valueAt } from '../../src/domain/night-runs.ts';
import type { FollowedProperty } from '../../src/storage/catalogue/store.ts';
import { type Storage, StorageUnavailable } from '../../src/storage/storage.ts';
import { START_MS } from './base.ts';
import { applyIntent, importKeyOf, type KnownProperty, KnownTruth, type State } from './known-truth.ts';
import { Process, Scheduler } from './scheduler.ts';
import { FIRST_NIGHT } from './shapes.ts';
import { aside, type Writer } from './writers.ts';

type Outcome = Extract<SupplyAnswer, { kind: 'done' }>['outcome'];
type Followed = Pick<Storage, 'applySupply' | 'writeProperties' | 'withdrawProperties'>;

interface Call {
  readonly name: keyof Followed;
  readonly args: readonly unknown[];
  /** Undefined: the answer was lost. */
  readonly result: unknown;
}

/** The checker asks for the name alone. */
const WRITER = new Process(new Scheduler(1, START_MS), 'writer');

export class CommitJudge {
  readonly known = new KnownTruth();
  /** By source and idempotency key, the target that used it first. */
  readonly keys = new Map<string, string>();
  readonly seen: Record<string, number>;
  readonly #readRevision: () => Promise<number>;

  constructor(seen: Record<string, number>, readRevision: () => Promise<number>) {
    this.seen = seen;
    this.#readRevision = readRevision;
  }

  /**
   * The storage of a writer, with all its commits followed: nobody else has a turn between a commit and the end of its
   * call, as long as COMMIT is the last statement of that.
   */
  follow(writer: Writer): Storage {
    const { storage } = writer;
    const follow = (name: keyof Followed) => {
      const call = storage[name] as (...args: readonly unknown[]) => Promise<unknown>;
      return async (...args: readonly unknown[]) => {
        const from = this.known.revision;
        writer.hasLostCommit = false;
        const [done] = await Promise.allSettled([call(...args)]);
        if (done.status === 'fulfilled') await this.#judge({ name, args, result: done.value }, from);
        else if (writer.hasLostCommit && done.reason instanceof StorageUnavailable) {
          this.seen['lostCommits']! += 1;
          await this.#judge({ name, args, result: await this.#findResult(storage, name, args) }, from);
        }
        if (done.status === 'rejected') throw done.reason;
        return done.value;
      };
    };
    return {
      ...storage,
      applySupply: follow('applySupply') as Storage['applySupply'],
      writeProperties: follow('writeProperties') as Storage['writeProperties'],
      withdrawProperties: follow('withdrawProperties') as Storage['withdrawProperties'],
    };
  }

  /** What a message would have been answered. */
  async #findResult(
    storage: Storage,
    name: keyof Followed,
    [message]: readonly unknown[],
  ): Promise<SupplyAnswer | undefined> {
    if (name !== 'applySupply') return undefined;
    const { source, idempotency, messageId } = message as SupplyMessage;
    const stored = await aside(() => storage.findSupplyKey(source, idempotency?.key ?? ''));
    if (stored !== undefined && stored.bodyHash !== idempotency?.bodyHash) return { kind: 'key-reused' };
    // A message that is refused leaves its key free; a retirement has none.
    const verdict = idempotency === null ? 'applied' : 'refused';
    const { outcome = { verdict, revision: await aside(this.#readRevision), messageId } } = stored ?? {};
    const isReplayed = outcome.messageId !== messageId;
    return { kind: 'done', isReplayed, outcome: outcome as Outcome };
  }

  async #judge(call: Call, from: number): Promise<void> {
    const revision = await aside(this.#readRevision);
    const { known } = this;
    const { revision: revisionBefore, newest: before } = known;
    if (call.name === 'writeProperties' && revision === revisionBefore)
      return this.#judgeUnchanged(call, from);
    assert.equal(known.follow({ process: WRITER, ...call }, revision, 0), undefined);
    const isChanged = [...known.newest.values()].some((property) => {
      const old = before.get(property.propertyId);
      return property !== old && !(property.isWithdrawn && isGone(old));
    });
    assert.equal(revision, revisionBefore + Number(isChanged), `${call.name} and the revision`);
    if (call.result !== undefined) this.#judgeResult(call, { before, revision });
  }

  #judgeResult(
    { name, args: [first], result }: Call,
    { before, revision }: { readonly before: State; readonly revision: number },
  ): void {
    if (name === 'applySupply')
      return this.#judgeMessage(first as SupplyMessage, result as SupplyAnswer, { before, revision });
    const wanted =
      name === 'writeProperties'
        ? (first as readonly PropertyWrite[]).map(({ property: { propertyId } }): WriteOutcome => {
            if (isGone(before.get(propertyId))) return 'created';
            return this.known.newest.get(propertyId) === before.get(propertyId) ? 'unchanged' : 'changed';
          })
        : (first as readonly string[]).filter((propertyId) => !isGone(before.get(propertyId))).length;
    assert.deepEqual(result, wanted);
  }

  /** An import finds first that all is as it says: that was so at some moment since it began. */
  #judgeUnchanged({ args: [writes], result }: Call, from: number): void {
    const names = (writes as readonly PropertyWrite[]).map(({ property }) => String(property.name));
    const intents = names.map((name) => this.known.intents.get(importKeyOf(name))!);
    const wasSo = (state: State): boolean => {
      const after = intents.reduce(applyIntent, new Map(state));
      return [...after].every(([id, property]) => property === state.get(id));
    };
    assert.ok(this.known.now.states.slice(from).some(wasSo), `${names.join(', ')}: not imported`);
    if (result !== undefined) assert.ok((result as readonly string[]).every((one) => one === 'unchanged'));
    this.seen['unchanged']! += 1;
  }

  /** A key is applied once, and answers for its own message alone; a property that is not there is refused. */
  #judgeMessage(
    { source, idempotency, work }: SupplyMessage,
    answer: SupplyAnswer,
    { before, revision }: { readonly before: State; readonly revision: number },
  ): void {
    if (idempotency === null) return assert.equal(answer.kind, 'done');
    const key = `${source} ${idempotency.key}`;
    const target = idempotency.bodyHash.split(' ')[0]!;
    const first = this.keys.get(key);
    if (first !== undefined && first !== target) {
      this.seen['reused']! += 1;
      return assert.equal(answer.kind, 'key-reused');
    }
    assert.ok(answer.kind === 'done', `${key} was never used`);
    const { isReplayed, outcome } = answer;
    assert.equal(isReplayed, first !== undefined, key);
    if (isReplayed) return void (this.seen['replayed']! += 1);
    assert.equal(outcome.revision, revision);
    const ids =
      work.kind === 'calendars' ? work.propertyIds : work.kind === 'withdrawal' ? [work.propertyId] : [];
    const isRefused = ids.some((id) => isGone(before.get(id)));
    assert.equal(outcome.verdict, isRefused ? 'refused' : 'applied', target);
    if (isRefused) this.seen['refused']! += 1;
    else this.keys.set(key, target);
  }

  // What readers are shown.

  /** All properties of one revision, and nothing else. */
  assertShown(shown: ReadonlyMap<string, object>, revision: number): void {
    const state = this.known.now.states[revision];
    assert.ok(state, `nobody has committed ${revision}`);
    const wanted = [...state]
      .filter(([, known]) => !isGone(known))
      .map(([id, known]) => [id, wantedOf(known)] as const);
    assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(wanted), `revision ${revision}`);
  }

  /** One property with its layers, as it was at some moment since `from`. */
  async assertLayers(storage: Storage, propertyId: string, from: number): Promise<void> {
    const found = await storage.findLayers(propertyId);
    const shown =
      found === undefined ? undefined : { ...pictureOfStored(found.stored), layers: unitsOf(found.layers) };
    const wanted = this.known.now.states.slice(from).map((state) => {
      const known = state.get(propertyId);
      const picture = wantedOf(known);
      return picture && { ...picture, layers: known?.units };
    });
    const isSo = wanted.some((one) => isDeepStrictEqual(one, shown));
    assert.ok(isSo, `${propertyId} is never so: ${JSON.stringify({ shown, wanted })}`);
  }

  /** The rows of changes are of one revision, and say when each property changed last. */
  async assertFeed(storage: Storage): Promise<void> {
    const { changes, readFrom } = await storage.readChanges({ revision: -1, propertyId: '' }, 100);
    const states = this.known.now.states.slice(0, (readFrom?.revision ?? 0) + 1).toReversed();
    for (const { propertyId, row } of changes) {
      const now = states[0]!.get(propertyId);
      assert.deepEqual(row.visibleTo, wantedOf(now)?.visibleTo ?? [], propertyId);
      if (isGone(now)) continue;
      // A property that comes back as it was has not changed.
      const present = states
        .map((state) => state.get(propertyId))
        .flatMap((known) => (known === undefined || known.isWithdrawn ? [] : [known]));
      const lastChange = (partOf: (known: KnownProperty) => unknown): number => {
        const other = present.findIndex((known) => !isDeepStrictEqual(partOf(known), partOf(now!)));
        return present.slice(0, other === -1 ? undefined : other).at(-1)!.revision;
      };
      const wanted = {
        contentRevision: lastChange(({ name }) => name),
        calendarRevision: lastChange((known) => [wantedOf(known)?.units, wantedOf(known)?.rate]),
      };
      const { contentRevision, calendarRevision } = row;
      assert.deepEqual({ contentRevision, calendarRevision }, wanted, propertyId);
    }
  }

  /** As a quote reads it: the newest. */
  async assertNewest(storage: Storage, propertyId: string): Promise<void> {
    const stored = await storage.findProperty(propertyId);
    const known = this.known.newest.get(propertyId);
    assert.deepEqual(stored && pictureOfStored(stored), wantedOf(known));
  }
}

function isGone(known: KnownProperty | undefined): boolean {
  return known?.isWithdrawn ?? true;
}

interface Picture {
  readonly name: unknown;
  readonly visibleTo: unknown;
  /** Of the first night. */
  readonly units: unknown;
  readonly rate: unknown;
}

/** Undefined: it is not there. */
function wantedOf(known: KnownProperty | undefined): Picture | undefined {
  if (known === undefined || known.isWithdrawn) return undefined;
  const { name, isForAll, visibleTo, units, rate } = known;
  const all = Object.values(units);
  return {
    name,
    visibleTo: isForAll ? 'all' : visibleTo,
    units: all.length === 0 ? undefined : Math.min(...all),
    rate: rate === 0 ? undefined : rate,
  };
}

export function pictureOf({
  property: { name, visibleTo },
  nights,
  rates,
}: Pick<FollowedProperty, 'property' | 'nights' | 'rates'>): Picture {
  const { availability, rate } = decodeCalendar(nights[0]!, rates[0]);
  return { name, visibleTo, units: valueAt(availability, FIRST_NIGHT), rate: valueAt(rate, FIRST_NIGHT) };
}

function pictureOfStored({
  property,
  calendars,
}: NonNullable<Awaited<ReturnType<Storage['findProperty']>>>): Picture {
  return pictureOf({
    property,
    nights: calendars.map((one) => one.nights),
    rates: calendars.map((one) => one.rates),
  });
}

function unitsOf(layers: readonly { readonly source: string; readonly nights: Uint8Array }[]): object {
  return Object.fromEntries(
    layers
      .map(({ source, nights }) => [source, valueAt(decodeCalendar(nights).availability, FIRST_NIGHT)])
      .filter(([, units]) => units !== undefined),
  );
}
