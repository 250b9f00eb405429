/** Writes a generated catalogue into a database through the storage port, and measures how long that takes. */
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { PropertyWrite } from '../../src/domain/ledger/stored-write.ts';
import { obeyOrders } from '../machine/channel.ts';
import { issueTokens } from './credentials.ts';
import { asWrite } from './property-generator.ts';
import type { WorldOrder, WorldReport } from './world-database.ts';
import { makeWorld, WORLD_PARTNER_IDS } from './world.ts';

const WRITES_AT_ONCE = 500;
const SOURCE = 'generated';

obeyOrders({
  async write({ databaseUrl, today, properties, cities }: WorldOrder): Promise<WorldReport> {
    const world = makeWorld(today, cities);
    const storage = await openStorage(databaseUrl, { clock: systemClock });
    try {
      await storage.migrate();
      const startedAtMs = performance.now();
      let inventoryTypes = 0;
      // One batch is made while the one before is written.
      let writing: Promise<unknown> = Promise.resolve();
      for (let start = 0; start < properties; start += WRITES_AT_ONCE) {
        const count = Math.min(WRITES_AT_ONCE, properties - start);
        const writes: PropertyWrite[] = Array.from({ length: count }, (_, index) =>
          asWrite(world.propertyAt(start + index), world.profile, SOURCE),
        );
        for (const { calendars } of writes) inventoryTypes += calendars.length;
        await writing;
        writing = storage.writeProperties(writes);
      }
      await writing;
      const loadSeconds = (performance.now() - startedAtMs) / 1000;
      return { loadSeconds, inventoryTypes, tokens: await issueTokens(storage, WORLD_PARTNER_IDS) };
    } finally {
      await storage.close();
    }
  },
});
