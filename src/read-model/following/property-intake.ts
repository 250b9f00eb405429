/** Applies stored properties to the catalogue. One bad row is logged and set aside; the others continue. */
import { type CatalogueWriter, type Change, idOf } from '../catalogue/catalogue-writer.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { buildLowestRates, lowestRatesHorizon } from '../../domain/lowest-rates.ts';
import type { CatalogueStore, FollowedProperty } from '../../storage/catalogue/store.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { FollowerLogger } from './retry-loop.ts';

/** The part of the catalogue that takes stored properties. */
export type TakingModel = Pick<CatalogueWriter, 'applyAll' | 'forget' | 'horizonNights'>;

export class PropertyIntake {
  readonly #catalogue: TakingModel;
  readonly #storage: Pick<CatalogueStore, 'findProperty'>;
  readonly #logger: FollowerLogger;

  constructor(catalogue: TakingModel, storage: Pick<CatalogueStore, 'findProperty'>, logger: FollowerLogger) {
    this.#catalogue = catalogue;
    this.#storage = storage;
    this.#logger = logger;
  }

  /** The `outdated` properties are of another history: any revision replaces them, and takes them off the list. */
  async applyAll(changes: readonly Change[], outdated?: Set<string>): Promise<void> {
    const taken: Change[] = [];
    for (const change of changes) {
      try {
        // Awaited only where there is something to wait for: a snapshot is a million turns of this loop.
        const isOdd = 'property' in change && this.#hasOtherHorizon(change);
        taken.push(isOdd ? await this.#withOwnHorizon(change) : change);
        if (outdated?.delete(idOf(change)) === true) this.#catalogue.forget(idOf(change));
      } catch (error) {
        if (error instanceof StorageUnavailable) throw error;
        this.#refuse(change, error);
      }
    }
    this.#catalogue.applyAll(taken, (change, error) => this.#refuse(change, error));
  }

  #refuse(change: Change, error: unknown): void {
    this.#logger.error(
      { propertyId: idOf(change), err: error },
      'property left out of the catalogue: it could not be indexed',
    );
  }

  #hasOtherHorizon({ lowestRates }: FollowedProperty): boolean {
    return lowestRatesHorizon(lowestRates) !== this.#catalogue.horizonNights;
  }

  /** Starting prices that were stored under another horizon are built again from the rates. */
  async #withOwnHorizon(followed: FollowedProperty): Promise<FollowedProperty> {
    const stored = await this.#storage.findProperty(followed.property.propertyId);
    if (stored === undefined) return followed;
    const calendars = stored.calendars.map(({ nights, rates }) => decodeCalendar(nights, rates));
    return { ...followed, lowestRates: buildLowestRates(calendars, this.#catalogue.horizonNights) };
  }
}
