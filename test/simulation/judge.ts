/** The rules that hold for each answer, and at the end. Each function blames the process that breaks one. */
import { parseByteText } from '../../src/read-model/catalogue/byte-text.ts';
import { type Held, PROPERTIES, STAY } from './base.ts';
import { type KnownProperty, type Seen, seenBy, type State } from './known-truth.ts';
import type { Reader } from './service.ts';
import type { Place, World } from './world.ts';

const NIGHTS = STAY.checkOut - STAY.checkIn;
const GUESTS = 2;

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

/** Whether the process takes this token now; blames it for a wrong answer. */
export function judgeAccess(
  world: World,
  place: Place,
  reader: Reader,
  { partnerId, credentialId, token }: Held,
): boolean {
  const answer = reader.access.directory().authenticate(token, place.process.wallMs());
  const { revoked: allRevoked, stopped: allStopped, issued } = world.known.now;
  const revoked = allRevoked.get(credentialId);
  const stopped = allStopped.get(partnerId);
  const isRefused = revoked !== undefined || stopped?.isStopped === true;
  const changedAtMs = Math.max(issued.get(credentialId) ?? 0, revoked?.atMs ?? 0, stopped?.atMs ?? 0);
  world.counts.checks += 1;
  if (isRefused === answer.ok && world.knowsSince(place, Math.max(world.restoredAtMs, changedAtMs)))
    world.blame(
      place.name,
      answer.ok
        ? `takes ${credentialId}, which was revoked or stopped ${Math.round(world.nowMs - changedAtMs)} ms ago`
        : `does not take ${credentialId}, which is valid`,
    );
  return answer.ok;
}

interface Shown {
  readonly states: readonly State[];
  /** The newest and the oldest state that is as memory shows it. */
  readonly newest: number;
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
  const newest = newestLike(states, held, connection.states === states ? connection.revision : 0);
  const shownStates = newest === undefined ? [] : [{ states, newest }];
  // Where reading the catalogue takes long, so does reading it again.
  const mayBeLost =
    known.lost.length > 0 &&
    (!world.knowsSince(place, world.restoredAtMs) ||
      world.nowMs < place.catalogueDisturbedUntilMs + world.knownMs);
  if (mayBeLost) {
    for (const { states: lost } of known.lost) {
      const revision = newestLike(lost, held, 0);
      if (revision !== undefined) shownStates.push({ states: lost, newest: revision });
    }
  }
  const shown = reader.follower.shown();
  if (shownStates.length === 0) {
    const text = [...held].map(([id, revision]) => `${id} of ${revision ?? '-'}`).join(', ');
    const back = connection.states === known.now.states ? `, after ${connection.revision} was shown` : '';
    world.blame(place.name, `reader ${reader.number} shows no state that there was: ${text}${back}`);
    return [];
  }
  if (newest === undefined) return shownStates;
  if (shown !== undefined && shown.revision > newest && !mayBeLost)
    world.blame(place.name, `reader ${reader.number} says ${shown.revision} and shows ${newest}`);
  judgeAge(world, place, reader, newest);
  const oldest = oldestLike(states, held, newest);
  if (connection.states !== states || oldest > connection.revision)
    Object.assign(connection, { states, revision: oldest });
  return shownStates;
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

function heldBy({ catalogue }: Reader): HeldRevisions {
  return new Map(PROPERTIES.map((id) => [id as string, catalogue.revisionOf(id)]));
}

function newestLike(states: readonly State[], held: HeldRevisions, from: number): number | undefined {
  for (let revision = states.length - 1; revision >= from; revision -= 1)
    if (isLike(states[revision]!, held)) return revision;
  return undefined;
}

function oldestLike(states: readonly State[], held: HeldRevisions, newest: number): number {
  let oldest = newest;
  while (oldest > 0 && isLike(states[oldest - 1]!, held)) oldest -= 1;
  return oldest;
}

function isLike(state: State, held: HeldRevisions): boolean {
  for (const [id, revision] of held) {
    const known = state.get(id);
    const isThere = known !== undefined && !known.isWithdrawn;
    if ((isThere ? known.revision : undefined) !== revision) return false;
  }
  return true;
}

/** List, availability and price of one moment say the same, and what a state says. */
export async function judgeSearch(
  world: World,
  place: Place,
  reader: Reader,
  partnerId: string,
  connection: Connection,
): Promise<void> {
  const shown = judgeShown(world, place, reader, connection);
  if (shown.length === 0) return;
  const before = JSON.stringify([...heldBy(reader)]);
  const answers = await answersOf(reader, partnerId);
  // A frozen process may show another state when it goes on: prices are then of a later moment.
  if (JSON.stringify([...heldBy(reader)]) !== before) return;
  const wrongs = shown.map(({ states, newest }) => findWrong(answers, partnerId, states[newest]!));
  if (wrongs.every((wrong) => wrong !== undefined))
    world.blame(place.name, `answers ${partnerId} ${wrongs[0]}`);
}

/** What a partner is answered about one property. */
interface Answer {
  readonly propertyId: string;
  /** The name in the list of a search with the stay. */
  readonly listed: string | undefined;
  readonly isOpen: boolean;
  readonly isVisible: boolean;
  /** Of the stay, or the code of its refusal. */
  readonly price: string | undefined;
}

async function answersOf(reader: Reader, partnerId: string): Promise<readonly Answer[]> {
  const { catalogue } = reader;
  const listed = listOf(reader, partnerId);
  const seen = PROPERTIES.map((propertyId) => ({
    propertyId,
    listed: listed.get(propertyId),
    isOpen: isOpen(reader, partnerId, propertyId),
    isVisible: catalogue.isVisible(propertyId, partnerId),
  }));
  const stay = { ...STAY, guests: GUESTS };
  const priced = await catalogue.prices.ofProperties(PROPERTIES, {
    partnerId,
    asker: partnerId,
    stay,
  });
  if (priced === 'busy') throw new Error('prices are busy, though nobody else asks');
  return seen.map((one, index) => ({ ...one, price: priceOf(priced[index]!) }));
}

function priceOf({ code, pricing }: { readonly code: string | null; readonly pricing: string }): string {
  return code ?? (JSON.parse(pricing) as { readonly total: string }).total;
}

function findWrong(answers: readonly Answer[], partnerId: string, state: State): string | undefined {
  for (const answer of answers) {
    const seen = seenBy(partnerId, state.get(answer.propertyId));
    const isOpen = seen?.isOpen === true;
    const isRight =
      answer.isVisible === (seen !== undefined) &&
      answer.isOpen === isOpen &&
      answer.listed === (isOpen ? seen.name : undefined) &&
      answer.price === priceIn(seen);
    if (!isRight) return `${JSON.stringify(answer)}; it is ${JSON.stringify(seen)}`;
  }
  return undefined;
}

/** What a price request says of a property that is seen so: a total, or the code of a refusal. */
export function priceIn(seen: Seen | undefined): string {
  if (seen === undefined) return 'PROPERTY_NOT_FOUND';
  if (!seen.isOpen) return 'STAY_UNAVAILABLE';
  return seen.rate === 0 ? 'QUOTE_UNAVAILABLE' : totalOf(seen);
}

export function totalOf({ rate, hasDiscount }: Seen): string {
  const share = hasDiscount ? 0.9 : 1;
  return ((rate * NIGHTS * share) / 100).toFixed(2);
}

/** Names by id of a search with the stay. */
function listOf({ catalogue }: Reader, partnerId: string): ReadonlyMap<string, string> {
  const query = {
    city: 'venezia',
    page: 1,
    pageSize: 20,
    partnerId,
    locale: 'it-IT',
    guests: GUESTS,
  } as const;
  const list = catalogue.list({ ...query, stay: STAY });
  const { items } = JSON.parse(Buffer.from(list).toString()) as {
    readonly items: readonly { readonly propertyId: string; readonly name: string }[];
  };
  return new Map(items.map(({ propertyId, name }) => [propertyId, name]));
}

function isOpen({ catalogue }: Reader, partnerId: string, propertyId: string): boolean {
  const body = catalogue.findAvailability({ ...STAY, propertyId, guests: GUESTS, partnerId });
  return body !== undefined && (JSON.parse(body) as { readonly available: boolean }).available;
}

/** What a partner reads of one property: its content, and its calendar. */
export interface ReadProperty {
  readonly name: string;
  readonly days: string;
}

export function readProperty(
  { catalogue }: Reader,
  partnerId: string,
  propertyId: string,
): ReadProperty | undefined {
  const summary = catalogue.findSummary(propertyId, 'it-IT', partnerId);
  const availability = catalogue.findAvailability({ ...STAY, propertyId, guests: GUESTS, partnerId });
  if (summary === undefined || availability === undefined) return undefined;
  const { name, startingPrice } = parseByteText(summary) as {
    readonly name: string;
    readonly startingPrice: string | null;
  };
  return { name, days: `${(JSON.parse(availability) as { available: boolean }).available} ${startingPrice}` };
}

/** The same, as it should be. */
export function wantedOf(partnerId: string, known: KnownProperty | undefined): ReadProperty | undefined {
  const seen = seenBy(partnerId, known);
  if (seen === undefined) return undefined;
  return {
    name: seen.name,
    days: `${seen.isOpen} ${seen.isOpen && seen.rate > 0 ? (seen.rate / 100).toFixed(2) : null}`,
  };
}
