/** `import ical`: a calendar from a file, as the whole layer of its source. */
import { Wrong } from '../../domain/wrong.ts';
import { createReadStream } from 'node:fs';
import { localToday } from '../../domain/local-date.ts';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import { findLayer, type LayerName, refusalOf, replaceLayer } from './feed-layer.ts';
import type { NightsDeps } from '../messages/receive-message.ts';
import { readUntil } from './poll-feed.ts';
import { readCalendar } from './read-calendar.ts';
import { type NightRuns, visitStretches } from '../../domain/night-runs.ts';
import { CALENDAR_BYTES_MAX } from './calendar-text.ts';

export interface CalendarImport {
  readonly eventCount: number;
  /** Nights from yesterday to the horizon that the calendar closes. */
  readonly closed: number;
  /** Nights that the source closes now, and did not before. */
  readonly newlyClosed: number;
  /** Nights that the source closed before, and does not now. */
  readonly opened: number;
  /** Names of lines and components that may mean something and are not read, at most 20. */
  readonly leftOut: readonly string[];
}

/** A person looks at it, so nothing is held back; a dry run writes nothing. */
export async function importCalendar(
  deps: NightsDeps,
  name: LayerName,
  bytes: Uint8Array,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Outcome<CalendarImport>> {
  const layer = await findLayer(deps, name);
  if (!layer.ok) return layer;
  const { timezone } = layer.value;
  const today = localToday(timezone, deps.clock());
  const read = readCalendar(bytes, {
    timezone,
    from: today - 1,
    until: readUntil(today, deps.horizonNights),
  });
  if (!read.ok) return refuse(new Wrong('calendarUnusable', { why: read.problem }));
  const { closed, eventCount, leftOut } = read;
  const counts = {
    eventCount,
    closed: countNights(closed, []),
    newlyClosed: countNights(closed, layer.value.closed),
    opened: countNights(layer.value.closed, closed),
    leftOut,
  };
  if (dryRun) return done(counts);
  const refusal = refusalOf(await replaceLayer(deps, name, closed), name);
  return refusal === undefined ? done(counts) : refuse(refusal);
}

/** Nights of the one that are not among the other's. */
function countNights(one: NightRuns, other: NightRuns): number {
  let count = 0;
  visitStretches([one, other], (from, until, [isOne, isOther]) => {
    if (isOne !== undefined && isOther === undefined) count += until - from;
  });
  return count;
}

/** `-` is `standardInput`. One byte more than the limit is enough to see that it is too large. */
export async function readCalendarFile(
  file: string,
  standardInput: AsyncIterable<Buffer | string>,
): Promise<Outcome<Buffer>> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    const stream: AsyncIterable<Buffer | string> = file === '-' ? standardInput : createReadStream(file);
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      sizeBytes += bytes.length;
      if (sizeBytes > CALENDAR_BYTES_MAX) break;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const wrong = new Wrong('fileUnreadable', { code: code ?? String(error) });
    return refuse(new Wrong('ofFile', { file, wrong }));
  }
  return done(Buffer.concat(chunks));
}
