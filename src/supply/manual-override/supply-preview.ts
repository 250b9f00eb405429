/**
 * What messages would do, worked out by the plan that also applies them, on a copy of the rows. Nothing is written.
 */
import { type Calendar, EMPTY_CALENDAR } from '../../domain/calendar.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { type PropertyState, writtenLayers } from '../../storage/supply/layered-property.ts';
import { propertyIdsOf } from '../../storage/supply/plan-rows.ts';
import { SupplyPlanner } from '../../storage/supply/supply-plan.ts';
import { contentHash, makeStoredWrite } from '../../storage/catalogue/stored-write.ts';
import type {
  LayeredStored,
  StoredLayer,
  SupplyMessage,
  SupplyOutcome,
  SupplyStore,
} from '../../storage/supply/store.ts';
import { differenceOf, type NightsDifference } from './calendar-difference.ts';

/** What partners see of one inventory type that changes. */
export interface TypeDifference {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  readonly nights: readonly NightsDifference[];
}

export class SupplyPreview {
  readonly #storage: Pick<SupplyStore, 'findLayers'>;
  readonly #before = new Map<string, PropertyState | undefined>();
  readonly #after = new Map<string, PropertyState | undefined>();

  constructor(storage: Pick<SupplyStore, 'findLayers'>) {
    this.#storage = storage;
  }

  /** As if the message were applied after those taken before. */
  async take(message: SupplyMessage): Promise<SupplyOutcome> {
    for (const propertyId of propertyIdsOf(message)) await this.#load(propertyId);
    const planner = new SupplyPlanner({
      findState: (propertyId) => this.#after.get(propertyId),
      findKey: () => undefined,
      findConfirmedAtMs: () => 0,
    });
    drain(planner.take(message));
    const [sealed] = planner.seal(0);
    for (const settled of planner.settle()) {
      if (settled === undefined) continue;
      const { content, hash, layers } = settled;
      const state = { content, contentHash: hash, changedAtMs: message.receivedAtMs, layers };
      this.#after.set(content.propertyId, state);
    }
    if (sealed?.answer.kind !== 'done') throw new Error('only a message with a key can repeat another');
    return sealed.answer.outcome;
  }

  /** The types whose nights change for partners; a property that was never taken has none. */
  differences(): TypeDifference[] {
    return [...this.#before.keys()].flatMap((propertyId) => this.#differencesOf(propertyId));
  }

  /** All layers of the property as they would be. */
  layersOf(propertyId: string): readonly StoredLayer[] {
    const state = this.#after.get(propertyId);
    return state === undefined ? [] : writtenLayers(state);
  }

  async #load(propertyId: string): Promise<void> {
    if (this.#before.has(propertyId)) return;
    const stored = await this.#storage.findLayers(propertyId);
    const state = stored === undefined ? undefined : toState(stored);
    this.#before.set(propertyId, state);
    this.#after.set(propertyId, state);
  }

  #differencesOf(propertyId: string): TypeDifference[] {
    const before = this.#before.get(propertyId);
    const after = this.#after.get(propertyId);
    if (before === after) return [];
    return (after?.content?.types ?? []).flatMap(({ inventoryTypeId }) => {
      const nights = differenceOf(calendarOf(before, inventoryTypeId), calendarOf(after, inventoryTypeId));
      return nights.length === 0 ? [] : [{ propertyId, inventoryTypeId, nights }];
    });
  }
}

function toState({ stored, layers }: LayeredStored): PropertyState {
  const content = makeStoredWrite(stored);
  return { content, contentHash: contentHash(content), changedAtMs: stored.changedAtMs, layers };
}

function calendarOf(state: PropertyState | undefined, inventoryTypeId: string): Calendar {
  const type = state?.content?.types.find((one) => one.inventoryTypeId === inventoryTypeId);
  return type === undefined ? EMPTY_CALENDAR : decodeCalendar(type.nights, type.rates);
}

/** Nothing waits here, so that all steps are taken at once. */
function drain(steps: Iterator<void, void>): void {
  while (steps.next().done !== true);
}
