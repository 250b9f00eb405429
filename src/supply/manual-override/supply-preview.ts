/** Previews the effect of messages on a copy of the rows, with the plan that also applies them. Writes nothing. */
import { type Calendar, EMPTY_CALENDAR } from '../../domain/calendar.ts';
import { withoutHiddenRates } from '../../domain/hidden-values.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import {
  type PropertyState,
  type SettledProperty,
  writtenLayers,
} from '../../domain/ledger/layered-property.ts';
import { propertyIdsOf } from '../../domain/ledger/rows.ts';
import { settleMessages, runSteps } from '../../domain/ledger/settle-messages.ts';
import { contentHash, makeStoredWrite } from '../../domain/ledger/stored-write.ts';
import type { LayeredStored, SupplyStore } from '../../storage/supply/store.ts';
import type { StoredLayer, SupplyMessage, SupplyOutcome } from '../../domain/ledger/message.ts';
import { differenceOf, type NightsDifference } from './calendar-difference.ts';

/** Changes that partners see in one inventory type. */
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

  /** Previews the message after those before it. */
  async take(message: SupplyMessage): Promise<SupplyOutcome> {
    for (const propertyId of propertyIdsOf(message)) await this.#load(propertyId);
    const [answer] = runSteps(settleMessages([message]), {
      load: () => ({
        findState: (propertyId) => this.#after.get(propertyId),
        findKey: () => undefined,
        findConfirmedAtMs: () => 0,
      }),
      save: ({ settled }) => this.#save(settled, message.receivedAtMs),
      remember: () => undefined,
    });
    if (answer?.kind !== 'done') throw new Error('only a message with a key can repeat another');
    return answer.outcome;
  }

  #save(settled: readonly SettledProperty[], changedAtMs: number): number {
    for (const { content, hash, layers } of settled)
      this.#after.set(content.propertyId, { content, contentHash: hash, changedAtMs, layers });
    return 0;
  }

  /** The types whose nights change for partners; none for a property that no message named. */
  differences(): TypeDifference[] {
    return [...this.#before.keys()].flatMap((propertyId) => this.#differencesOf(propertyId));
  }

  /** All layers of the property after the messages. */
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
      const [one, other] = [before, after].map((state) =>
        withoutHiddenRates(calendarOf(state, inventoryTypeId)),
      );
      const nights = differenceOf(one!, other!);
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
