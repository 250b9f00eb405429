/**
 * What the memory of a reader shows, as a state that there was. Where memory takes changes in pages, it may be between
 * two of them: everything up to a revision is as the last page found it, and the rest is older.
 */
import { PROPERTIES } from './base.ts';
import type { KnownProperty, State } from './known-truth.ts';
import type { Reader } from './service.ts';
import type { Place, World } from './world.ts';

/** One partner on one reader of one process, until that process ends. */
export interface Connection {
  /** States that it may show: of the present history or of a lost one. */
  states: readonly State[] | undefined;
  revision: number;
}

export type Connections = Map<string, Connection>;

export function connectionOf(connections: Connections, place: Place, reader: Reader): Connection {
  const key = `${place.name} ${place.generation} ${reader.number}`;
  if (!connections.has(key)) connections.set(key, { states: undefined, revision: 0 });
  return connections.get(key)!;
}

export interface Shown {
  /** Of the present history, or of a lost one. */
  readonly states: readonly State[];
  /** The newest state that no property is behind. */
  readonly newest: number;
  readonly state: State;
  /** Memory is between two pages. */
  readonly isCut: boolean;
}

/**
 * The states that the memory of a reader may show, which must be whole ones: of the present history and, until the loss
 * must have been noticed, of those that were lost. None: somebody has been blamed.
 */
export function judgeShown(
  world: World,
  place: Place,
  reader: Reader,
  connection: Connection,
): readonly Shown[] {
  const { known } = world;
  const held = heldBy(reader);
  world.counts.checks += 1;
  const states: readonly State[] = known.now.states;
  const claimed = reader.follower.shown()?.revision ?? 0;
  const from = connection.states === states ? connection.revision : 0;
  const present = findShown(world, { states, held, from });
  const all = present === undefined ? [] : [present];
  // Where reading the catalogue takes long, so does reading it again.
  const mayBeLost =
    known.lost.length > 0 &&
    (!world.knowsSince(place, world.restoredAtMs) ||
      world.nowMs < place.catalogueDisturbedUntilMs + world.knownMs);
  if (mayBeLost)
    for (const { states: lost } of known.lost) {
      const shown = findShown(world, { states: lost, held, from: 0 });
      if (shown !== undefined) all.push(shown);
    }
  if (all.length === 0) {
    const text = [...held].map(([id, revision]) => `${id} of ${revision ?? '-'}`).join(', ');
    const back = connection.states === states ? `, after ${connection.revision} was shown` : '';
    world.blame(place.name, `reader ${reader.number} shows no state that there was: ${text}${back}`);
    return [];
  }
  if (present === undefined) return all;
  if (claimed > present.newest && !mayBeLost)
    world.blame(place.name, `reader ${reader.number} says ${claimed} and shows ${present.newest}`);
  judgeAge(world, place, reader, present.newest);
  const oldest = present.isCut ? present.newest : oldestLike(states, held, present.newest);
  if (connection.states !== states || oldest > connection.revision)
    Object.assign(connection, { states, revision: oldest });
  return all;
}

/** What was hidden or changed a second ago is no longer as it was. */
function judgeAge(world: World, place: Place, reader: Reader, newest: number): void {
  const { timesMs } = world.known.now;
  const next = timesMs[newest + 1];
  if (next === undefined || world.nowMs < place.catalogueDisturbedUntilMs + world.knownMs) return;
  if (world.knowsSince(place, Math.max(next, world.restoredAtMs)))
    world.blame(
      place.name,
      `reader ${reader.number} shows ${newest}, ${Math.round(world.nowMs - next)} ms after ${newest + 1}`,
    );
}

type HeldRevisions = ReadonlyMap<string, number | undefined>;

export function heldBy({ catalogue }: Reader): HeldRevisions {
  return new Map(PROPERTIES.map((id) => [id as string, catalogue.revisionOf(id)]));
}

interface Search {
  readonly states: readonly State[];
  readonly held: HeldRevisions;
  /** At least this revision is shown. */
  readonly from: number;
}

function findShown(world: World, search: Search): Shown | undefined {
  const { states, held, from } = search;
  for (let revision = states.length - 1; revision >= from; revision -= 1)
    if (isLike(states[revision]!, held))
      return { states, newest: revision, state: states[revision]!, isCut: false };
  return world.story.sizes.follower === undefined ? undefined : findCut(search);
}

/** Memory between two pages, the last of which was read from any state. */
function findCut({ states, held, from }: Search): Shown | undefined {
  const lasts = new Map([...held].map(([id, revision]) => [id, lastLike(states, id, revision)] as const));
  const newest = Math.min(...lasts.values());
  if (newest < from) return undefined;
  const upTo = Math.max(...[...held.values()].map((revision) => revision ?? 0));
  const isRead = (state: State): boolean =>
    [...held].every(
      ([id, revision]) => (state.get(id)?.revision ?? 0) >= upTo || isHeldLike(state.get(id), revision),
    );
  if (!states.some((state, revision) => revision >= newest && isRead(state))) return undefined;
  const shown = [...lasts].map(([id, last]) => [id, states[last]!.get(id)] as const);
  const state = new Map(shown.filter((one): one is [string, KnownProperty] => one[1] !== undefined));
  return { states, newest, state, isCut: true };
}

/** The last state in which a property was as it is held; -1: there is none. */
function lastLike(states: readonly State[], id: string, revision: number | undefined): number {
  return states.findLastIndex((state) => isHeldLike(state.get(id), revision));
}

function isHeldLike(known: KnownProperty | undefined, revision: number | undefined): boolean {
  const isThere = known !== undefined && !known.isWithdrawn;
  return (isThere ? known.revision : undefined) === revision;
}

function oldestLike(states: readonly State[], held: HeldRevisions, newest: number): number {
  let oldest = newest;
  while (oldest > 0 && isLike(states[oldest - 1]!, held)) oldest -= 1;
  return oldest;
}

function isLike(state: State, held: HeldRevisions): boolean {
  for (const [id, revision] of held) if (!isHeldLike(state.get(id), revision)) return false;
  return true;
}
