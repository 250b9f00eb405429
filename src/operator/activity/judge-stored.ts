/** Judges stays against the stored properties. It needs much processor time, so a separate thread runs it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withWrittenAges } from '../../domain/child-ages.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { makeOfferedNights } from '../../domain/eligibility.ts';
import { typesOf } from '../../domain/property.ts';
import { localToday } from '../../domain/local-date.ts';
import type { UnmetStay } from '../../storage/activity/store.ts';
import type { LayeredStored, SupplyStore } from '../../storage/supply/store.ts';
import {
  addJudgements,
  type JudgedProperty,
  judgeProperty,
  NOTHING_JUDGED,
  type StayJudgement,
  type StayToJudge,
} from './unmet-causes.ts';

/** Some properties of one city, and stays that were searched in it. */
export interface JudgeQuestion {
  readonly propertyIds: readonly string[];
  readonly stays: readonly StayToJudge[];
  readonly nowMs: number;
  readonly horizonNights: number;
}

const READ_AT_ONCE = 4;

/**
 * The judgement of each stay by these properties, in the order of the stays. Properties deleted meanwhile are skipped.
 */
export async function judgeStored(
  storage: Pick<SupplyStore, 'findLayers'>,
  { propertyIds, stays, nowMs, horizonNights }: JudgeQuestion,
): Promise<StayJudgement[]> {
  let judged: StayJudgement[] = stays.map(() => NOTHING_JUDGED);
  for (let start = 0; start < propertyIds.length; start += READ_AT_ONCE) {
    const ids = propertyIds.slice(start, start + READ_AT_ONCE);
    const found = await Promise.all(ids.map((propertyId) => storage.findLayers(propertyId)));
    for (const layered of found) {
      if (layered === undefined) continue;
      const property = judgedProperty(layered, nowMs, horizonNights);
      const asked = stays.map((stay, index) => nearerThan(stay, judged[index]!));
      const own = judgeProperty(property, asked);
      judged = judged.map((one, index) => addJudgements(one, own[index]!));
    }
    // The same thread makes pages, for which somebody waits.
    await nextTurn();
  }
  return judged;
}

/** As it was searched, with the ages of children. */
export function stayToJudge({
  checkIn,
  nights,
  guests,
  childAges,
}: Pick<UnmetStay, 'checkIn' | 'nights' | 'guests' | 'childAges'>): StayToJudge {
  return { checkIn, nights, guests, ...withWrittenAges(childAges) };
}

/** Limits the search for openings to those nearer than the known one. */
export function nearerThan(stay: StayToJudge, { nearest }: StayJudgement): StayToJudge {
  return nearest === null ? stay : { ...stay, nearestDistance: nearest.distance };
}

function judgedProperty(
  { stored, layers }: LayeredStored,
  nowMs: number,
  horizonNights: number,
): JudgedProperty {
  const { property, source, calendars } = stored;
  return {
    propertyId: property.propertyId,
    source,
    offered: makeOfferedNights(localToday(property.timezone, nowMs), horizonNights),
    types: typesOf(property).map((type, index) => ({
      type,
      calendar: decodeCalendar(calendars[index]!.nights),
      layers: layers
        .filter((layer) => layer.inventoryTypeId === type.inventoryTypeId)
        .map((layer) => ({ source: layer.source, calendar: decodeCalendar(layer.nights) })),
    })),
  };
}
