/** What a partner should see of a property, as the naive model works it out from its document and calendars. */
import { formatMoney } from '../../src/domain/money.ts';
import {
  naiveIsAvailable,
  naiveQuote,
  naiveStartingRate,
  type NaiveWorld,
  readNaiveWorld,
} from '../kit/naive-model.ts';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { type Line, nights } from '../kit/catalogue-lines.ts';
import { documentOf } from './base.ts';
import { isSeenBy, type KnownProperty } from './known-truth.ts';
import { HORIZON_NIGHTS } from './service.ts';
import { FIRST_NIGHT, LAST_NIGHT } from './shapes.ts';
import { lookingFromMs, passed, usualStay } from './today.ts';

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

/** Each state of a property is worked out once, and again when days have passed. */
class Remembered<T> {
  readonly #known = new WeakMap<KnownProperty, { readonly passedMs: number; readonly value: T }>();

  of(known: KnownProperty, work: () => T): T {
    const before = this.#known.get(known);
    if (before?.passedMs === passed()) return before.value;
    const value = work();
    this.#known.set(known, { passedMs: passed(), value });
    return value;
  }
}

const worlds = new Remembered<NaiveWorld>();
const seen = new Remembered<Seen>();

/** Undefined: the partner sees nothing of it. */
export function seenBy(partnerId: string, known: KnownProperty | undefined): Seen | undefined {
  if (known === undefined || !isSeenBy(partnerId, known)) return undefined;
  return seen.of(known, () => look(known));
}

function look(known: KnownProperty): Seen {
  const world = worldOf(known);
  const stay = { ...usualStay(), guests: GUESTS };
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
  return worlds.of(known, () => readWorld(known));
}

function readWorld(known: KnownProperty): NaiveWorld {
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
  return readNaiveWorld(
    JSON.stringify({
      ...UNSAID,
      ...(known.isAged ? closed(document) : document),
      location: { ...PLACE, area: areaOf(document) },
    }),
    lookingFromMs(),
    HORIZON_NIGHTS,
  );
}

function areaOf({ location }: { readonly location?: { readonly area?: string } }): string | null {
  return location?.area ?? null;
}

function closed(document: object): object {
  const { inventoryTypes } = document as { readonly inventoryTypes: readonly Line[] };
  const closing = nights(formatLocalDate(FIRST_NIGHT), formatLocalDate(LAST_NIGHT), { stopSell: true });
  const types = inventoryTypes.map((type) => {
    const { calendar = [] } = type as { readonly calendar?: readonly Line[] };
    return { ...type, calendar: [...calendar, closing] };
  });
  return { ...document, inventoryTypes: types };
}
