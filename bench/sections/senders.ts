/** The operator's systems as a section sees them: a process of eight senders, and the token that they send with. */
import { join } from 'node:path';
import { issueOperatorToken } from '../../src/access/operator-tokens.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import type { Context } from '../context.ts';
import { type Child, startChild } from '../machine/child.ts';
import type { SupplyTarget } from './supply-process.ts';

/** Ended with the context unless before. */
export function startSenders(context: Context): Child {
  const senders = startChild({
    ...({ role: 'load', name: 'senders' } as const),
    args: [join(import.meta.dirname, 'supply-process.ts')],
  });
  context.onEnd(() => senders.stop());
  return senders;
}

/** All properties of the city, in the database of the service that listens on `operatorPort`. */
export async function targetOf(
  city: CityDatabase,
  databaseUrl: string,
  { operatorPort }: { readonly operatorPort: number },
): Promise<SupplyTarget> {
  const { inventoryTypes } = city.properties[0]!.property;
  const propertyIds = city.properties.map(({ property }) => property.propertyId);
  const token = await issueToken(databaseUrl, propertyIds[0]!);
  const { inventoryTypeId } = inventoryTypes[0]!;
  return { operatorPort, token, today: city.today, propertyIds, inventoryTypeId };
}

/** For the source that the properties come from: the price of a type is that of one source. */
async function issueToken(databaseUrl: string, propertyId: string): Promise<string> {
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  try {
    const deps = { storage, clock: systemClock, random: systemRandom };
    const source = (await storage.findProperty(propertyId))?.source;
    const issued = await issueOperatorToken(deps, {
      name: 'bench',
      ...(source === undefined ? {} : { source }),
    });
    if (!issued.ok) throw new Error(issued.problem);
    return issued.value.token;
  } finally {
    await storage.close();
  }
}
