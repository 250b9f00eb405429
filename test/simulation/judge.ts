/** The rules that hold for each answer, and at the end. Each function blames the process that breaks one. */
import type { IncomingMessage } from 'node:http';
import { parseByteText } from '../../src/read-model/catalogue/bodies/byte-text.ts';
import { type Held, PROPERTIES } from './base.ts';
import type { KnownProperty, State } from './known-truth.ts';
import { GUESTS, type Seen, seenBy } from './seen.ts';
import type { Reader } from './service.ts';
import { type Connection, heldBy, judgeShown } from './shown.ts';
import { usualStay } from './today.ts';
import type { Place, World } from './world.ts';

const PAGE_SIZE = 20;
/** In the networks of credentials that have some, and outside of them. */
const WITHIN = '192.0.2.7';
const ELSEWHERE = '198.51.100.7';

/** Whether the process takes this token now; blames it for a wrong answer. */
export function judgeAccess(
  world: World,
  place: Place,
  reader: Reader,
  { partnerId, credentialId, token }: Held,
): boolean {
  const nowMs = place.process.wallMs();
  const answer = authenticate(reader, token, WITHIN);
  const { revoked: allRevoked, stopped: allStopped, issued, ending, credentials } = world.known.now;
  const networks = credentials.get(credentialId)?.networks;
  const revoked = allRevoked.get(credentialId);
  const stopped = allStopped.get(partnerId);
  const ends = ending.get(credentialId);
  const isOver = ends !== undefined && ends.untilMs <= nowMs;
  const isRefused = revoked !== undefined || stopped?.isStopped === true || isOver;
  const changes = [issued.get(credentialId) ?? 0, revoked?.atMs ?? 0, stopped?.atMs ?? 0, ends?.atMs ?? 0];
  const changedAtMs = Math.max(...changes);
  world.counts.checks += 1;
  if ((networks?.length ?? 0) > 0 && authenticate(reader, token, ELSEWHERE).ok)
    world.blame(place.name, `takes ${credentialId} from ${ELSEWHERE}`);
  if (isRefused === answer.ok && world.knowsSince(place, Math.max(world.restoredAtMs, changedAtMs)))
    world.blame(
      place.name,
      answer.ok
        ? `takes ${credentialId}, which was revoked or stopped ${Math.round(world.nowMs - changedAtMs)} ms ago`
        : `does not take ${credentialId}, which is valid`,
    );
  return answer.ok;
}

/** Each token has a connection of its own, which it keeps. */
function authenticate({ authenticator, sockets }: Reader, token: string, remoteAddress: string) {
  const key = `${token} ${remoteAddress}`;
  const socket = sockets.get(key) ?? { remoteAddress };
  sockets.set(key, socket);
  const request = { headers: { authorization: `Bearer ${token}` }, socket };
  return authenticator.authenticate(request as IncomingMessage)!;
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
  const answers = await answersOf(world, reader, partnerId);
  // A frozen process may show another state when it goes on: prices are then of a later moment.
  if (JSON.stringify([...heldBy(reader)]) !== before) return;
  const wrongs = shown.map(({ state }) => findWrong(answers, partnerId, state));
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

async function answersOf(world: World, reader: Reader, partnerId: string): Promise<readonly Answer[]> {
  const { catalogue } = reader;
  const listed = listOf(reader, partnerId, world.story.sizes.list ?? PAGE_SIZE);
  const seen = PROPERTIES.map((propertyId) => ({
    propertyId,
    listed: listed.get(propertyId),
    isOpen: isOpen(reader, partnerId, propertyId),
    isVisible: catalogue.isVisible(propertyId, partnerId),
  }));
  const stay = { ...usualStay(), guests: GUESTS };
  const priced = catalogue.prices.ofProperties({ propertyIds: PROPERTIES, partnerId, stay });
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
  return seen.total ?? 'QUOTE_UNAVAILABLE';
}

/** Names by id of a search with the stay, page by page. */
function listOf({ catalogue }: Reader, partnerId: string, pageSize: number): ReadonlyMap<string, string> {
  const query = {
    city: 'venezia',
    pageSize,
    partnerId,
    locale: 'it-IT',
    guests: GUESTS,
    stay: usualStay(),
  } as const;
  const names = new Map<string, string>();
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const { items, pagination } = JSON.parse(
      Buffer.from(catalogue.list({ ...query, page })).toString(),
    ) as ListPage;
    for (const { propertyId, name } of items) names.set(propertyId, name);
    ({ hasMore } = pagination);
    // A page that ends too soon leaves some out, and one that is too long repeats them.
    if (hasMore !== names.size < pagination.total || (hasMore && items.length !== pageSize))
      return new Map([['page', `${page} says hasMore ${hasMore} of ${pagination.total}`]]);
  }
  return names;
}

interface ListPage {
  readonly items: readonly { readonly propertyId: string; readonly name: string }[];
  readonly pagination: { readonly total: number; readonly hasMore: boolean };
}

function isOpen({ catalogue }: Reader, partnerId: string, propertyId: string): boolean {
  const body = catalogue.findAvailability({ ...usualStay(), propertyId, guests: GUESTS, partnerId });
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
  const availability = catalogue.findAvailability({ ...usualStay(), propertyId, guests: GUESTS, partnerId });
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
  return { name: seen.name, days: `${seen.isOpen} ${seen.startingPrice}` };
}
