/**
 * One property with the layers of its sources, while a transaction works on it: what is stored comes in, layers are
 * changed, and what has to be stored comes out. Knows no engine.
 */
import { decodeCalendar } from '../calendar-codec.ts';
import { ALL_FIELDS } from '../calendar-fields.ts';
import {
  buildCalendar,
  type Calendar,
  type EntryFields,
  EMPTY_CALENDAR,
  holdsEntry,
  overlayCalendar,
} from '../calendar.ts';
import {
  CLOSED_MANUALLY,
  type HiddenValue,
  hiddenOf,
  hiddenOfType,
  makeSeenChange,
} from '../hidden-values.ts';
import { combineLayers, hasPrices, MANUAL_SOURCE, nightsRepriced, pricingConnection } from '../layers.ts';
import type { NightRuns } from '../night-runs.ts';
import { buildLowestRates, lowestRatesHorizon } from '../lowest-rates.ts';
import type { Property } from '../property.ts';
import { documentMark, parseDocument } from './stored-document.ts';
import { contentHash, type StoredCalendar, type StoredWrite } from './stored-write.ts';
import type { StoredLayer, TypeChange } from './message.ts';
import { encode, isEmpty, isSameCalendar } from './encoded-calendar.ts';

/** The rows of one property; of a tombstone only the layers that other sources left. */
export interface PropertyState {
  readonly content: StoredWrite | undefined;
  readonly contentHash: string | null;
  readonly changedAtMs: number;
  /** None: the only layer is that of the property's own source, and `content` holds it. */
  readonly layers: readonly StoredLayer[];
}

/** The rows as they have to be. */
export interface SettledProperty {
  readonly content: StoredWrite;
  readonly hash: string;
  readonly layers: readonly StoredLayer[];
}

/** How entries changed a layer. */
export interface Laid {
  readonly isChanged: boolean;
  /** Entries that changed it where no other value hides them. */
  readonly changed: number;
  /** For each entry, the values that another one hides. */
  readonly hidden: readonly (readonly HiddenValue[])[];
}

type Layer = Omit<StoredLayer, 'inventoryTypeId' | 'source'>;

/** Clears every field of the nights that it is laid over. */
const NOTHING_SET: EntryFields = Object.fromEntries(ALL_FIELDS.map((field) => [field, null]));

export class LayeredProperty {
  readonly propertyId: string;
  #content: StoredWrite | undefined;
  /** By inventory type, by source. */
  readonly #layers = new Map<string, Map<string, Layer>>();
  #property: Property | undefined;
  #horizonNights: number | undefined;
  /** Inventory types whose calendar has to be combined again. */
  readonly #touched = new Set<string>();
  readonly #before: PropertyState | undefined;

  constructor(propertyId: string, state: PropertyState | undefined) {
    this.propertyId = propertyId;
    this.#before = state;
    this.#content = state?.content;
    for (const layer of state === undefined ? [] : writtenLayers(state))
      this.#setLayer(layer.inventoryTypeId, layer);
  }

  /** Undefined: there is no such property, or it was withdrawn. */
  get source(): string | undefined {
    return this.#content?.source;
  }

  /** `documentMark`; empty: there is no such property. */
  get mark(): string {
    if (this.#content === undefined) return '';
    const { document, source } = this.#content;
    return documentMark(parseDocument(document), source);
  }

  get typeIds(): readonly string[] {
    return this.#content?.types.map(({ inventoryTypeId }) => inventoryTypeId) ?? [];
  }

  hasType(inventoryTypeId: string): boolean {
    return this.#content?.types.some((type) => type.inventoryTypeId === inventoryTypeId) === true;
  }

  /** The connection that sets the type with its prices. */
  connectionOf(inventoryTypeId: string): string | undefined {
    return pricingConnection(this.#layers.get(inventoryTypeId)?.keys() ?? []);
  }

  /** The source that sets prices: a connection, or the one that the document names. */
  priceSourceOf(inventoryTypeId: string): string {
    const connection = this.connectionOf(inventoryTypeId);
    if (connection !== undefined) return connection;
    const { inventoryTypes } = this.#parsed();
    const type = inventoryTypes.find((one) => one.inventoryTypeId === inventoryTypeId);
    return type?.priceSource ?? this.#present().source;
  }

  /** ISO 4217. */
  get currency(): string {
    return this.#parsed().currency;
  }

  #parsed(): Property {
    return (this.#property ??= parseDocument(this.#present().document));
  }

  /** The manual layer, if its prices count now: while the source of prices has set none. */
  pricesByHand(inventoryTypeId: string): Calendar | undefined {
    const manual = this.#layers.get(inventoryTypeId)?.get(MANUAL_SOURCE);
    if (manual === undefined || this.#content === undefined) return undefined;
    if (this.connectionOf(inventoryTypeId) !== undefined) return undefined;
    const calendar = decodeCalendar(manual.nights, manual.rates);
    if (!hasPrices(calendar) || hasPrices(this.#pricedCalendar(inventoryTypeId))) return undefined;
    return calendar;
  }

  /** Nights whose price people had set, in `before` of `pricesByHand`, and that now have another one, or none. */
  nightsRepriced(inventoryTypeId: string, before: Calendar): NightRuns {
    const after = this.pricesByHand(inventoryTypeId) ?? this.#pricedCalendar(inventoryTypeId);
    return nightsRepriced(before, after);
  }

  #pricedCalendar(inventoryTypeId: string): Calendar {
    const layer = this.#layers.get(inventoryTypeId)?.get(this.priceSourceOf(inventoryTypeId));
    return layer === undefined ? EMPTY_CALENDAR : decodeCalendar(layer.nights, layer.rates);
  }

  /** Lays the entries over the layer of `source`. */
  overlay(source: string, change: TypeChange, nowMs: number, horizonNights: number): Laid {
    const { inventoryTypeId, entries, replaces, clears } = change;
    const layer = this.#layers.get(inventoryTypeId)?.get(source);
    const before = layer === undefined ? EMPTY_CALENDAR : decodeCalendar(layer.nights, layer.rates);
    const laid = clears === undefined ? entries : [{ ...clears, set: NOTHING_SET }, ...entries];
    const after = replaces ? buildCalendar(entries) : overlayCalendar(before, laid);
    const encoded = encode(after);
    const manual = this.#manualCalendar(inventoryTypeId, source);
    const hidden = entries.map((entry) => hiddenOf(after, entry, manual));
    if (isSameCalendar(encoded, layer)) return { isChanged: false, changed: 0, hidden };
    this.#setLayer(inventoryTypeId, { source, changedAtMs: nowMs, ...encoded });
    this.#touched.add(inventoryTypeId);
    this.#horizonNights = horizonNights;
    const isSeen = makeSeenChange(before, after);
    const laidAnew = entries.filter((entry) => !holdsEntry(before, entry));
    const changed = laidAnew.filter(isSeen).length;
    // Entries that undo each other, or a replaced layer that lost nights, change it too; hidden ones do not.
    const isUnseen = hidden.some((values) => values.some(({ by }) => by !== CLOSED_MANUALLY));
    const isHidden = changed === 0 && laidAnew.length > 0 && isUnseen;
    return { isChanged: true, changed: isHidden ? 0 : Math.max(1, changed), hidden };
  }

  /** The manual layer, for a change to another one. */
  #manualCalendar(inventoryTypeId: string, source: string): Calendar {
    const layer = this.#layers.get(inventoryTypeId)?.get(MANUAL_SOURCE);
    return layer === undefined || source === MANUAL_SOURCE ? EMPTY_CALENDAR : decodeCalendar(layer.nights);
  }

  /** Values of the document that its calendars hide, type by type. */
  hiddenOfDocument(): readonly {
    readonly inventoryTypeId: string;
    readonly hidden: readonly HiddenValue[];
  }[] {
    const { types, document } = this.#combine();
    return parseDocument(document).inventoryTypes.map((type) => {
      const { inventoryTypeId } = type;
      const { nights, rates } = types.find((one) => one.inventoryTypeId === inventoryTypeId)!;
      return { inventoryTypeId, hidden: hiddenOfType(type, decodeCalendar(nights, rates)) };
    });
  }

  /**
   * Takes the document, and its calendars as the layer of its source; where it has no calendar of a type
   * (`keptTypeIds`) the layer stays. A former source of the document loses its layer: that came with the document. So
   * does the source itself of types that the document does not name.
   */
  setDocument(write: StoredWrite, nowMs: number): void {
    const former = this.#content?.source;
    const { source, types, keptTypeIds } = write;
    if (former !== undefined && former !== source) {
      for (const layers of this.#layers.values()) layers.delete(former);
    }
    for (const [inventoryTypeId, layers] of this.#layers)
      if (!types.some((type) => type.inventoryTypeId === inventoryTypeId)) layers.delete(source);
    for (const { inventoryTypeId, nights, rates } of types) {
      this.#touched.add(inventoryTypeId);
      if (keptTypeIds.includes(inventoryTypeId)) continue;
      const layer = this.#layers.get(inventoryTypeId)?.get(source);
      if (!isSameCalendar({ nights, rates }, layer)) {
        this.#setLayer(inventoryTypeId, { source, changedAtMs: nowMs, nights, rates });
      }
    }
    this.#content = { ...write, keptTypeIds: [], isOwnOnly: false, replaces: undefined };
    this.#property = undefined;
    this.#horizonNights = lowestRatesHorizon(write.lowestRates);
  }

  /** Forgets all that the source has set, for every type; whether it had set anything. */
  dropLayers(source: string): boolean {
    let isDropped = false;
    for (const [inventoryTypeId, layers] of this.#layers) {
      if (!layers.delete(source)) continue;
      this.#touched.add(inventoryTypeId);
      isDropped = true;
    }
    return isDropped;
  }

  /** The rows as they have to be; undefined when they are so already, or there is no such property. */
  settle(): SettledProperty | undefined {
    if (this.#content === undefined || this.#before === undefined) return this.#rows();
    const { contentHash: hashBefore, layers: layersBefore } = this.#before;
    if (this.#touched.size === 0) return undefined;
    const rows = this.#rows();
    const isUnchanged = rows?.hash === hashBefore && isSameLayers(rows.layers, layersBefore);
    return isUnchanged ? undefined : rows;
  }

  /** Equal when nothing has changed, layers included; undefined when there is no such property. */
  fingerprint(): string | undefined {
    const rows = this.#rows();
    if (rows === undefined) return undefined;
    const parts = rows.layers.map(({ inventoryTypeId, source, nights, rates }) =>
      [
        inventoryTypeId,
        source,
        Buffer.from(nights).toString('hex'),
        Buffer.from(rates).toString('hex'),
      ].join(),
    );
    return [rows.hash, ...parts.toSorted()].join('\n');
  }

  #rows(): SettledProperty | undefined {
    if (this.#content === undefined) return undefined;
    const content = this.#combine();
    return { content, hash: contentHash(content), layers: this.#explicitLayers(content) };
  }

  #combine(): StoredWrite {
    const content = this.#present();
    if (this.#touched.size === 0) return content;
    const types = content.types.map((type) =>
      this.#touched.has(type.inventoryTypeId) ? this.#combineType(type.inventoryTypeId) : type,
    );
    const horizonNights = this.#horizonNights ?? lowestRatesHorizon(content.lowestRates);
    const calendars = types.map(({ nights, rates }) => decodeCalendar(nights, rates));
    return { ...content, types, lowestRates: buildLowestRates(calendars, horizonNights) };
  }

  #combineType(inventoryTypeId: string): StoredCalendar {
    const layers = [...(this.#layers.get(inventoryTypeId) ?? [])];
    const priceSource = this.priceSourceOf(inventoryTypeId);
    const [only] = layers;
    if (layers.length === 1 && only?.[0] === priceSource) {
      return { inventoryTypeId, nights: only[1].nights, rates: only[1].rates };
    }
    const decoded = layers.map(([source, { nights, rates }]) => ({
      source,
      calendar: decodeCalendar(nights, rates),
    }));
    return { inventoryTypeId, ...encode(combineLayers(decoded, priceSource)) };
  }

  /** All layers, unless what partners see is just the layer of the property's own source, for each of its types. */
  #explicitLayers({ source, types }: StoredWrite): StoredLayer[] {
    const all = [...this.#layers].flatMap(([inventoryTypeId, layers]) =>
      Array.from(layers, ([of, layer]) => ({ inventoryTypeId, source: of, ...layer })),
    );
    const isImplied =
      all.every((layer) => layer.source === source) &&
      types.every((type) => isSameCalendar(type, this.#layers.get(type.inventoryTypeId)?.get(source))) &&
      all.every(({ inventoryTypeId }) => types.some((type) => type.inventoryTypeId === inventoryTypeId));
    return isImplied ? [] : all;
  }

  #setLayer(
    inventoryTypeId: string,
    { source, changedAtMs, nights, rates }: Layer & { source: string },
  ): void {
    const layers = this.#layers.get(inventoryTypeId) ?? new Map<string, Layer>();
    this.#layers.set(inventoryTypeId, layers);
    if (isEmpty({ nights, rates })) layers.delete(source);
    else layers.set(source, { changedAtMs, nights, rates });
  }

  #present(): StoredWrite {
    if (this.#content === undefined) throw new Error(`there is no property ${this.propertyId}`);
    return this.#content;
  }
}

/** All layers of a stored property, the one that its content stands for included. */
export function writtenLayers({ content, layers, changedAtMs }: PropertyState): readonly StoredLayer[] {
  if (layers.length > 0 || content === undefined) return layers;
  return content.types
    .filter((type) => !isEmpty(type))
    .map(({ inventoryTypeId, nights, rates }) => ({
      inventoryTypeId,
      source: content.source,
      changedAtMs,
      nights,
      rates,
    }));
}

function isSameLayers(one: readonly StoredLayer[], other: readonly StoredLayer[]): boolean {
  return (
    one.length === other.length &&
    one.every((layer) => {
      const match = other.find(
        ({ inventoryTypeId, source }) => inventoryTypeId === layer.inventoryTypeId && source === layer.source,
      );
      return match !== undefined && isSameCalendar(layer, match);
    })
  );
}
