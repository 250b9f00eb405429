/** A copy that a partner keeps by the feed alone, reading what changed from the thread that told it. */
import type { FeedAnswer } from '../../src/partner/changes/change-feed.ts';
import { type Held, PROPERTIES } from './base.ts';
import { judgePoll } from './deadlines.ts';
import { judgeAccess, type ReadProperty, readProperty, wantedOf } from './judge.ts';
import type { Reader } from './service.ts';
import { judgeShown } from './shown.ts';
import type { Place, World } from './world.ts';

const LIMITS = [1, 1, 2, 9];
const OLD_MS = [0, 0, 200];
const WAIT_MS = 3_000;
/** A client that waits gives up later than one that does not. */
const POLL_MS_MAX = 4_500;

export class Copy {
  readonly partnerId: string;
  cursor: string | undefined;
  readonly #world: World;
  #kept = new Map<string, ReadProperty>();
  /** The newest state that it may have read. */
  #readUpTo = 0;
  /** One question at a time. */
  isAsking = false;

  constructor(world: World, partnerId: string) {
    this.#world = world;
    this.partnerId = partnerId;
  }

  /** Whether it can ask at all. */
  get isLetIn(): boolean {
    const isStopped = this.#world.known.now.stopped.get(this.partnerId)?.isStopped === true;
    return !isStopped && this.#credential() !== undefined;
  }

  /** One that is in force, and does not end. */
  #credential(): Held | undefined {
    const { held, known } = this.#world;
    const { revoked, ending } = known.now;
    return held.findLast(
      ({ partnerId, credentialId }) =>
        partnerId === this.partnerId && !revoked.has(credentialId) && !ending.has(credentialId),
    );
  }

  /** One page. Returns whether there may be more; undefined if there was no answer. */
  async ask(
    place: Place,
    readerNumber: number,
    { choice, waits = false }: { readonly choice: number; readonly waits?: boolean },
  ): Promise<boolean | undefined> {
    const world = this.#world;
    const reader = world.readerOf(place, readerNumber);
    const held = this.#credential();
    if (reader === undefined || held === undefined || this.isAsking) return undefined;
    this.isAsking = true;
    const { cursor: since, partnerId } = this;
    const limit = LIMITS[choice % LIMITS.length]!;
    const mayBeOldMs = world.isQuiet ? 0 : OLD_MS[choice % OLD_MS.length]!;
    const begunAtMs = world.nowMs;
    const answered = await world.request(
      place,
      async () => {
        if (reader.readiness() !== 'ready' || !judgeAccess(world, place, reader, held)) return undefined;
        const question = { partnerId, since, limit, mayBeOldMs };
        const answer = waits
          ? await reader.longPolls.ask({
              feed: reader.feed,
              question,
              credentialId: partnerId,
              waitMs: WAIT_MS,
              signal: NEVER,
            })
          : await reader.feed.ask(question);
        // Who was stopped meanwhile is told nothing.
        if (answer === 'full' || (waits && !judgeAccess(world, place, reader, held))) return undefined;
        if (waits && since !== undefined && answer.refused === undefined)
          judgePoll(world, place, partnerId, begunAtMs);
        // Read in the same moment: memory shows at least what was told.
        return this.#read(place, reader, since, answer);
      },
      waits ? POLL_MS_MAX : undefined,
    );
    this.isAsking = false;
    return answered?.value === undefined ? undefined : answered.value();
  }

  /** Reads what the answer names; the result takes it over when it has arrived. */
  #read(place: Place, reader: Reader, since: string | undefined, answer: FeedAnswer): () => boolean {
    const world = this.#world;
    const { partnerId } = this;
    if (answer.refused !== undefined) {
      const { refused } = answer;
      if (refused === 'invalid')
        world.blame(place.name, `does not take a cursor that ${partnerId} was given`);
      return () => {
        world.tell(partnerId, `is refused by ${place.name}: ${refused}`);
        if (refused === 'reset') this.cursor = undefined;
        return true;
      };
    }
    const { changes, hasMore, next } = answer;
    for (const { propertyId, change } of changes)
      if (change === 'gone' && world.known.everSeen.get(partnerId)?.has(propertyId) !== true)
        world.blame(place.name, `tells ${partnerId} that ${propertyId} is gone, which it never saw`);
    const all =
      since === undefined ? PROPERTIES.map((propertyId) => ({ propertyId, change: 'content' })) : changes;
    const shown = judgeShown(world, place, reader, { states: undefined, revision: 0 });
    const reads = all.map(({ propertyId, change }) => ({
      propertyId,
      change,
      read: readProperty(reader, partnerId, propertyId),
    }));
    const newest = Math.max(...shown.map((one) => one.newest));
    const isOfLost = shown.some(({ states }) => states !== world.known.now.states);
    const { restoredAtMs } = world;
    return () => {
      const told = changes.map(({ propertyId, change }) => `${propertyId} ${change}`).join(', ');
      world.tell(
        partnerId,
        `is told by ${place.name}, reader ${reader.number}: ${told}${hasMore ? ' …' : ''}`,
      );
      if (since === undefined) this.#kept.clear();
      for (const { propertyId, change, read } of reads) this.#take(propertyId, change, read);
      this.cursor = next;
      this.#readUpTo = Math.max(this.#readUpTo, newest);
      // The database went back meanwhile, or memory does not know yet that it did.
      if (isOfLost || world.restoredAtMs !== restoredAtMs) this.goBackTo(world.restoredRevision);
      return hasMore || changes.length > 0;
    };
  }

  #take(propertyId: string, change: string, read: ReadProperty | undefined): void {
    const kept = this.#kept.get(propertyId);
    if (change === 'gone' || read === undefined) this.#kept.delete(propertyId);
    // A partner that is told of the calendar reads the calendar alone.
    else if (change === 'content') this.#kept.set(propertyId, read);
    else if (kept !== undefined) this.#kept.set(propertyId, { ...kept, days: read.days });
  }

  /**
   * After a restore. Memory may be ahead of what the feed has told, and what a partner read there may be lost while its
   * cursor is not: nobody can tell it so.
   */
  goBackTo(revision: number): void {
    if (this.#readUpTo > revision && this.cursor !== undefined) {
      this.#world.tell(this.partnerId, 'begins again: it has read what the database has lost');
      this.cursor = undefined;
      this.#readUpTo = 0;
    }
  }

  /** Undefined where the copy equals what the partner can read now. */
  difference(): string | undefined {
    for (const id of PROPERTIES) {
      const wanted = JSON.stringify(wantedOf(this.partnerId, this.#world.known.newest.get(id)));
      const kept = JSON.stringify(this.#kept.get(id));
      if (wanted !== kept) return `${this.partnerId} can read ${wanted} of ${id}, and keeps ${kept}`;
    }
    return undefined;
  }
}

const NEVER = new AbortController().signal;
