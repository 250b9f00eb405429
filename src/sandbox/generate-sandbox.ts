/** All properties of the sandbox as storage would hold them, for a moment in time: nothing of it is ever stored. */
import { localToday } from '../domain/timezone.ts';
import type { StoredProperty } from '../storage/port/catalogue-store.ts';
import { encodeProperty } from '../supply/run/encode-property.ts';
import { ORDINARY_COUNT, ordinaryProperty } from './ordinary-properties.ts';
import { propertyAtHandoff, SPECIAL_IDS, specialProperty, timezoneOf } from './special-properties.ts';
import { TEST_TIMEZONE, type TestNights, type TestProperty } from './test-property.ts';

export interface SandboxMoment {
  readonly nowMs: number;
  readonly horizonNights: number;
}

/** Pure: the same for the same local days. */
export function generateSandbox(moment: SandboxMoment): readonly StoredProperty[] {
  const ordinary = Array.from({ length: ORDINARY_COUNT }, (_, index) =>
    ordinaryProperty(index, nightsIn(TEST_TIMEZONE, moment)),
  );
  const special = SPECIAL_IDS.map((id) => specialProperty(id, nightsIn(timezoneOf(id), moment)));
  return [...ordinary, ...special].map((one) => toStored(one, moment));
}

/** Those that are not at their handoff what they were at their quote. */
export function generateAtHandoff(moment: SandboxMoment): readonly StoredProperty[] {
  return SPECIAL_IDS.flatMap((id) => {
    const changed = propertyAtHandoff(id, nightsIn(timezoneOf(id), moment));
    return changed === undefined ? [] : [toStored(changed, moment)];
  });
}

function nightsIn(timezone: string, { nowMs, horizonNights }: SandboxMoment): TestNights {
  const first = localToday(timezone, nowMs);
  return { first, last: first + horizonNights - 1 };
}

function toStored(
  { property, entries }: TestProperty,
  { nowMs, horizonNights }: SandboxMoment,
): StoredProperty {
  const { lowestRates, calendars, source } = encodeProperty(property, entries, {
    source: 'sandbox',
    horizonNights,
  });
  return { property, source, lowestRates, calendars, revision: 1, changedAtMs: nowMs };
}
