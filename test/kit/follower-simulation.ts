/**
 * A database that exists only for simulating followers: commits happen at once, but every answer is computed at one
 * moment and arrives at another, in an order that the seed decides, or fails.
 */
import { markOfAccess } from '../../src/storage/access-mark.ts';
import { pageOfChanges } from '../../src/storage/change-cursor.ts';
import type { AccessRows, CredentialRow } from '../../src/storage/port/access-store.ts';
import type {
  ChangeCursor,
  FollowedProperty,
  WithdrawnProperty,
} from '../../src/storage/port/catalogue-store.ts';
import { StorageUnavailable } from '../../src/storage/storage.ts';
import type { FollowerOptions } from '../../src/following/follower.ts';

const CHANGES_PER_PAGE = 2;

export class SimulatedDatabase {
  readonly storage: FollowerOptions['storage'];
  /** Chance that a call fails, 0 to 1. */
  failureRate = 0.1;
  #revision = 0;
  readonly #rows = new Map<string, FollowedProperty | WithdrawnProperty>();
  readonly #credentials = new Map<string, CredentialRow>();
  readonly #random: () => number;
  #waiting: (() => void)[] = [];

  constructor(random: () => number) {
    this.#random = random;
    this.storage = {
      readRevision: () => this.#answer(() => this.#revision),
      readAccess: () => this.#answer(() => this.access()),
      readAccessMark: () => this.#answer(() => markOfAccess(this.access())),
      findProperty: () => this.#answer(() => undefined),
      readPropertyChanges: (after) =>
        this.#answer(() => {
          const later = [...this.#rows.values()]
            .filter((row) => isBehind(row, after))
            .sort((a, b) => a.revision - b.revision || (idOf(a) < idOf(b) ? -1 : 1));
          const page = later.slice(0, CHANGES_PER_PAGE);
          return pageOfChanges(page, later.length > page.length, this.#revision);
        }),
      openSnapshot: () =>
        this.#answer(() => {
          const [revision, properties] = [this.#revision, this.properties()];
          const answer = this.#answer.bind(this);
          return {
            revision,
            async *readProperties() {
              for (const property of properties) yield await answer(() => [property]);
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
    };
  }

  /** One transaction: all of it has one revision. */
  commit(puts: readonly FollowedProperty[], withdrawals: readonly string[]): void {
    this.#revision++;
    for (const put of puts) this.#rows.set(put.property.propertyId, { ...put, revision: this.#revision });
    for (const propertyId of withdrawals) {
      if (this.#rows.has(propertyId)) this.#rows.set(propertyId, { propertyId, revision: this.#revision });
    }
  }

  commitCredential(credential: CredentialRow): void {
    this.#revision++;
    this.#credentials.set(credential.credentialId, { ...credential, revision: this.#revision });
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

  async #answer<T>(compute: () => T): Promise<T> {
    await this.turn();
    if (this.#random() < this.failureRate) throw new StorageUnavailable('simulated');
    const answer = compute();
    await this.turn();
    return answer;
  }
}

function isBehind(row: FollowedProperty | WithdrawnProperty, after: ChangeCursor): boolean {
  return row.revision > after.revision || (row.revision === after.revision && idOf(row) > after.propertyId);
}

function idOf(row: FollowedProperty | WithdrawnProperty): string {
  return 'property' in row ? row.property.propertyId : row.propertyId;
}
