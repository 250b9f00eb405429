/** Paths of the console's pages, what their queries ask, and the forms that change something. */
import type { Role } from '../access/console-sessions.ts';
import type { AnyAct } from '../acts/act.ts';
import { issueCredentialAct, revokeCredentialAct, rotateCredentialAct } from '../acts/credential-acts.ts';
import { acceptAct } from '../acts/ical-acts.ts';
import { closeAct, openAct } from '../acts/nights-acts.ts';
import { type EpochDay, parseLocalDate, utcDay } from '../domain/local-date.ts';

export type Folder = 'partners' | 'properties' | 'quotes' | 'requests';

/** The page of what has this id: `/console/partners/acme`. */
export function pathOf(folder: Folder, id: string): string {
  return `/console/${folder}/${encodeURIComponent(id)}`;
}

/** What is undefined is left out. */
export function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** Forms by `data-act`, each sent to its name behind the path of its page. Role and command are those of the act. */
export const ACTS = {
  'ask-again': { role: 'operator', command: 'ask-again' },
  issue: asForm(issueCredentialAct),
  rotate: asForm(rotateCredentialAct),
  revoke: asForm(revokeCredentialAct),
  close: asForm(closeAct),
  open: asForm(openAct),
  accept: asForm(acceptAct),
  'property-save': { role: 'operator', command: 'property save' },
} as const satisfies Readonly<Record<string, { readonly role: Role; readonly command: string }>>;

function asForm({ right, name }: AnyAct): { readonly role: Role; readonly command: string } {
  return { role: right, command: name };
}

export type ConsoleActName = keyof typeof ACTS;
/** Those that everybody may are not among `ACTS`. */
export type ActName = ConsoleActName | 'sign-in' | 'sign-out';

// Queries.

/** A longer text can't be read. */
export const NAME_LENGTH_MAX = 200;

export const isDay = (text: string): boolean => parseLocalDate(text) !== undefined;
export const isAnything = (): boolean => true;

/** What a query asks, as far as it could be read, and the names of the rest: a page says that it leaves these out. */
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

/** As the commands show unless other days are asked for. */
const DAYS_SHOWN = 30;
/** Of more, the last are shown. */
export const DAYS_SHOWN_MAX = 92;

/** `unread`: a last day that is before the first, or a first one that is too early, is not what is shown. */
export function readDays(asked: Readonly<Partial<Record<keyof AskedDays, string>>>, nowMs: number) {
  const first = parseLocalDate(asked.from ?? '');
  const last = parseLocalDate(asked.to ?? '');
  const isTurned = first !== undefined && last !== undefined && last < first;
  const to = last === undefined || isTurned ? Math.max(utcDay(nowMs), first ?? 0) : last;
  const from = Math.max(first ?? to - DAYS_SHOWN + 1, to - DAYS_SHOWN_MAX + 1);
  const isCut = first !== undefined && from !== first;
  return { from, to, unread: [...(isCut ? ['from' as const] : []), ...(isTurned ? ['to' as const] : [])] };
}
