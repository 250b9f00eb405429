/** The list of partners; for one partner its credentials, recent use, and the acts on it. */
import * as changes from '../../../access/credential-changes.ts';
import { inForceFirst } from '../../../access/token-terms.ts';
import { listPartners, type PartnerDetails } from '../../../access/partner-changes.ts';
import { utcDay } from '../../../domain/local-date.ts';
import { LAST_USE_DAYS } from '../../../storage/activity/store.ts';
import { StorageUnavailable } from '../../../storage/storage.ts';
import { fieldTexts } from '../../reading/act-forms.ts';
import type { ActPorts, ActQuestion } from '../../reading/console-page.ts';
import { firstPage, type PagePorts, type PageQuestion, type ShownBy } from '../../reading/console-page.ts';
import { readPartnerWeeks } from './partner-weeks.ts';
import { CONSOLE_FORMS } from '../../reading/console-forms.ts';
import { isAnything, pathOf, readAsked, withQuery } from '../../reading/paths.ts';
import { matchesSearch } from '../../reading/property-names.ts';
import { endpointsOf } from '../webhooks/read.ts';
import { readScopeSet } from './scope-sets.ts';

/** Pages under 60 KB. */
export const PARTNERS_SHOWN_MAX = 50;
export const CREDENTIALS_SHOWN_MAX = 13;

export type PartnersShown = ShownBy<typeof readPartners>;
export type PartnerShown = ShownBy<typeof readPartner>;

/** `rows` as `partner list` prints them, and each partner's recent numbers. */
export async function readPartners(ports: PagePorts, { query, isJson }: PageQuestion) {
  const after = query.get('after') ?? '';
  const { asked, unread } = readAsked(query, { search: isAnything });
  const { search } = asked;
  const partners = (await listPartners(ports)).filter(({ partnerId, name }) =>
    matchesSearch([partnerId, name], search ?? ''),
  );
  const question = { search, unread };
  if (isJson) return { rows: partners, weeks: [], unassigned: 0, nextPath: undefined, ...question };
  const behind = partners.filter(({ partnerId }) => partnerId > after);
  const { page: rows, last } = firstPage(behind, PARTNERS_SHOWN_MAX);
  const weeks = await readPartnerWeeks(
    ports,
    rows.map(({ partnerId }) => partnerId),
  );
  const nextPath = last && withQuery('/console/partners', { search, after: last.partnerId });
  return { rows, ...weeks, nextPath, ...question };
}

/** `rows` as `credential list` prints them. */
export async function readPartner(ports: PagePorts, { segments, query, isJson }: PageQuestion) {
  const { storage, clock, partnerQuota } = ports;
  const partners = await listPartners({ storage });
  const partner = partners.find(({ partnerId }) => partnerId === segments['partnerId']);
  if (partner === undefined) return undefined;
  const listed = await changes.listCredentials({ storage }, partner.partnerId);
  const all = listed.ok ? listed.value : [];
  const rows = isJson ? all : inForceFirst(all, clock()).slice(0, CREDENTIALS_SHOWN_MAX);
  /** Undefined: it can't be read now; the credentials are shown all the same. */
  const use = await storage.readPartnerUse(partner.partnerId, clock()).catch(ignoreAway);
  const leftOutCount = all.length - rows.length;
  /** The use of a credential before this day is not kept. */
  const usedSince = utcDay(clock()) - LAST_USE_DAYS;
  const endpoints = isJson ? [] : await endpointsOf(storage, partner.partnerId);
  const scopeSet = readScopeSet(query);
  return { rows, leftOutCount, partner, use, usedSince, partnerQuota, endpoints, scopeSet };
}

function ignoreAway(error: unknown): undefined {
  if (!(error instanceof StorageUnavailable)) throw error;
}

/** The page of a new partner. */
export function pageOfPartner({ partnerId }: { readonly partnerId: string }): string {
  return pathOf('partners', partnerId);
}

export async function isPartner(ports: ActPorts, question: ActQuestion): Promise<boolean> {
  return (await findPartner(ports, question)) !== undefined;
}

/** The values of the form that changes a partner. */
export function changeableOf(partner: PartnerDetails): Readonly<Record<string, string>> {
  return fieldTexts(CONSOLE_FORMS['partner-update'], partner);
}

/** Those that the page's form shows. */
export async function currentPartner(ports: ActPorts, question: ActQuestion) {
  const partner = await findPartner(ports, question);
  return partner === undefined ? {} : changeableOf(partner);
}

async function findPartner({ storage }: ActPorts, { segments }: ActQuestion) {
  const { partners } = await storage.readAccess();
  return partners.find(({ partnerId }) => partnerId === segments['partnerId']);
}

/** Whether the credential of the form is one of the path's partner. */
export async function isOwn({ storage }: ActPorts, { segments, form }: ActQuestion): Promise<boolean> {
  const { credentials } = await storage.readAccess();
  return credentials.some(
    (row) => row.credentialId === form.get('credentialId') && row.partnerId === segments['partnerId'],
  );
}
