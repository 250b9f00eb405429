/** Types whose prices come from a connection: rates of documents are stored for them, and not used. */
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { connectionOf, hasPrices } from '../../domain/layers.ts';
import type { PropertyWrite } from '../../domain/ledger/stored-write.ts';
import { Wrong } from '../../domain/wrong.ts';
import type { ConnectionStore } from '../../storage/connections/store.ts';

/** Counts the types of an import whose rates are not used. */
export class ConnectedTypes {
  /** Source by property and type. */
  readonly #sources: ReadonlyMap<string, string>;
  readonly #counts = new Map<string, number>();

  private constructor(sources: ReadonlyMap<string, string>) {
    this.#sources = sources;
  }

  static async read({
    listConnectedRooms,
  }: Pick<ConnectionStore, 'listConnectedRooms'>): Promise<ConnectedTypes> {
    const pricing = (await listConnectedRooms()).filter(
      ({ source }) => connectionOf(source)?.withPrices === true,
    );
    return new ConnectedTypes(
      new Map(pricing.map((room) => [keyOf(room.propertyId, room.inventoryTypeId), room.source])),
    );
  }

  take({ property, calendars }: PropertyWrite): void {
    if (this.#sources.size === 0) return;
    for (const { inventoryTypeId, nights, rates } of calendars) {
      const source = this.#sources.get(keyOf(property.propertyId, inventoryTypeId));
      if (source === undefined || !hasPrices(decodeCalendar(nights, rates))) continue;
      this.#counts.set(source, (this.#counts.get(source) ?? 0) + 1);
    }
  }

  /** One for each connection. */
  notices(): Wrong[] {
    return Array.from(this.#counts, ([source, count]) => new Wrong('ratesUnused', { count, source }));
  }
}

function keyOf(propertyId: string, inventoryTypeId: string): string {
  return `${propertyId}\n${inventoryTypeId}`;
}
