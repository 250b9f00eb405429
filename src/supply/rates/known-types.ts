/** The part of a row that what is stored refuses, for rows that are wrong anyway: a person then corrects them once. */
import { Wrong } from '../../domain/wrong.ts';
import type { CodedError } from '../messages/message-body.ts';
import { type Finding, notGiven } from '../../domain/document/document-fields.ts';
import { ID_PATTERN } from '../../domain/property.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import { presentRefusals } from '../messages/supply-result.ts';

/** Types that are remembered; a file names few of them in many rows. */
const REMEMBERED_MAX = 10_000;

interface RowIds {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
}

export class KnownTypes {
  readonly #storage: Pick<SupplyStore, 'findLayers'>;
  readonly #found = new Map<string, readonly Finding[]>();
  /** By property. */
  readonly #currencies = new Map<string, string>();

  constructor(storage: Pick<SupplyStore, 'findLayers'>) {
    this.#storage = storage;
  }

  /** None where an id is wrong in itself. */
  async findUnknown(ids: RowIds): Promise<readonly Finding[]> {
    if (!ID_PATTERN.test(ids.propertyId)) return [];
    const key = `${ids.propertyId} ${ids.inventoryTypeId}`;
    const found = this.#found.get(key) ?? (await this.#find(ids));
    if (this.#found.size >= REMEMBERED_MAX) this.#found.clear();
    this.#found.set(key, found);
    return found;
  }

  /** The mistake of a row that names another currency than the property's. */
  async findOtherCurrency(propertyId: string, named: string): Promise<readonly Finding[]> {
    if (this.#currencies.size >= REMEMBERED_MAX) this.#currencies.clear();
    const currency = this.#currencies.get(propertyId) ?? (await this.#findCurrency(propertyId));
    if (currency === undefined || currency === named) return [];
    return [{ field: 'currency', reason: notGiven(new Wrong('otherCurrency', { currency }), named) }];
  }

  async #findCurrency(propertyId: string): Promise<string | undefined> {
    const currency = (await this.#storage.findLayers(propertyId))?.stored.property.currency;
    if (currency !== undefined) this.#currencies.set(propertyId, currency);
    return currency;
  }

  async #find({ propertyId, inventoryTypeId }: RowIds): Promise<readonly Finding[]> {
    const layered = await this.#storage.findLayers(propertyId);
    const types = layered?.stored.property.inventoryTypes ?? [];
    const isKnown = types.some((type) => type.inventoryTypeId === inventoryTypeId);
    if (isKnown || (layered !== undefined && !ID_PATTERN.test(inventoryTypeId))) return [];
    const reason = layered === undefined ? 'property-unknown' : 'type-unknown';
    const refusals = [{ reason, propertyId, inventoryTypeId, owner: null, positions: [] }] as const;
    return presentRefusals({ refused: 1, refusals }, String).named.map(asMistake);
  }
}

/** A refusal as a mistake of its column. */
export function asMistake({ code, wrong }: CodedError): Finding {
  return { field: REFUSED_FIELDS[code] ?? '', reason: wrong };
}

const REFUSED_FIELDS: Readonly<Record<string, string>> = {
  PROPERTY_UNKNOWN: 'propertyId',
  INVENTORY_TYPE_UNKNOWN: 'inventoryTypeId',
  PRICE_SOURCE_MISMATCH: 'rate',
};
