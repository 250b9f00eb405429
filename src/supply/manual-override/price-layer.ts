/**
 * The layer that a price set by a person changes. Prices of a file are changed in the layer of that file; prices that a
 * system sends are left to the system, which would set them again.
 */
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { FEED_SOURCE_PREFIX, hasPrices, MANUAL_SOURCE } from '../../domain/layers.ts';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import type { AccessStore } from '../../storage/access/store.ts';
import type { LayeredStored, SupplyStore } from '../../storage/supply/store.ts';
import { SENT_KINDS } from '../messages/receive-message.ts';

export interface PriceLayerDeps {
  readonly storage: Pick<SupplyStore, 'listSupplyMessages'> & Pick<AccessStore, 'readAccess'>;
  readonly clock: () => number;
}

/** The source whose layer takes the price; refused where a system prices the type. */
export async function findPriceLayer(
  deps: PriceLayerDeps,
  { stored, layers }: LayeredStored,
  inventoryTypeId: string,
): Promise<Outcome<string>> {
  const { inventoryTypes, propertyId } = stored.property;
  const type = inventoryTypes.find((one) => one.inventoryTypeId === inventoryTypeId);
  const source = type?.priceSource ?? stored.source;
  const layer = layers.find((one) => one.source === source && one.inventoryTypeId === inventoryTypeId);
  if (layer === undefined || !hasPrices(decodeCalendar(layer.nights, layer.rates)))
    return done(MANUAL_SOURCE);
  if (!(await isSystem(deps, source))) return done(source);
  return refuse(
    `the source ${JSON.stringify(source)} prices ${inventoryTypeId} of ${propertyId}: set it there, ` +
      'or clear all its rates of this type there and set it here again',
  );
}

/** Feeds, and sources that a token writes or has written as far as messages are kept; people send all others. */
async function isSystem({ storage, clock }: PriceLayerDeps, source: string): Promise<boolean> {
  if (source.startsWith(FEED_SOURCE_PREFIX)) return true;
  const nowMs = clock();
  const { operatorTokens } = await storage.readAccess();
  const isBound = operatorTokens.some(
    (token) =>
      token.source === source && token.revokedAtMs === null && (token.expiresAtMs ?? Infinity) > nowMs,
  );
  if (isBound) return true;
  const sent = await storage.listSupplyMessages({ source, kinds: SENT_KINDS, limit: 1 });
  return sent.length > 0;
}
