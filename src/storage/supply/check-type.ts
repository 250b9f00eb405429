/**
 * Which entries of a message may be laid over a layer.
 */
import { setsPrice } from '../../domain/layers.ts';
import type { TypeChange } from './store.ts';
import type { LayeredProperty } from './layered-property.ts';
import type { Refusals } from './refusals.ts';

/**
 * What is good of the change: prices only from the type's price source; the change itself when all of it is good.
 * Undefined when nothing is: the type is unknown, or all of its entries are refused.
 */
export function checkType(
  source: string,
  property: LayeredProperty,
  type: TypeChange,
  refusals: Refusals,
): TypeChange | undefined {
  const { inventoryTypeId, entries, positions } = type;
  const { propertyId } = property;
  if (!property.hasType(inventoryTypeId)) {
    refusals.add({ reason: 'type-unknown', propertyId, inventoryTypeId, owner: null, positions });
    return undefined;
  }
  if (!entries.some(setsPrice)) return type;
  const owner = property.priceSourceOf(inventoryTypeId);
  if (owner === source) return type;
  const priced = entries.map(setsPrice);
  refusals.add({
    reason: 'price-refused',
    propertyId,
    inventoryTypeId,
    owner,
    positions: positions.filter((_position, index) => priced[index]),
  });
  if (priced.every(Boolean)) return undefined;
  return {
    ...type,
    entries: entries.filter((_entry, index) => !priced[index]),
    positions: positions.filter((_position, index) => !priced[index]),
  };
}
