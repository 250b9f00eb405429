/** Who may call; of one partner its credentials, what they did lately, and what changes them. */
import * as changes from '../access/credential-changes.ts';
import type { CredentialView, IssuedCredential } from '../access/credential-changes.ts';
import { parseDuration, parseInstant } from '../access/parse-duration.ts';
import { listPartners, type Outcome } from '../access/partner-changes.ts';
import { utcDay } from '../domain/local-date.ts';
import { LAST_USE_DAYS } from '../storage/activity/store.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import type { Acted, ActOutcome, ActPorts, ActQuestion } from './console-page.ts';
import { firstPage, type PagePorts, type PageQuestion, refused, type ShownBy } from './console-page.ts';
import { readPartnerWeeks } from './partner-weeks.ts';
import { withQuery } from './paths.ts';

/** Pages under 60 KB. */
export const PARTNERS_SHOWN_MAX = 50;
export const CREDENTIALS_SHOWN_MAX = 23;

export type PartnersShown = ShownBy<typeof readPartners>;
export type PartnerShown = ShownBy<typeof readPartner>;

/** `rows` as `partner list` prints them; of each row of a page how the partner does. */
export async function readPartners(ports: PagePorts, { query, isJson }: PageQuestion) {
  const after = query.get('after') ?? '';
  const partners = await listPartners(ports);
  if (isJson) return { rows: partners, weeks: [], unassigned: 0, nextPath: undefined };
  const behind = partners.filter(({ partnerId }) => partnerId > after);
  const { page: rows, last } = firstPage(behind, PARTNERS_SHOWN_MAX);
  const weeks = await readPartnerWeeks(
    ports,
    rows.map(({ partnerId }) => partnerId),
  );
  return { rows, ...weeks, nextPath: last && withQuery('/console/partners', { after: last.partnerId }) };
}

/** `rows` as `credential list` prints them. */
export async function readPartner(ports: PagePorts, { segments, isJson }: PageQuestion) {
  const { storage, clock, partnerQuota } = ports;
  const partners = await listPartners({ storage });
  const partner = partners.find(({ partnerId }) => partnerId === segments['partnerId']);
  if (partner === undefined) return undefined;
  const listed = await changes.listCredentials({ storage }, partner.partnerId);
  const all = listed.ok ? listed.value : [];
  /** For the page those in force come first, then the newest that have ended. */
  const rows = isJson ? all : chooseShown(all, clock());
  /** Undefined: it can't be read now; the credentials are shown all the same. */
  const use = await storage.readPartnerUse(partner.partnerId, clock()).catch(ignoreAway);
  const leftOutCount = all.length - rows.length;
  /** Of each credential, uses before this day are not kept. */
  const usedSince = utcDay(clock()) - LAST_USE_DAYS;
  return { rows, leftOutCount, partner, use, usedSince, partnerQuota };
}

function chooseShown(all: readonly CredentialView[], nowMs: number): readonly CredentialView[] {
  const hasEnded = ({ revokedAt, expiresAt }: CredentialView): boolean =>
    revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= nowMs);
  const newestFirst = all.toReversed();
  const inForce = newestFirst.filter((row) => !hasEnded(row));
  return [...inForce, ...newestFirst.filter(hasEnded)].slice(0, CREDENTIALS_SHOWN_MAX);
}

function ignoreAway(error: unknown): undefined {
  if (!(error instanceof StorageUnavailable)) throw error;
}

type Issued = Acted<IssuedCredential>;

const NO_EXPIRY = 'an expiry is a date such as 2027-12-31, or an instant such as 2027-12-31T00:00:00Z';

/** Fields: `quota`, `expires` (a date or an instant), `test`. */
export async function issueForPartner(ports: ActPorts, { segments, form }: ActQuestion): Issued {
  const { partnerId = '' } = segments;
  const quota = Number(form.get('quota') || ports.partnerQuota);
  const expires = form.get('expires') ?? '';
  const expiresAtMs = parseInstant(/T/i.test(expires) ? expires : `${expires}T00:00:00Z`);
  if (expires !== '' && expiresAtMs === undefined) return refused(NO_EXPIRY);
  const options = { partnerId, quota, expiresAtMs, isTest: form.get('test') !== null };
  return shownOf(await changes.issueCredential(depsOf(ports), options));
}

/** Fields: `credentialId`, `overlap` such as 24h. */
export async function rotateOfPartner(ports: ActPorts, question: ActQuestion): Issued {
  const credentialId = await findOwn(ports, question);
  if (credentialId === undefined) return undefined;
  const overlapMs = parseDuration(question.form.get('overlap') || '24h');
  if (overlapMs === undefined) return refused('an overlap is a duration such as 24h or 7d');
  return shownOf(await changes.rotateCredential(depsOf(ports), credentialId, { overlapMs }));
}

/** Field: `credentialId`. */
export async function revokeOfPartner(ports: ActPorts, question: ActQuestion): Acted<never> {
  const credentialId = await findOwn(ports, question);
  if (credentialId === undefined) return undefined;
  const revoked = await changes.revokeCredential(depsOf(ports), credentialId);
  return revoked.ok ? { kind: 'done' } : refused(revoked.problem);
}

function depsOf({ signed, clock, random }: ActPorts) {
  return { storage: signed, clock, random };
}

/** The credential of the form where it is one of the path's partner. */
async function findOwn({ storage }: ActPorts, { segments, form }: ActQuestion): Promise<string | undefined> {
  const { credentials } = await storage.readAccess();
  const isOwn = (row: (typeof credentials)[number]): boolean =>
    row.credentialId === form.get('credentialId') && row.partnerId === segments['partnerId'];
  return credentials.find(isOwn)?.credentialId;
}

function shownOf<Shown>(outcome: Outcome<Shown>): ActOutcome<Shown> {
  return outcome.ok ? { kind: 'shown', shown: outcome.value } : refused(outcome.problem);
}
