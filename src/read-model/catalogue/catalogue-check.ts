/** Sums of the catalogue that readers take as they are: looked at again from the parts. */
import { assertState } from '../../runtime/assertions.ts';
import { Block, type BlockShape } from './index/block.ts';
import type { Directory } from './index/directory.ts';
import type { Market } from './index/writer-blocks.ts';

/** A change of a larger market would read very much. */
const BLOCKS_CHECKED_MAX = 8;

/** Throws unless a written market has the properties of its blocks, in order. */
export function checkMarket(
  { refs, propertyCount, restrictedCount, spellingCounts }: Market,
  shape: BlockShape,
): void {
  if (refs.length > BLOCKS_CHECKED_MAX) return;
  let count = 0;
  let restricted = 0;
  let lastId = '';
  for (const { address, firstId } of refs) {
    const { slots, restrictedSlotCount } = Block.open(shape, address);
    restricted += restrictedSlotCount;
    assertState(slots.count > 0 && slots.id(0) === firstId, 'a block is known by its first property');
    assertState(count === 0 || lastId < firstId, 'the blocks of a market ascend');
    lastId = slots.id(slots.count - 1);
    count += slots.count;
  }
  const spelled = spellingCounts.values().reduce((sum, own) => sum + own, 0);
  assertState(count === propertyCount && spelled === count, 'a market counts its properties');
  assertState(restricted === restrictedCount, 'a market counts the properties that some partners see');
}

/** Throws unless the directory has the sums of all markets. */
export function checkTotals(directory: Directory, markets: Iterable<Market>): void {
  const sums = { properties: 0, markets: 0, blocks: 0, names: 0 };
  for (const { propertyCount, refs, nameCounts } of markets) {
    sums.markets += propertyCount === 0 ? 0 : 1;
    sums.properties += propertyCount;
    sums.blocks += refs.length;
    sums.names += nameCounts.size;
  }
  for (const part of ['properties', 'markets', 'blocks', 'names'] as const)
    assertState(directory[part].entryCount === sums[part], `the directory counts the ${part} of its markets`);
  assertState(directory.inventoryTypes >= sums.properties, 'every property has an inventory type');
}
