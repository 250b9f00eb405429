/**
 * Copies that partners keep by the feed alone, against what they see, after many random changes. The model knows what
 * each partner could have read at some commit, and nothing of how the feed works.
 */
import assert from 'node:assert/strict';
import type { Property } from '../../../src/domain/property.ts';
import { encodeNights, encodeRates } from '../../../src/domain/calendar-codec.ts';
import { buildCalendar } from '../../../src/domain/calendar.ts';
import { buildLowestRates } from '../../../src/domain/lowest-rates.ts';
import type { PropertyWrite } from '../../../src/domain/ledger/stored-write.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { HORIZON_NIGHTS, makeProperty, seededRandom, TODAY } from '../../kit/catalogue-samples.ts';
import { samplePartner } from '../storage/sample-rows.ts';
import { type Serving, serveFeed, toldOf } from './feed-fixture.ts';

const PROPERTY_IDS = Array.from({ length: 12 }, (_, index) => `p${String(index).padStart(2, '0')}`);
/** The last two are created on the way; the names are those of members that every object has. */
const PARTNER_IDS = ['acme', 'bolt', 'constructor', 'toString'];
const EARLY_PARTNERS = 2;
const LIMITS = [1, 2, 3, 1_000];

export interface CopyRun {
  readonly storage: Storage;
  /** On the same database, beside the storage. */
  readonly execute: (sql: string) => Promise<void>;
  readonly changeCount: number;
  readonly seed: number;
}

interface State {
  readonly name: number;
  readonly rate: number;
  readonly visibleTo: Property['visibleTo'];
}

/** What is in the database, and who could have read what at some commit. */
class Model {
  readonly states = new Map<string, State>();
  readonly everSeen = new Map<string, Set<string>>();
  readonly partners: string[] = [];

  addPartner(partnerId: string): void {
    this.partners.push(partnerId);
    this.everSeen.set(partnerId, new Set());
    this.commit();
  }

  sees(partnerId: string, propertyId: string): State | undefined {
    const state = this.states.get(propertyId);
    if (state === undefined) return undefined;
    return state.visibleTo === 'all' || state.visibleTo.includes(partnerId) ? state : undefined;
  }

  commit(): void {
    for (const partnerId of this.partners)
      for (const propertyId of this.states.keys())
        if (this.sees(partnerId, propertyId) !== undefined) this.everSeen.get(partnerId)!.add(propertyId);
  }
}

interface Copier {
  readonly partnerId: string;
  cursor: string;
  readonly copy: Map<string, string>;
  /** The property is here only where the last thing that was told of it is that it is gone. */
  readonly gone: Set<string>;
}

function writeOf(propertyId: string, { name, rate, visibleTo }: State): PropertyWrite {
  const calendar = buildCalendar([{ from: TODAY, to: TODAY + 30, set: { availability: 1, rate } }]);
  return {
    property: makeProperty(propertyId, { name: `Name ${name}`, visibleTo }, [2]),
    source: 'test',
    lowestRates: buildLowestRates([calendar], HORIZON_NIGHTS),
    calendars: [{ inventoryTypeId: 't0', nights: encodeNights(calendar), rates: encodeRates(calendar) }],
  };
}

function readProperty({ catalogue }: Serving, partnerId: string, propertyId: string): string | undefined {
  const body = catalogue.findSummary(propertyId, 'it-IT', partnerId);
  return body === undefined ? undefined : Buffer.from(body as unknown as string, 'latin1').toString('utf8');
}

/** Runs the changes; throws where a copy is not true, or a name is told that never could be seen. */
export async function keepTrueCopies({ storage, execute, changeCount, seed }: CopyRun): Promise<void> {
  const random = seededRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const model = new Model();
  const copiers: Copier[] = [];
  /** Written by a release that knows nothing of changes, and not by this one since. */
  const byEarlier = new Set<string>();
  let version = 0;
  let serving = await serveFeed(storage);

  async function addPartner(partnerId: string): Promise<void> {
    await storage.putPartner(samplePartner(partnerId));
    model.addPartner(partnerId);
    await serving.level();
    copiers.push({ partnerId, cursor: '', copy: new Map(), gone: new Set() });
    await begin(copiers.at(-1)!);
  }

  async function begin(copier: Copier): Promise<void> {
    const first = toldOf(await serving.feed.ask({ partnerId: copier.partnerId, since: undefined, limit: 1 }));
    assert.deepEqual([first.changes, first.hasMore], [[], false]);
    copier.cursor = first.next;
    copier.copy.clear();
    for (const propertyId of PROPERTY_IDS) read(copier, propertyId);
  }

  function read({ partnerId, copy, gone }: Copier, propertyId: string): void {
    const body = readProperty(serving, partnerId, propertyId);
    gone.delete(propertyId);
    if (body === undefined) copy.delete(propertyId);
    else copy.set(propertyId, body);
  }

  /** Returns whether there was anything to tell. */
  async function follow(copier: Copier, limit: number): Promise<boolean> {
    const { partnerId, copy, gone } = copier;
    const told = toldOf(await serving.feed.ask({ partnerId, since: copier.cursor, limit }));
    assert.ok(told.changes.length <= limit);
    const ids = told.changes.map((one) => one.propertyId);
    assert.equal(new Set(ids).size, ids.length, 'each once');
    for (const { propertyId, change } of told.changes) {
      const seen = model.everSeen.get(partnerId)!;
      assert.ok(seen.has(propertyId), `${partnerId} was told of ${propertyId}, which it never could see`);
      if (change === 'gone') {
        copy.delete(propertyId);
        gone.add(propertyId);
      } else read(copier, propertyId);
    }
    copier.cursor = told.next;
    return told.changes.length > 0 || told.hasMore;
  }

  async function compareAll(): Promise<void> {
    await serving.level();
    for (const copier of copiers) {
      while (await follow(copier, 1_000));
      const { partnerId, copy } = copier;
      for (const propertyId of PROPERTY_IDS) {
        const isSeen = model.sees(partnerId, propertyId) !== undefined;
        const now = readProperty(serving, partnerId, propertyId);
        assert.equal(now !== undefined, isSeen, `the catalogue shows ${propertyId} to ${partnerId}`);
        assert.equal(copy.get(propertyId), now, `${partnerId} has a true copy of ${propertyId}`);
      }
    }
  }

  function newState(before: State | undefined): State {
    version += 1;
    const visible: Property['visibleTo'] = pick([
      'all',
      'all',
      [],
      ...PARTNER_IDS.map((id) => [id]),
      PARTNER_IDS.slice(0, 2),
      PARTNER_IDS.slice(1),
    ] as const);
    if (before === undefined) return { name: version, rate: 10_000 + version, visibleTo: visible };
    const kind = random();
    if (kind < 0.3) return { ...before, rate: 10_000 + version };
    if (kind < 0.5) return { ...before, name: version };
    if (kind < 0.55) return before;
    return { ...before, visibleTo: visible };
  }

  async function change(): Promise<void> {
    const ids = [...new Set(Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(PROPERTY_IDS)))];
    if (random() < 0.15) {
      await storage.withdrawProperties(ids);
      for (const id of ids) model.states.delete(id);
    } else {
      const written = ids.map((id) => [id, newState(model.states.get(id))] as const);
      const isEarlier = random() < 0.03 && ids.every((id) => !byEarlier.has(id) && model.states.has(id));
      if (isEarlier) await execute('CREATE TABLE kept_changes AS SELECT * FROM property_changes');
      await storage.writeProperties(written.map(([id, state]) => writeOf(id, state)));
      if (isEarlier)
        await execute(`DELETE FROM property_changes; INSERT INTO property_changes SELECT * FROM kept_changes;
          DROP TABLE kept_changes`);
      for (const [id, state] of written) {
        model.states.set(id, state);
        if (isEarlier) byEarlier.add(id);
      }
    }
    // What left what is stored as it was did not write.
    if (random() < 0.2) {
      const settled = [...byEarlier]
        .filter((id) => model.states.has(id))
        .map((id) => [id, newState(undefined)] as const);
      await storage.writeProperties(settled.map(([id, state]) => writeOf(id, state)));
      for (const [id, state] of settled) model.states.set(id, state);
      if (settled.length > 0) byEarlier.clear();
    }
    model.commit();
  }

  try {
    for (const partnerId of PARTNER_IDS.slice(0, EARLY_PARTNERS)) await addPartner(partnerId);
    for (let count = 1; count <= changeCount; count += 1) {
      await change();
      if (random() < 0.3) await follow(pick(copiers), pick(LIMITS));
      if (count % 50 === 0) await compareAll();
      if (count % 150 === 0) {
        await serving.stop();
        serving = await serveFeed(storage);
      }
      const next = PARTNER_IDS[copiers.length];
      if (next !== undefined && count === Math.floor((changeCount * (copiers.length - 1)) / 4))
        await addPartner(next);
      if (random() < 0.01) await begin(pick(copiers));
    }
    await compareAll();
  } finally {
    await serving.stop();
  }
}
