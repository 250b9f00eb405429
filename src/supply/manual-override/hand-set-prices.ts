/**
 * Prices that people set and a file would replace, for its dry run. Those over the file's lie in its layer. Those set
 * before any file had prices lie in the manual layer, and count until the file has some (`findPriceLayer`).
 */
import { calendarOfLayer } from '../../domain/ledger/message.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { isPrice } from '../../domain/calendar-fields.ts';
import { type Calendar, EMPTY_CALENDAR } from '../../domain/calendar.ts';
import { hasPrices, MANUAL_SOURCE } from '../../domain/layers.ts';
import { traceProperty, TRACED_MESSAGES_MAX } from '../../domain/ledger/trace-property.ts';
import type { PropertyWrite } from '../../domain/ledger/stored-write.ts';
import { type EpochDay, formatLocalDate } from '../../domain/local-date.ts';
import { overlayRuns, visitStretches } from '../../domain/night-runs.ts';
import type { LayeredStored, SupplyStore } from '../../storage/supply/store.ts';
import { SET_KIND } from './change-nights.ts';
import { differenceOf, type NightsDifference } from './calendar-difference.ts';
import type { TypeDifference } from './supply-preview.ts';

/** Stretches that a dry run names; further ones are only counted. */
const STRETCHES_MAX = 1_000;

export interface HandSetNights {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  readonly dateFrom: string;
  /** The last night. */
  readonly dateTo: string;
}

export interface FoundHandSet {
  readonly setByHand: readonly HandSetNights[];
  /** Number of further stretches. */
  readonly setByHandLeftOut: number;
}

type Stretch = Pick<NightsDifference, 'from' | 'to'>;
type Store = Pick<SupplyStore, 'findLayers' | 'listSourceHistory' | 'listSupplyMessages'>;

export class HandSetPrices {
  readonly #storage: Store;
  readonly #source: string;
  #isAny: Promise<boolean> | undefined;
  readonly #found: HandSetNights[] = [];
  #leftOut = 0;

  /** Looks at the layer of `source`, which the file writes. */
  constructor(storage: Store, source: string) {
    this.#storage = storage;
    this.#source = source;
  }

  /** Takes what the rows of a file would change, all properties at once. */
  async takeChanges(differences: readonly TypeDifference[]): Promise<void> {
    if (differences.length === 0 || !(await this.#hasAny())) return;
    const byProperty = Map.groupBy(differences, ({ propertyId }) => propertyId);
    for (const [propertyId, own] of byProperty) {
      const layered = await this.#storage.findLayers(propertyId);
      if (layered !== undefined) await this.#compare(layered, own);
    }
  }

  /** Takes a document of the file, whose calendars would replace the layer. */
  async takeDocument({ property, calendars, keptTypeIds = [] }: PropertyWrite): Promise<void> {
    if (!(await this.#hasAny())) return;
    const { propertyId } = property;
    const layered = await this.#storage.findLayers(propertyId);
    if (layered?.stored.source !== this.#source) return;
    const differences = calendars
      .filter(({ inventoryTypeId }) => !keptTypeIds.includes(inventoryTypeId))
      .map(({ inventoryTypeId, nights, rates }) => {
        const after = decodeCalendar(nights, rates);
        const own = calendarOfLayer(layered.layers, this.#source, inventoryTypeId);
        const before = hasPrices(own) || !hasPrices(after) ? own : shownCalendar(layered, inventoryTypeId);
        return { propertyId, inventoryTypeId, nights: differenceOf(before, after) };
      });
    await this.#compare(layered, differences);
  }

  found(): FoundHandSet {
    return { setByHand: this.#found, setByHandLeftOut: this.#leftOut };
  }

  /** One question for most sources: their properties are not read again. */
  #hasAny(): Promise<boolean> {
    return (this.#isAny ??= Promise.all(
      [this.#source, MANUAL_SOURCE].map((source) =>
        this.#storage.listSupplyMessages({ source, kinds: [SET_KIND], limit: 1 }),
      ),
    ).then((messages) => messages.flat().length > 0));
  }

  async #compare(layered: LayeredStored, differences: readonly TypeDifference[]): Promise<void> {
    const changed = differences.map((one) => ({ ...one, nights: one.nights.filter(changesPrice) }));
    if (changed.every(({ nights }) => nights.length === 0)) return;
    const byHand = await this.#nightsByHand(layered);
    for (const { propertyId, inventoryTypeId, nights } of changed) {
      const own = byHand.get(inventoryTypeId) ?? [];
      for (const { from, to } of nightsOfBoth(nights, own)) {
        if (this.#found.length >= STRETCHES_MAX) this.#leftOut += 1;
        else this.#found.push({ propertyId, inventoryTypeId, ...datesOf(from, to) });
      }
    }
  }

  /** By inventory type: nights whose price is the one that a person set, in either layer. */
  async #nightsByHand(layered: LayeredStored): Promise<ReadonlyMap<string, readonly Stretch[]>> {
    const { property, calendars } = layered.stored;
    const history = await this.#storage.listSourceHistory(property.propertyId, TRACED_MESSAGES_MAX);
    const ids = new Set(history.filter(({ kind }) => kind === SET_KIND).map(({ messageId }) => messageId));
    const traced = traceProperty(layered, history);
    return new Map(
      calendars.map(({ inventoryTypeId }, index) => [
        inventoryTypeId,
        traced[index]!.filter(({ settings }) =>
          settings.some(
            ({ field, source, messageId }) =>
              isPrice(field) &&
              (source === this.#source || source === MANUAL_SOURCE) &&
              messageId !== null &&
              ids.has(messageId),
          ),
        ),
      ]),
    );
  }
}

/** Nights as partners see them now. */
function shownCalendar({ stored }: LayeredStored, inventoryTypeId: string): Calendar {
  const type = stored.calendars.find((one) => one.inventoryTypeId === inventoryTypeId);
  return type === undefined ? EMPTY_CALENDAR : decodeCalendar(type.nights, type.rates);
}

function changesPrice({ before }: NightsDifference): boolean {
  return Object.keys(before).some((field) => isPrice(field as keyof typeof before));
}

/** The nights of both, neighbours as one; each list is ascending. */
function nightsOfBoth(one: readonly Stretch[], other: readonly Stretch[]): Stretch[] {
  const runsOf = (stretches: readonly Stretch[]) =>
    overlayRuns(stretches.map(({ from, to }) => ({ from, until: to + 1, value: 1 })));
  const both: Stretch[] = [];
  visitStretches([runsOf(one), runsOf(other)], (from, until, values) => {
    if (!values.includes(undefined)) both.push({ from, to: until - 1 });
  });
  return both;
}

function datesOf(from: EpochDay, to: EpochDay): Pick<HandSetNights, 'dateFrom' | 'dateTo'> {
  return { dateFrom: formatLocalDate(from), dateTo: formatLocalDate(to) };
}
