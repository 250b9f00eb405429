/** Outcomes of messages. The revision is 0 until the transaction takes one. */
import {
  type HiddenValues,
  type PropertyChange,
  REFUSED_POSITIONS_MAX,
  type RepricedNights,
  type SupplyMessage,
  type SupplyOutcome,
  type SupplyRefusal,
  type TypeChange,
  VERDICT_BYTES_MAX,
} from './message.ts';
import type { HiddenValue } from '../hidden-values.ts';
import { connectionOf, MANUAL_SOURCE, setsPrice } from '../layers.ts';
import type { LayeredProperty } from './layered-property.ts';

/** The property's document belongs to another source. */
export function refuseForeign(message: SupplyMessage, propertyId: string, owner: string): SupplyOutcome {
  return refuseWhole(message, { reason: 'source-mismatch', propertyId, owner });
}

/** The property does not exist. */
export function refuseUnknown(message: SupplyMessage, propertyId: string): SupplyOutcome {
  return refuseWhole(message, { reason: 'property-unknown', propertyId, owner: null });
}

/** The source owns the documents of these properties. */
export function refuseOwned(message: SupplyMessage, propertyIds: readonly string[]): SupplyOutcome {
  const refusals = new Refusals(message.note);
  for (const propertyId of propertyIds) {
    const owner = message.source;
    refusals.add({ reason: 'owns-document', propertyId, inventoryTypeId: null, owner, positions: [] });
  }
  return outcomeOf(message, { verdict: 'refused', refusals });
}

function refuseWhole(
  message: SupplyMessage,
  why: Pick<SupplyRefusal, 'reason' | 'propertyId' | 'owner'>,
): SupplyOutcome {
  const refusals = new Refusals(message.note);
  refusals.add({ ...why, inventoryTypeId: null, positions: [] });
  return outcomeOf(message, { verdict: 'refused', refusals });
}

interface Done extends Partial<Pick<SupplyOutcome, 'verdict' | 'changed' | 'unchanged' | 'isCreated'>> {
  readonly refusals?: Refusals;
}

export function outcomeOf({ messageId, note }: SupplyMessage, done: Done): SupplyOutcome {
  return {
    messageId,
    verdict: done.verdict ?? 'applied',
    revision: 0,
    changed: done.changed ?? 0,
    unchanged: done.unchanged ?? 0,
    isCreated: done.isCreated ?? false,
    refused: done.refusals?.count ?? 0,
    refusals: done.refusals?.named ?? [],
    ...(done.refusals !== undefined && done.refusals.hidden.length > 0 && { hidden: done.refusals.hidden }),
    ...(done.refusals !== undefined &&
      done.refusals.setByHand.length > 0 && { setByHand: done.refusals.setByHand }),
    note,
  };
}

// Refusals and hidden values of one message: all refusals are counted, a bounded number of both is listed.

/** `199999,` */
const POSITION_BYTES_MAX = 7;

export class Refusals {
  /** Entries; a change without entries counts as one. */
  count = 0;
  readonly named: SupplyRefusal[] = [];
  readonly hidden: HiddenValues[] = [];
  readonly setByHand: RepricedNights[] = [];
  #room = REFUSED_POSITIONS_MAX;
  #roomBytes: number;

  /** `note` shares their space. */
  constructor(note: string) {
    this.#roomBytes = VERDICT_BYTES_MAX - Buffer.byteLength(JSON.stringify(note));
  }

  add(refusal: SupplyRefusal): void {
    this.count += Math.max(1, refusal.positions.length);
    this.#list(this.named, refusal);
  }

  hide(values: HiddenValues): void {
    this.#list(this.hidden, values);
  }

  reprice(nights: RepricedNights): void {
    this.#list(this.setByHand, nights);
  }

  #list<Item extends { readonly positions: readonly number[] }>(named: Item[], item: Item): void {
    if (this.#room <= 0) return;
    const bare = Buffer.byteLength(JSON.stringify({ ...item, positions: [] }));
    const positionsMax = Math.min(this.#room, Math.floor((this.#roomBytes - bare) / POSITION_BYTES_MAX));
    if (positionsMax < 1) {
      this.#room = 0;
      return;
    }
    const positions = item.positions.slice(0, positionsMax);
    this.#room -= Math.max(1, positions.length);
    this.#roomBytes -= bare + Math.max(1, positions.length) * POSITION_BYTES_MAX;
    named.push({ ...item, positions });
  }
}

/** Tells of the values of each entry that another value hides, those of one kind together. */
export function hideAll(
  refusals: Refusals,
  {
    propertyId,
    inventoryTypeId,
    positions,
  }: Pick<HiddenValues, 'propertyId' | 'inventoryTypeId' | 'positions'>,
  hidden: readonly (readonly HiddenValue[])[],
): void {
  const kinds = Map.groupBy(
    hidden.flatMap((values, index) => values.map((value) => ({ ...value, position: positions[index]! }))),
    ({ field }) => field,
  );
  for (const [field, values] of kinds) {
    const where = [...new Set(values.map(({ position }) => position))];
    refusals.hide({ propertyId, inventoryTypeId, field, by: values[0]!.by, positions: where });
  }
}

/** Does the work, and tells which nights lost a price by it that people had set. */
export function noteRepriced<T>(
  refusals: Refusals,
  property: LayeredProperty,
  typeIds: readonly string[],
  work: () => T,
): T {
  const { propertyId } = property;
  const before = typeIds.map((inventoryTypeId) => property.pricesByHand(inventoryTypeId));
  const result = work();
  for (const [index, inventoryTypeId] of typeIds.entries()) {
    const prices = before[index];
    if (prices === undefined) continue;
    for (const { from, until } of property.nightsRepriced(inventoryTypeId, prices))
      refusals.reprice({ propertyId, inventoryTypeId, from, to: until - 1, positions: [] });
  }
  return result;
}

export function positionsOf({ types }: PropertyChange): number[] {
  return types.flatMap((type) => type.positions);
}

// Decides which entries of a message may change a layer.

/**
 * The valid part of a change; the change itself if all of it is valid. Undefined if nothing is valid: the type is
 * unknown, or all of its entries are refused.
 */
export function checkType(
  source: string,
  property: LayeredProperty,
  type: TypeChange,
  refusals: Refusals,
): TypeChange | undefined {
  const { inventoryTypeId, positions } = type;
  const { propertyId } = property;
  if (!property.hasType(inventoryTypeId)) {
    refusals.add({ reason: 'type-unknown', propertyId, inventoryTypeId, owner: null, positions });
    return undefined;
  }
  const ofCurrency = checkCurrencies(property, type, refusals);
  return ofCurrency === undefined ? undefined : checkPrices(source, property, ofCurrency, refusals);
}

function checkCurrencies(
  property: LayeredProperty,
  type: TypeChange,
  refusals: Refusals,
): TypeChange | undefined {
  const { currencies = [], inventoryTypeId } = type;
  const { propertyId } = property;
  const others = currencies.filter(({ currency }) => currency !== property.currency);
  if (others.length === 0) return type;
  const refused = new Set(others.map(({ position }) => position));
  const { currency } = property;
  const why = { reason: 'currency-mismatch', propertyId, inventoryTypeId, owner: null, currency } as const;
  return without(type, (index) => refused.has(type.positions[index]!), why, refusals);
}

/**
 * Prices are taken from the type's price source, and from people: theirs count while that source has set none, so the
 * order of messages does not matter. Where a connection sets the prices of the type, from nobody else.
 */
function checkPrices(
  source: string,
  property: LayeredProperty,
  type: TypeChange,
  refusals: Refusals,
): TypeChange | undefined {
  const { inventoryTypeId, entries } = type;
  const { propertyId } = property;
  if (!entries.some(setsPrice)) return type;
  const owner = property.priceSourceOf(inventoryTypeId);
  if (source === owner) return type;
  const isConnection = connectionOf(source)?.withPrices === true;
  if (connectionOf(owner) === undefined && (isConnection || source === MANUAL_SOURCE)) return type;
  const why = { reason: 'price-refused', propertyId, inventoryTypeId, owner } as const;
  return without(type, (index) => setsPrice(entries[index]!), why, refusals);
}

/** The change without its refused entries; undefined if none is left. */
function without(
  type: TypeChange,
  isRefused: (index: number) => boolean,
  why: Omit<SupplyRefusal, 'positions'>,
  refusals: Refusals,
): TypeChange | undefined {
  const { entries, positions } = type;
  refusals.add({ ...why, positions: positions.filter((_position, index) => isRefused(index)) });
  const kept = [...entries.keys()].filter((index) => !isRefused(index));
  if (kept.length === 0) return undefined;
  return {
    ...type,
    entries: kept.map((index) => entries[index]!),
    positions: kept.map((index) => positions[index]!),
  };
}
