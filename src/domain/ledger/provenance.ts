/**
 * Which source set which value for a night, and when: from the layers of all sources and the messages that made them.
 */
import { type Calendar, type CalendarEntry } from '../calendar.ts';
import { ALL_FIELDS, type AnyField, presentValue, type PresentedValue } from '../calendar-fields.ts';
import { type GuestRates, sameGuestRates } from '../guest-rates.ts';
import { EPOCH_DAY_MAX, EPOCH_DAY_MIN, type EpochDay } from '../local-date.ts';
import { type NightRuns, type Overlay, overlayRuns, visitStretches } from '../night-runs.ts';

/** One message's settings for one inventory type. */
export interface Statement {
  readonly source: string;
  readonly messageId: string;
  readonly atMs: number;
  /** Undefined for a document, whose calendar became the layer and is not stored with the message. */
  readonly entries: readonly CalendarEntry[] | undefined;
  /** The entries replaced the layer. */
  readonly replaces: boolean;
  /** The message first cleared these nights of the layer, both included. */
  readonly clears?: { readonly from: EpochDay; readonly to: EpochDay } | undefined;
}

export interface TracedLayer {
  readonly source: string;
  readonly changedAtMs: number;
  readonly calendar: Calendar;
}

export type TracedField = AnyField;

export interface Setting {
  readonly field: TracedField;
  readonly source: string;
  readonly value: number | GuestRates;
  /** When the message arrived; if no stored message set it, when the source's layer last changed. */
  readonly atMs: number;
  readonly messageId: string | null;
  /** Partners see this value; false if another source is stricter. */
  readonly decides: boolean;
}

/** The nights `from`..`to`, both included. */
export interface NightsSettings {
  readonly from: EpochDay;
  readonly to: EpochDay;
  readonly settings: readonly Setting[];
}

interface LastStatement {
  readonly statement: Statement;
  /** Undefined for a document. */
  readonly value: number | GuestRates | undefined;
}

const ALL_NIGHTS = { from: EPOCH_DAY_MIN, until: EPOCH_DAY_MAX + 1 };

/**
 * The settings by stretches of nights without a change. `statements` are ascending by time; old ones may no longer be
 * stored. `effective` is the calendar that partners see.
 */
export function traceSettings(
  layers: readonly TracedLayer[],
  statements: readonly Statement[],
  effective: Calendar,
): NightsSettings[] {
  const traced = layers.flatMap((layer) => {
    const own = statements.filter(({ source }) => source === layer.source);
    return ALL_FIELDS.filter((field) => layer.calendar[field].length > 0).map((field) => ({
      layer,
      field,
      lastStatementAtMs: own.at(-1)?.atMs ?? 0,
      runs: [layer.calendar[field], lastStatementRuns(own, field), effective[field]] as const,
    }));
  });
  const result: NightsSettings[] = [];
  visitStretches(
    traced.flatMap(({ runs }): NightRuns<unknown>[] => [...runs]),
    (from, until, values) => {
      const settings = traced.flatMap(({ layer, field, lastStatementAtMs }, index) => {
        const [value, last, seen] = values.slice(3 * index, 3 * index + 3);
        if (value === undefined) return [];
        const set = value as Setting['value'];
        const origin = originOf(layer, set, { last: last as LastStatement | undefined, lastStatementAtMs });
        return { field, source: layer.source, value: set, ...origin, decides: isSame(set, seen) };
      });
      if (settings.length > 0) result.push({ from, to: until - 1, settings });
    },
  );
  return result;
}

/** The last statement about each night. */
function lastStatementRuns(statements: readonly Statement[], field: TracedField): NightRuns<LastStatement> {
  let overlays: Overlay<LastStatement>[] = [];
  for (const statement of statements) {
    const { entries, replaces, clears } = statement;
    if (entries === undefined) overlays = [{ ...ALL_NIGHTS, value: { statement, value: undefined } }];
    else if (replaces) overlays = [];
    if (clears !== undefined) overlays.push({ from: clears.from, until: clears.to + 1, value: null });
    for (const { from, to, set } of entries ?? []) {
      const value = set[field];
      if (value === undefined) continue;
      overlays.push({ from, until: to + 1, value: value === null ? null : { statement, value } });
    }
  }
  return overlayRuns(overlays);
}

/** An import on the command line stores no message: then the layer shows a latest possible time. */
function originOf(
  { changedAtMs }: TracedLayer,
  value: Setting['value'],
  {
    last,
    lastStatementAtMs,
  }: { readonly last: LastStatement | undefined; readonly lastStatementAtMs: number },
): Pick<Setting, 'atMs' | 'messageId'> {
  const isDocument = last?.value === undefined;
  const isHeld = isDocument ? changedAtMs <= lastStatementAtMs : isSame(value, last.value);
  if (last === undefined || !isHeld) return { atMs: changedAtMs, messageId: null };
  return { atMs: last.statement.atMs, messageId: last.statement.messageId };
}

function isSame(one: Setting['value'], other: unknown): boolean {
  if (typeof one !== 'number') return Array.isArray(other) && sameGuestRates(one, other as GuestRates);
  return one === other;
}

/** A setting as the operator reads it, with values as in a calendar entry. */
export interface PresentedSetting extends Omit<Setting, 'value' | 'atMs'> {
  readonly value: PresentedValue;
  readonly at: string;
}

export function presentSetting({
  field,
  value,
  source,
  atMs,
  messageId,
  decides,
}: Setting): PresentedSetting {
  const at = new Date(atMs).toISOString();
  return { field, value: presentValue(field, value), source, at, messageId, decides };
}
