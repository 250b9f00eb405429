/**
 * A database that exists only for simulating followers: commits happen at once, but every answer is computed at one
 * moment and arrives at another, in an order that the seed decides, or fails.
 */
import { markOfAccess } from '../../src/storage/access/access-mark.ts';
import { pageOfChanges } from '../../src/storage/catalogue/change-cursor.ts';
import { continueHistory } from '../../src/storage/history/history.ts';
import type { AccessRows, CredentialRow } from '../../src/storage/access/store.ts';
import type { ChangeCursor, FollowedProperty, WithdrawnProperty } from '../../src/storage/catalogue/store.ts';
import { type HistoryMark, NOTHING_READ } from '../../src/storage/history/revision.ts';
import { StorageUnavailable } from '../../src/storage/storage.ts';
import type { FollowerOptions } from './whole-follower.ts';

const CHANGES_PER_PAGE = 2;
/** Few, so that a follower that was away meets a history without the stamp that it knows. */
const STAMPS_KEPT = 3;

export class SimulatedDatabase {
  readonly storage: FollowerOptions['storage'];
  /** Commits, answers and refusals, in order, for the message of a failed test. */
  readonly events: string[] = [];
  /** Chance that a call fails, 0 to 1. */
  failureRate = 0.1;
  /** Share of commits with a stamp; the others are those of the release before. */
  stampedShare = 1;
  #revision = 0;
  #rows = new Map<string, FollowedProperty | WithdrawnProperty>();
  #credentials = new Map<string, CredentialRow>();
  /** By revision, ascending; of the newest STAMPS_KEPT. */
  #stamps = new Map<number, string>([[0, 'the first']]);
  readonly #random: () => number;
  #waiting: (() => void)[] = [];

  constructor(random: () => number) {
    this.#random = random;
    this.storage = {
      readHistory: (known) => this.#answer('readHistory', () => this.#continue(known)),
      readAccessState: () =>
        this.#answer('readAccessState', () => ({
          rows: this.access(),
          history: this.#continue(NOTHING_READ),
        })),
      readAccessMark: (known) =>
        this.#answer('readAccessMark', () => ({
          mark: markOfAccess(this.access()),
          history: this.#continue(known),
        })),
      findProperty: () => this.#answer('findProperty', () => undefined),
      readPropertyChanges: (after) =>
        this.#answer('readPropertyChanges', () => {
          const newest = this.#continue(after.history);
          const later = [...this.#rows.values()]
            .filter((row) => isBehind(row, after))
            .sort((a, b) => a.revision - b.revision || (idOf(a) < idOf(b) ? -1 : 1));
          const page = later.slice(0, CHANGES_PER_PAGE);
          return pageOfChanges(page, later.length > page.length, newest);
        }),
      openSnapshot: (known = NOTHING_READ) =>
        this.#answer('openSnapshot', () => {
          const [history, properties] = [this.#continue(known), this.properties()];
          const answer = this.#answer.bind(this);
          return {
            history,
            async *readProperties() {
              for (const property of properties) yield await answer('readProperties', () => [property]);
            },
            close: () => Promise.resolve(),
          };
        }),
    };
  }

  get revision(): number {
    return this.#revision;
  }

  properties(): FollowedProperty[] {
    const held = [...this.#rows.values()].filter((row) => 'property' in row);
    return held.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  }

  access(): AccessRows {
    return {
      partners: [],
      credentials: [...this.#credentials.values()],
      handoffKeys: [],
      operatorTokens: [],
      siteSettings: [],
    };
  }

  /** One transaction: all of it has one revision. */
  commit(puts: readonly FollowedProperty[], withdrawals: readonly string[]): void {
    this.#takeRevision();
    for (const put of puts) this.#rows.set(put.property.propertyId, { ...put, revision: this.#revision });
    for (const propertyId of withdrawals) {
      if (this.#rows.has(propertyId)) this.#rows.set(propertyId, { propertyId, revision: this.#revision });
    }
  }

  commitCredential(credential: CredentialRow): void {
    this.#takeRevision();
    this.#credentials.set(credential.credentialId, { ...credential, revision: this.#revision });
  }

  /** Puts the state of now back when it is called: all that was committed meanwhile is lost. */
  keep(): () => void {
    const kept = [this.#revision, this.#rows, this.#credentials, this.#stamps] as const;
    [this.#rows, this.#credentials, this.#stamps] = [new Map(kept[1]), new Map(kept[2]), new Map(kept[3])];
    return () => {
      this.events.push(`the database goes back from revision ${this.#revision} to ${kept[0]}`);
      this.#revision = kept[0];
      [this.#rows, this.#credentials, this.#stamps] = [new Map(kept[1]), new Map(kept[2]), new Map(kept[3])];
    };
  }

  /** Lets one waiting call, chosen by the seed, go a step further; false when none waits. */
  step(): boolean {
    const index = Math.floor(this.#random() * this.#waiting.length);
    const [proceed] = this.#waiting.splice(index, 1);
    proceed?.();
    return proceed !== undefined;
  }

  /** Waits until the simulation picks it; also the follower's pause. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #takeRevision(): void {
    this.#revision++;
    this.events.push(`revision ${this.#revision} is committed`);
    if (this.#random() >= this.stampedShare) return;
    this.#stamps.set(this.#revision, String(this.#random()));
    const [oldest] = this.#stamps.keys();
    if (this.#stamps.size > STAMPS_KEPT) this.#stamps.delete(oldest!);
  }

  #continue(known: HistoryMark): HistoryMark {
    const stampAt = (revision: number) =>
      [...this.#stamps].findLast(([stamped]) => stamped <= revision)?.[1] ?? '';
    const row = {
      newest_revision: this.#revision,
      newest_stamp: stampAt(this.#revision),
      known_stamp: stampAt(known.revision),
    };
    return continueHistory(row, known);
  }

  async #answer<T>(call: string, compute: () => T): Promise<T> {
    await this.turn();
    if (this.#random() < this.failureRate) {
      this.events.push(`${call} fails`);
      throw new StorageUnavailable('simulated');
    }
    const answer = compute();
    this.events.push(`${call} is computed at revision ${this.#revision}`);
    await this.turn();
    this.events.push(`${call} is answered`);
    return answer;
  }
}

function isBehind(row: FollowedProperty | WithdrawnProperty, after: ChangeCursor): boolean {
  return row.revision > after.revision || (row.revision === after.revision && idOf(row) > after.propertyId);
}

function idOf(row: FollowedProperty | WithdrawnProperty): string {
  return 'property' in row ? row.property.propertyId : row.propertyId;
}
