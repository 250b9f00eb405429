import assert from 'node:assert/strict';
import type { Storage } from '../../../src/storage/storage.ts';
import { STORM_BATCH_IDS } from './storm-shape.ts';

/** Allowed remains of `write-storm` processes: each acknowledged quote, and an import completely or not at all. */
export async function assertStormKept(
  storage: Pick<Storage, 'findQuote' | 'findProperty'>,
  quoteIds: readonly string[],
): Promise<void> {
  const missing: string[] = [];
  for (const quoteId of quoteIds) if (!(await storage.findQuote(quoteId))) missing.push(quoteId);
  assert.deepEqual(missing, []);
  const properties = await Promise.all(STORM_BATCH_IDS.map((id) => storage.findProperty(id)));
  const stamps = properties.map((property) => property && [property.revision, property.source]);
  assert.ok(properties[0]);
  for (const stamp of stamps) assert.deepEqual(stamp, stamps[0]);
}
