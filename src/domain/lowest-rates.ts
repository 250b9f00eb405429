/**
 * The lowest rate of a property over its open nights within the horizon, for every possible today. The steps are
 * computed once when a calendar changes, so the starting price moves with the day without a rate read.
 *
 * Layout, version 1, everything a varint (`calendar-codec.ts`): version = 1, horizon in nights, then the steps as runs
 * of days, their values rates in minor units.
 */
import type { Calendar } from './calendar.ts';
import { lowestGuestRate } from './guest-rates.ts';
import { EPOCH_DAY_MIN, type EpochDay } from './local-date.ts';
import { overlayRuns, visitStretches, type NightRun, type NightRuns } from './night-runs.ts';
import { RunReader, VarintReader, VarintWriter, writeRuns } from './calendar-codec.ts';

const VERSION = 1;

/** Builds the steps of a property with these calendars, when `horizonNights` nights are offered from today. */
export function buildLowestRates(calendars: readonly Calendar[], horizonNights: number): Uint8Array {
  const steps = lowestOfAll(
    calendars.map((calendar) => lowestUpcoming(ratesOfOpenNights(calendar), horizonNights)),
  );
  const writer = new VarintWriter();
  writer.write(VERSION);
  writer.write(horizonNights);
  writeRuns(writer, steps);
  return writer.toBytes();
}

/** Minor units for `today`, or null when no open night within the horizon has a rate. */
export function lowestRateAt(bytes: Uint8Array, today: EpochDay): number | null {
  for (const { from, until, value } of readSteps(bytes)) {
    if (today < until) return from <= today ? value : null;
  }
  return null;
}

/** The lowest of all days, in minor units; null when there is none. */
export function lowestRateEver(bytes: Uint8Array): number | null {
  let lowest: number | null = null;
  for (const { value } of readSteps(bytes)) if (lowest === null || value < lowest) lowest = value;
  return lowest;
}

/** The first day after `today` with another lowest rate; undefined when it never changes again. */
export function nextLowestRateChange(bytes: Uint8Array, today: EpochDay): EpochDay | undefined {
  for (const { from, until } of readSteps(bytes)) {
    if (today < from) return from;
    if (today < until) return until;
  }
  return undefined;
}

/** The horizon of the steps, in nights. */
export function lowestRatesHorizon(bytes: Uint8Array): number {
  return stepsReader(bytes).read();
}

function* readSteps(bytes: Uint8Array): Generator<NightRun> {
  const reader = stepsReader(bytes);
  reader.read();
  const step = new RunReader(reader);
  while (!reader.isAtEnd) {
    step.next();
    yield step;
  }
}

function stepsReader(bytes: Uint8Array): VarintReader {
  const reader = new VarintReader(bytes);
  const version = reader.read();
  if (version !== VERSION) throw new RangeError(`lowest rates of unknown version ${version}`);
  return reader;
}

/** The rate of each open night, whatever today is. */
function ratesOfOpenNights(calendar: Calendar): NightRun[] {
  const rates: NightRun[] = [];
  const fields = [calendar.rate, calendar.ratesByGuests, calendar.availability, calendar.stopSell] as const;
  visitStretches(fields, (from, until, [rate, ratesByGuests, unitsLeft = 0, stopSell = 0]) => {
    const value = ratesByGuests === undefined ? rate : lowestGuestRate(ratesByGuests);
    if (value !== undefined && unitsLeft >= 1 && stopSell === 0) rates.push({ from, until, value });
  });
  return rates;
}

/**
 * The lowest rate of the nights [today, today + horizon), for every today. A run of rates is visible from the day
 * `first night - horizon + 1` to its last night. Runs leave in the order in which they came, so from the day a run
 * becomes visible the earlier steps only rise: it replaces those at the end that are not lower, and outlasts the
 * others. Each run is visited once.
 */
function lowestUpcoming(rates: readonly NightRun[], horizonNights: number): NightRun[] {
  const steps: NightRun[] = [];
  for (const { from: firstNight, until, value } of rates) {
    const inSight = Math.max(firstNight - horizonNights + 1, EPOCH_DAY_MIN);
    let from = Math.max(inSight, steps.at(-1)?.until ?? inSight);
    for (
      let last = steps.at(-1);
      last !== undefined && last.until > inSight && last.value >= value;
      last = steps.at(-1)
    ) {
      steps.pop();
      from = Math.max(last.from, inSight);
      if (last.from < inSight) {
        steps.push({ ...last, until: inSight });
        break;
      }
    }
    steps.push({ from, until, value });
  }
  return steps;
}

/** The lowest of several: cheaper steps are laid over dearer ones. */
function lowestOfAll(stepsByType: readonly (readonly NightRun[])[]): NightRuns {
  return overlayRuns(
    stepsByType.length === 1 ? stepsByType[0]! : stepsByType.flat().toSorted((a, b) => b.value - a.value),
  );
}
