/** Paths of the console's pages, what their queries ask, and the forms that change something. */
import type { Role } from '../access/console-sessions.ts';
import type { AnyAct } from '../acts/act.ts';
import * as credentials from '../acts/credential-acts.ts';
import * as ical from '../acts/ical-acts.ts';
import { deleteMappingAct, setMappingAct } from '../acts/mapping-acts.ts';
import { closeAct, openAct, setNightsAct } from '../acts/nights-acts.ts';
import { issueTokenAct, revokeTokenAct } from '../acts/operator-token-acts.ts';
import { createPartnerAct, updatePartnerAct } from '../acts/partner-acts.ts';
import { withdrawAct } from '../acts/property-acts.ts';
import { retireSourceAct } from '../acts/source-acts.ts';
import * as webhooks from '../acts/webhook-acts.ts';
import { type EpochDay, parseLocalDate, utcDay } from '../domain/local-date.ts';

export type Folder = 'partners' | 'properties' | 'quotes' | 'requests' | 'webhooks';

/** The page of what has this id: `/console/partners/acme`. */
export function pathOf(folder: Folder, id: string): string {
  return `/console/${folder}/${encodeURIComponent(id)}`;
}

/** What is undefined is left out. */
export function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** A form: the row of its act, and which of its inputs the page gives instead of the person. */
export interface FormOfAct {
  readonly role: Role;
  readonly command: string;
  /** Undefined: a form of the console alone. */
  readonly row?: AnyAct;
  readonly given?: readonly string[];
}

/** Forms by `data-act`, each sent to its name behind the path of its page. Role and command are those of the act. */
export const ACTS = {
  'ask-again': { role: 'operator', command: 'ask-again' },
  'partner-create': asForm(createPartnerAct),
  'partner-update': asForm(updatePartnerAct, 'partnerId', 'disable', 'enable'),
  issue: asForm(credentials.issueCredentialAct, 'partnerId'),
  'credential-update': asForm(credentials.updateCredentialAct),
  rotate: asForm(credentials.rotateCredentialAct, 'credentialId'),
  revoke: asForm(credentials.revokeCredentialAct, 'credentialId'),
  'token-issue': asForm(issueTokenAct),
  'token-revoke': asForm(revokeTokenAct, 'operatorTokenId'),
  close: asForm(closeAct, 'propertyId', 'dryRun'),
  open: asForm(openAct, 'propertyId', 'dryRun'),
  'nights-save': asForm(setNightsAct, 'propertyId', 'dryRun'),
  'property-withdraw': asForm(withdrawAct, 'propertyId'),
  accept: asForm(ical.acceptAct, 'feedId'),
  'feed-add': asForm(ical.subscribeAct),
  'feed-update': asForm(ical.updateFeedAct),
  'feed-test': asForm(ical.pollAct, 'feedId'),
  'feed-remove': asForm(ical.unsubscribeAct, 'feedId'),
  publish: asForm(ical.publishAct),
  unpublish: asForm(ical.unpublishAct, 'propertyId', 'inventoryTypeId'),
  'mapping-set': asForm(setMappingAct),
  'mapping-delete': asForm(deleteMappingAct, 'source', 'externalKey'),
  'source-retire': asForm(retireSourceAct, 'source', 'dryRun'),
  'webhook-create': asForm(webhooks.createWebhookAct, 'partnerId'),
  'webhook-test': asForm(webhooks.testWebhookAct, 'webhookId'),
  'webhook-rotate': asForm(webhooks.rotateWebhookAct, 'webhookId'),
  'webhook-disable': asForm(webhooks.disableWebhookAct, 'webhookId'),
  'webhook-enable': asForm(webhooks.enableWebhookAct, 'webhookId'),
  'webhook-replay': asForm(webhooks.replayDeliveryAct, 'deliveryId'),
  'import-catalogue': { role: 'operator', command: 'import catalogue' },
  'import-rates': { role: 'operator', command: 'import rates' },
  'property-save': { role: 'operator', command: 'property save' },
} as const satisfies Readonly<Record<string, FormOfAct>>;

function asForm(row: AnyAct, ...given: readonly string[]): FormOfAct {
  return { role: row.right, command: row.name, row, given };
}

export type ConsoleActName = keyof typeof ACTS;
/** Those that everybody may are not among `ACTS`. */
export type ActName = ConsoleActName | 'sign-in' | 'sign-out' | PasskeyActName;
/** Ceremonies of a passkey, and its end. */
export type PasskeyActName = 'sign-in-passkey' | 'sign-in-again' | 'passkey-register' | 'passkey-end';

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
