/**
 * The layer that a price set by a person changes. Prices of a file are changed in the layer of that file; prices that a
 * system sends are left to the system, which would set them again.
 */
import { calendarOfLayer } from '../../domain/ledger/message.ts';
import { Wrong } from '../../domain/wrong.ts';
import { hasPrices, MANUAL_SOURCE, pricingConnection } from '../../domain/layers.ts';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import type { LayeredStored } from '../../storage/supply/store.ts';
import { isSystem, type SystemDeps } from '../sources/is-system.ts';

/** The source whose layer takes the price; refused where a system prices the type. */
export async function findPriceLayer(
  deps: SystemDeps,
  { stored, layers }: LayeredStored,
  inventoryTypeId: string,
): Promise<Outcome<string>> {
  const { inventoryTypes, propertyId } = stored.property;
  const type = inventoryTypes.find((one) => one.inventoryTypeId === inventoryTypeId);
  const sources = layers
    .filter((layer) => layer.inventoryTypeId === inventoryTypeId)
    .map(({ source }) => source);
  const connection = pricingConnection(sources);
  const source = connection ?? type?.priceSource ?? stored.source;
  if (connection !== undefined)
    return refuse(
      new Wrong('pricedBySystem', { source: JSON.stringify(source), typeId: inventoryTypeId, propertyId }),
    );
  if (!hasPrices(calendarOfLayer(layers, source, inventoryTypeId))) return done(MANUAL_SOURCE);
  if (!(await isSystem(deps, source))) return done(source);
  return refuse(
    new Wrong('pricedBySystem', { source: JSON.stringify(source), typeId: inventoryTypeId, propertyId }),
  );
}
