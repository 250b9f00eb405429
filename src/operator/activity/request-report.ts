/** Single requests: refusals, quotes, and a sample of the rest. */
import { formatLocalDate } from '../../domain/local-date.ts';
import {
  type ActivityStore,
  REQUEST_FIELDS,
  type RequestFilter,
  type RequestRow,
} from '../../storage/activity/store.ts';

export interface RequestEntry extends Omit<RequestRow, 'atMs' | 'checkIn' | 'checkOut'> {
  /** ISO 8601, UTC */
  readonly at: string;
  /** `YYYY-MM-DD` */
  readonly checkIn: string | null;
  readonly checkOut: string | null;
}

const [, ...FIELDS_BEHIND_TIME] = REQUEST_FIELDS;
export const REQUEST_COLUMNS: readonly (keyof RequestEntry)[] = ['at', ...FIELDS_BEHIND_TIME];

/** Newest first. */
export async function reportRequests(
  storage: Pick<ActivityStore, 'readRequests'>,
  filter: RequestFilter,
): Promise<readonly RequestEntry[]> {
  const rows = await storage.readRequests(filter);
  return rows.map(presentRequest);
}

export function presentRequest({ atMs, checkIn, checkOut, ...row }: RequestRow): RequestEntry {
  return {
    at: new Date(atMs).toISOString(),
    ...row,
    checkIn: checkIn === null ? null : formatLocalDate(checkIn),
    checkOut: checkOut === null ? null : formatLocalDate(checkOut),
  };
}

/** `404` or `4xx`, as first and last status; undefined for anything else. */
export function parseStatuses(text: string): readonly [number, number] | undefined {
  if (/^[1-5]xx$/.test(text)) return [Number(text[0]) * 100, Number(text[0]) * 100 + 99];
  return /^[1-5]\d\d$/.test(text) ? [Number(text), Number(text)] : undefined;
}
