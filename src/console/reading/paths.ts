/** Paths of the console's pages, and their queries. */
import { type EpochDay, parseLocalDate, utcDay } from '../../domain/local-date.ts';

export type Folder = 'connections' | 'partners' | 'properties' | 'quotes' | 'requests' | 'webhooks';

/** The page of the object with this id: `/console/partners/acme`. */
export function pathOf(folder: Folder, id: string): string {
  return `/console/${folder}/${encodeURIComponent(id)}`;
}

/** Leaves out undefined values. */
export function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

// Queries.

/** Longer texts are not read. */
export const NAME_LENGTH_MAX = 200;

export const isDay = (text: string): boolean => parseLocalDate(text) !== undefined;
export const isAnything = (): boolean => true;

/** The query's readable parameters, and the names of the others, which the page reports as ignored. */
export function readAsked<Name extends string>(
  query: URLSearchParams,
  isReadable: Readonly<Record<Name, (text: string) => boolean>>,
) {
  const asked: Partial<Record<Name, string>> = {};
  const unread: Name[] = [];
  for (const name of Object.keys(isReadable) as Name[]) {
    const text = (query.get(name) ?? '').trim();
    const isText = text.length <= NAME_LENGTH_MAX && !text.includes('\0');
    if (isText && text !== '' && isReadable[name](text)) asked[name] = text;
    else if (text !== '') unread.push(name);
  }
  return { asked, unread };
}

/** UTC, both included. */
export interface AskedDays {
  readonly from: EpochDay;
  readonly to: EpochDay;
}

/** The default of the commands too. */
const DAYS_SHOWN = 30;
/** If more are requested, the last ones are shown. */
export const DAYS_SHOWN_MAX = 92;

/** `unread`: a last day before the first, or a first day that is too early, is ignored. */
export function readDays(asked: Readonly<Partial<Record<keyof AskedDays, string>>>, nowMs: number) {
  const first = parseLocalDate(asked.from ?? '');
  const last = parseLocalDate(asked.to ?? '');
  const isTurned = first !== undefined && last !== undefined && last < first;
  const to = last === undefined || isTurned ? Math.max(utcDay(nowMs), first ?? 0) : last;
  const from = Math.max(first ?? to - DAYS_SHOWN + 1, to - DAYS_SHOWN_MAX + 1);
  const isCut = first !== undefined && from !== first;
  return { from, to, unread: [...(isCut ? ['from' as const] : []), ...(isTurned ? ['to' as const] : [])] };
}
