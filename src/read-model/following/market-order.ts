/**
 * Groups properties of a snapshot by market, some megabytes at a time. Properties of a market write to the same
 * kilobytes of bits, so it is cheaper to write several in a row. Within a market they keep their order.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { allTexts } from '../../domain/property.ts';
import type { FollowedProperty } from '../../storage/catalogue/store.ts';

/** Bytes held at a time: 13,000 properties of a few kilobytes. */
export const HELD_BYTES_MAX = 64 * 2 ** 20;
const BATCH_PROPERTIES_MAX = 100;

/** Calls `onRead` with each batch of the snapshot. Ends at the signal. */
export async function* inMarketOrder(
  batches: AsyncIterable<readonly FollowedProperty[]>,
  onRead: () => void,
  signal: AbortSignal,
): AsyncGenerator<readonly FollowedProperty[]> {
  let held: FollowedProperty[] = [];
  let heldBytes = 0;
  for await (const batch of batches) {
    onRead();
    if (signal.aborted) return;
    for (const followed of batch) {
      held.push(followed);
      heldBytes += estimateBytes(followed);
    }
    if (heldBytes < HELD_BYTES_MAX) continue;
    yield* byMarket(held);
    held = [];
    heldBytes = 0;
  }
  yield* byMarket(held);
}

async function* byMarket(held: readonly FollowedProperty[]): AsyncGenerator<readonly FollowedProperty[]> {
  const ordered = [...Map.groupBy(held, marketOf).values()].flat();
  for (let start = 0; start < ordered.length; start += BATCH_PROPERTIES_MAX) {
    yield ordered.slice(start, start + BATCH_PROPERTIES_MAX);
    await nextTurn();
  }
}

/** Approximate: cities with several spellings may be one market. */
function marketOf({ property }: FollowedProperty): string {
  const { city, country } = property.location;
  return `${country} ${allTexts(city)[0]}`;
}

const PROPERTY_BYTES = 2_000;
const ITEM_BYTES = 500;

/** A rough estimate of its memory. */
function estimateBytes({ property, nights }: FollowedProperty): number {
  const { description, amenities, cityAliases, inventoryTypes, taxes, discounts = [], visibleTo } = property;
  let bytes = PROPERTY_BYTES;
  for (const list of [amenities, cityAliases, inventoryTypes, taxes, discounts])
    bytes += list.length * ITEM_BYTES;
  if (visibleTo !== 'all') bytes += visibleTo.length * ITEM_BYTES;
  for (const text of description === null ? [] : allTexts(description)) bytes += text.length;
  for (const { length } of nights) bytes += length;
  return bytes;
}
