/**
 * The promises of supply (docs/supply.md, Layers) in the most obvious way: each source's values night by night. It uses
 * no calendar runs, domain or storage code, only their types.
 */
import type { CalendarEntry, EntryFields } from '../../src/domain/calendar.ts';
import type { GuestRates } from '../../src/domain/guest-rates.ts';
import { NAIVE_FIELDS } from './naive-model.ts';

export interface NaiveChange {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  readonly replaces: boolean;
  /** Nights of which the source says nothing more than the entries; both included. */
  readonly clears?: { readonly from: number; readonly to: number } | undefined;
  readonly entries: readonly CalendarEntry[];
}

export interface NaiveDocument {
  readonly propertyId: string;
  readonly source: string;
  readonly types: readonly NaiveType[];
}

export interface NaiveType {
  readonly inventoryTypeId: string;
  readonly priceSource?: string | undefined;
  /** Undefined: the document says nothing of the type's calendar. */
  readonly entries: readonly CalendarEntry[] | undefined;
}

type Value = number | GuestRates;

export class NaiveSupply {
  /** The document of each property that is there; a withdrawn one is not. */
  readonly documents = new Map<string, NaiveDocument>();
  /** Property and source. */
  readonly confirmed = new Set<string>();
  /** By property, inventory type and source: values by night and field. */
  readonly #layers = new Map<string, Map<string, Value>>();

  /**
   * The changes without what is refused: unknown names, and prices of another source than the type's price source or
   * people, whose prices count while that one has set none.
   */
  goodOf(source: string, changes: readonly NaiveChange[]): NaiveChange[] {
    return changes.flatMap((change) => {
      const { propertyId, inventoryTypeId } = change;
      const priceSource = this.#priceSourceOf(propertyId, inventoryTypeId);
      if (priceSource === undefined) return [];
      const mayPrice = source === priceSource || source === 'manual';
      const entries = change.entries.filter((entry) => mayPrice || !hasPrice(entry));
      return entries.length > 0 || change.entries.length === 0 ? [{ ...change, entries }] : [];
    });
  }

  /** Changes of which nothing is refused. */
  change(source: string, changes: readonly NaiveChange[]): void {
    for (const { propertyId, inventoryTypeId, replaces, clears, entries } of changes) {
      const name = keyOf(propertyId, inventoryTypeId, source);
      if (replaces) this.#layers.delete(name);
      if (clears !== undefined) this.#clear(name, clears);
      this.#say(name, entries);
      this.confirmed.add(keyOf(propertyId, source));
    }
  }

  /** Whether the source may be retired: not where it owns a document. */
  ownsAny(source: string): boolean {
    return [...this.documents.values()].some((document) => document.source === source);
  }

  /** Nothing that the source said is left, of properties that were withdrawn neither. */
  retire(source: string): void {
    for (const name of this.#layers.keys()) if (name.split('/')[2] === source) this.#layers.delete(name);
    for (const pair of this.confirmed) if (pair.endsWith(`/${source}`)) this.confirmed.delete(pair);
  }

  /** Layers of a former owner are deleted, and those of the new one for types that the document does not name. */
  write(document: NaiveDocument): void {
    const { propertyId, source, types } = document;
    const former = this.documents.get(propertyId)?.source ?? source;
    if (former !== source) this.#leave(propertyId, former);
    const kept = types.filter((type) => type.entries === undefined).map((type) => type.inventoryTypeId);
    this.#forget(propertyId, source, kept);
    for (const { inventoryTypeId, entries = [] } of types)
      this.#say(keyOf(propertyId, inventoryTypeId, source), entries);
    this.documents.set(propertyId, document);
    this.confirmed.add(keyOf(propertyId, source));
  }

  /** Layers of other sources apply again when the property returns. */
  withdraw(propertyId: string): void {
    const document = this.documents.get(propertyId);
    if (document === undefined) return;
    this.#forget(propertyId, document.source, []);
    this.documents.delete(propertyId);
    for (const pair of this.confirmed)
      if (pair.startsWith(keyOf(propertyId, ''))) this.confirmed.delete(pair);
  }

  /** The partners' view. */
  valueOf(
    propertyId: string,
    inventoryTypeId: string,
    night: number,
    field: keyof EntryFields,
  ): Value | undefined {
    const type = keyOf(propertyId, inventoryTypeId, '');
    const named = this.#priceSourceOf(propertyId, inventoryTypeId)!;
    const priceSource = this.#prices(propertyId, inventoryTypeId, named) ? named : 'manual';
    if (NAIVE_FIELDS[field].combined === 'price')
      return this.#layers.get(type + priceSource)?.get(keyOf(night, field));
    const said = [...this.#layers]
      .filter(([name]) => name.startsWith(type))
      .map(([, layer]) => layer.get(keyOf(night, field)))
      .filter((value) => typeof value === 'number')
      .toSorted((a, b) => a - b);
    return NAIVE_FIELDS[field].combined === 'lowest' ? said.at(0) : said.at(-1);
  }

  #priceSourceOf(propertyId: string, inventoryTypeId: string): string | undefined {
    const document = this.documents.get(propertyId);
    const type = document?.types.find((one) => one.inventoryTypeId === inventoryTypeId);
    return type && (type.priceSource ?? document?.source);
  }

  /** Whether the source has set a price of any night. */
  #prices(...name: readonly [propertyId: string, inventoryTypeId: string, source: string]): boolean {
    const said = this.#layers.get(keyOf(...name))?.keys() ?? [];
    return [...said].some((key) => key.endsWith('/rate') || key.endsWith('/ratesByGuests'));
  }

  #say(name: string, entries: readonly CalendarEntry[]): void {
    const layer = this.#layers.get(name) ?? new Map<string, Value>();
    this.#layers.set(name, layer);
    for (const { from, to, set } of entries) {
      for (let night = from; night <= to; night++) {
        for (const [field, value] of Object.entries(set) as [string, Value | null][]) {
          if (value === null) layer.delete(keyOf(night, field));
          else layer.set(keyOf(night, field), value);
        }
      }
    }
  }

  #clear(name: string, { from, to }: { readonly from: number; readonly to: number }): void {
    const layer = this.#layers.get(name);
    for (const key of layer?.keys() ?? []) {
      const night = Number(key.split('/')[0]);
      if (night >= from && night <= to) layer?.delete(key);
    }
  }

  #forget(propertyId: string, source: string, keptTypeIds: readonly string[]): void {
    for (const name of this.#layers.keys()) {
      const [property, inventoryTypeId = '', of] = name.split('/');
      if (property === propertyId && of === source && !keptTypeIds.includes(inventoryTypeId))
        this.#layers.delete(name);
    }
  }

  #leave(propertyId: string, source: string): void {
    this.#forget(propertyId, source, []);
    this.confirmed.delete(keyOf(propertyId, source));
  }
}

export function hasPrice({ set }: CalendarEntry): boolean {
  return [set.rate, set.ratesByGuests].some((price) => price !== undefined && price !== null);
}

function keyOf(...parts: readonly (string | number)[]): string {
  return parts.join('/');
}
