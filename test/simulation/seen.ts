/** What a partner should see of a property, as the naive model works it out from its document and calendars. */
import { formatMoney } from '../../src/domain/money.ts';
import {
  naiveIsAvailable,
  naiveQuote,
  naiveStartingRate,
  type NaiveWorld,
  readNaiveWorld,
} from '../kit/naive-model.ts';
import { documentOf, START_MS, STAY } from './base.ts';
import { isSeenBy, type KnownProperty } from './known-truth.ts';
import { HORIZON_NIGHTS } from './service.ts';

export const GUESTS = 2;

export interface Seen {
  readonly name: string;
  /** For the stay of all stories. */
  readonly isOpen: boolean;
  /** Of that stay; undefined: it has no price. */
  readonly total: string | undefined;
  readonly startingPrice: string | null;
}

/** What a document need not say. */
const PLACE = { city: 'Venezia', country: 'IT' };
const UNSAID = { amenities: [], rating: null, discounts: [] };

/** Each state of a property is worked out once. */
const worlds = new WeakMap<KnownProperty, NaiveWorld>();
const seen = new WeakMap<KnownProperty, Seen>();

/** Undefined: the partner sees nothing of it. */
export function seenBy(partnerId: string, known: KnownProperty | undefined): Seen | undefined {
  if (known === undefined || !isSeenBy(partnerId, known)) return undefined;
  const before = seen.get(known);
  if (before !== undefined) return before;
  const now = look(known);
  seen.set(known, now);
  return now;
}

function look(known: KnownProperty): Seen {
  const world = worldOf(known);
  const stay = { ...STAY, guests: GUESTS };
  const quote = naiveQuote(world, stay);
  const rate = naiveStartingRate(world);
  return {
    name: known.name,
    isOpen: naiveIsAvailable(world, stay),
    total: quote.outcome === 'priced' ? formatMoney(quote.price.total) : undefined,
    startingPrice: rate === null ? null : (rate / 100).toFixed(2),
  };
}

/** The document as it would be with one source that says what all sources together do. */
export function worldOf(known: KnownProperty): NaiveWorld {
  const before = worlds.get(known);
  if (before !== undefined) return before;
  const { name, visibleTo, isForAll, units, rate, terms, byHand } = known;
  const said = Object.values(units);
  const open = {
    units: said.length === 0 ? 0 : Math.min(...said),
    rate: rate === 0 ? byHand['double'] : rate,
  };
  const document = documentOf(
    { propertyId: known.propertyId, name, visibleTo, isForAll, terms, open },
    { byHand },
  );
  const world = readNaiveWorld(
    JSON.stringify({ ...UNSAID, ...document, location: { ...PLACE, area: areaOf(document) } }),
    START_MS,
    HORIZON_NIGHTS,
  );
  worlds.set(known, world);
  return world;
}

function areaOf({ location }: { readonly location?: { readonly area?: string } }): string | null {
  return location?.area ?? null;
}
