/** Changes of partners by the operator: create, change, disable, list. */
import type { Clock } from '../runtime/clock.ts';
import { done, type Outcome, refuse, type Refused } from '../domain/outcome.ts';
import { ID_PATTERN } from '../domain/property.ts';
import { findDirectionProblem } from '../domain/text-direction.ts';
import { Wrong } from '../domain/wrong.ts';
import {
  type AccessStore,
  NEW_PARTNER,
  type PartnerChanges,
  type PartnerRow,
  type PartnerTerms,
  termsOfPartner,
} from '../storage/access/store.ts';
import { changed } from '../storage/portable-sql/stored-row.ts';
import { parseOrigin } from './origins.ts';
import { type Random, randomBase62 } from '../runtime/random.ts';

export interface AccessDeps {
  readonly storage: Pick<
    AccessStore,
    | 'readAccess'
    | 'putPartner'
    | 'updatePartner'
    | 'putCredentials'
    | 'putCredentialOnce'
    | 'updateCredential'
    | 'putHandoffKey'
    | 'putOperatorToken'
  >;
  readonly clock: Clock;
  readonly random: Random;
}

/** The operator's view of a partner. */
export interface PartnerDetails extends PartnerTerms {
  readonly partnerId: string;
}

export const NAME_LENGTH_MAX = 200;
const ORIGINS_PER_PARTNER_MAX = 100;
/** Control characters, because a name is one line; lone surrogates, because they are not characters. */
const NOT_TEXT = /[\p{Cc}\p{Cs}]/u;

/** Creates a partner; `partnerId` defaults to a random one. */
export async function createPartner(
  deps: AccessDeps,
  {
    partnerId = `pt_${randomBase62(16, deps.random)}`,
    ...wanted
  }: PartnerChanges & { readonly name: string; readonly partnerId?: string | undefined },
): Promise<Outcome<PartnerDetails>> {
  if (!ID_PATTERN.test(partnerId)) {
    return refuse(new Wrong('partnerIdForm', { id: JSON.stringify(partnerId.slice(0, 200)) }));
  }
  const checked = checkChanges(wanted);
  if (!checked.ok) return checked;
  const { partners } = await deps.storage.readAccess();
  if (partners.some((partner) => partner.partnerId === partnerId))
    return refuse(new Wrong('partnerTaken', { id: partnerId }));
  const terms = changed({ name: '', ...NEW_PARTNER }, checked.value);
  const partner: PartnerRow = { partnerId, ...terms, createdAtMs: deps.clock(), revision: 0 };
  await deps.storage.putPartner(partner);
  return done(presentPartner(partner));
}

/** Changes only named fields; disabling stops every credential of the partner. */
export async function updatePartner(
  deps: AccessDeps,
  partnerId: string,
  changes: PartnerChanges,
): Promise<Outcome<PartnerDetails>> {
  const checked = checkChanges(changes);
  if (!checked.ok) return checked;
  const partner = await deps.storage.updatePartner(partnerId, checked.value);
  return partner === undefined ? refuseUnknownPartner(partnerId) : done(presentPartner(partner));
}

export async function listPartners(deps: Pick<AccessDeps, 'storage'>): Promise<readonly PartnerDetails[]> {
  const { partners } = await deps.storage.readAccess();
  return partners.map(presentPartner).sort((a, b) => (a.partnerId < b.partnerId ? -1 : 1));
}

export async function findPartner(
  deps: Pick<AccessDeps, 'storage'>,
  partnerId: string,
): Promise<Outcome<PartnerRow>> {
  const { partners } = await deps.storage.readAccess();
  const partner = partners.find((candidate) => candidate.partnerId === partnerId);
  if (partner === undefined) return refuseUnknownPartner(partnerId);
  return { ok: true, value: partner };
}

/** Checks a name for lists and logs: one line, trimmed, not empty. */
export function checkName(text: string): Outcome<string> {
  const name = text.trim();
  if (name === '' || name.length > NAME_LENGTH_MAX || NOT_TEXT.test(name)) {
    return refuse(new Wrong('nameForm', { max: NAME_LENGTH_MAX }));
  }
  const problem = findDirectionProblem(name);
  return problem === undefined ? done(name) : refuse(new Wrong('nameWrong', { wrong: problem }));
}

export function refuseUnknownPartner(partnerId: string): Refused {
  return refuse(new Wrong('unknownPartner', { id: JSON.stringify(partnerId.slice(0, 200)) }));
}

const ORIGINS_SHOWN = { one: 'https://shop.example', other: 'http://localhost:3000' };

function checkChanges({ name, origins, ...others }: PartnerChanges): Outcome<PartnerChanges> {
  const checkedName = name === undefined ? done(name) : checkName(name);
  if (!checkedName.ok) return checkedName;
  const checkedOrigins = origins === undefined ? done(origins) : checkOrigins(origins);
  if (!checkedOrigins.ok) return checkedOrigins;
  return done({ name: checkedName.value, origins: checkedOrigins.value, ...others });
}

function checkOrigins(texts: readonly string[]): Outcome<readonly string[]> {
  const origins = new Set<string>();
  for (const text of texts) {
    const origin = parseOrigin(text);
    if (origin === undefined) {
      return refuse(new Wrong('originForm', { text: JSON.stringify(text.slice(0, 200)), ...ORIGINS_SHOWN }));
    }
    origins.add(origin);
  }
  if (origins.size > ORIGINS_PER_PARTNER_MAX) {
    return refuse(new Wrong('originsOfPartner', { max: ORIGINS_PER_PARTNER_MAX }));
  }
  return { ok: true, value: [...origins] };
}

function presentPartner(partner: PartnerRow): PartnerDetails {
  return { partnerId: partner.partnerId, ...termsOfPartner(partner) };
}
