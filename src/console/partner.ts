/** One partner: its credentials as `credential list` prints them, what they did lately, and what changes them. */
import * as changes from '../access/credential-changes.ts';
import type { CredentialView, IssuedCredential } from '../access/credential-changes.ts';
import { parseDuration, parseInstant } from '../access/parse-duration.ts';
import { listPartners, type Outcome } from '../access/partner-changes.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import type { Acted, ActOutcome, ActPorts, ActQuestion } from './console-page.ts';
import { type PagePorts, type PageQuestion, refused, type ShownBy } from './console-page.ts';
import { pathOf } from './paths.ts';

/** A page under 60 KB. */
export const CREDENTIALS_SHOWN_MAX = 25;

export type PartnerShown = ShownBy<typeof readPartner>;

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
  return { rows, leftOutCount: all.length - rows.length, partner, use, partnerQuota };
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
  const quota = form.get('quota') || String(ports.partnerQuota);
  const expires = form.get('expires') ?? '';
  const expiresAtMs =
    expires === '' ? undefined : parseInstant(/T/i.test(expires) ? expires : `${expires}T00:00:00Z`);
  if (expires !== '' && expiresAtMs === undefined) return refused(NO_EXPIRY);
  const partnerId = segments['partnerId'] ?? '';
  const options = { partnerId, quota: Number(quota), expiresAtMs, isTest: form.get('test') !== null };
  return outcomeOf(await changes.issueCredential(depsOf(ports), options), (shown) => ({
    kind: 'shown',
    shown,
  }));
}

/** Fields: `credentialId`, `overlap` such as 24h. */
export async function rotateOfPartner(ports: ActPorts, question: ActQuestion): Issued {
  const credentialId = await findOwn(ports, question);
  if (credentialId === undefined) return undefined;
  const overlap = question.form.get('overlap') || '24h';
  const overlapMs = parseDuration(overlap);
  if (overlapMs === undefined) return refused('an overlap is a duration such as 24h or 7d');
  const rotated = await changes.rotateCredential(depsOf(ports), credentialId, { overlapMs });
  return outcomeOf(rotated, (shown) => ({ kind: 'shown', shown }));
}

/** Field: `credentialId`. */
export async function revokeOfPartner(ports: ActPorts, question: ActQuestion): Acted<never> {
  const credentialId = await findOwn(ports, question);
  if (credentialId === undefined) return undefined;
  const goTo = pathOf('partners', question.segments['partnerId'] ?? '');
  return outcomeOf(await changes.revokeCredential(depsOf(ports), credentialId), () => ({
    kind: 'done',
    goTo,
  }));
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

function outcomeOf<T, Shown>(outcome: Outcome<T>, done: (value: T) => ActOutcome<Shown>): ActOutcome<Shown> {
  return outcome.ok ? done(outcome.value) : refused(outcome.problem);
}
