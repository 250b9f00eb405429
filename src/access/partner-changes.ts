/** Changes of partners by the operator: create, change, disable, list. */
import type { Clock } from '../runtime/clock.ts';
import { type Outcome, refuse, type Refused } from '../domain/outcome.ts';
import { ID_PATTERN } from '../domain/property.ts';
import type { AccessStore, PartnerRow } from '../storage/access/store.ts';
import { parseOrigin } from './origins.ts';
import { type Random, randomBase62 } from '../runtime/random.ts';

export interface AccessDeps {
  readonly storage: Pick<
    AccessStore,
    | 'readAccess'
    | 'putPartner'
    | 'updatePartner'
    | 'putCredentials'
    | 'updateCredential'
    | 'putHandoffKey'
    | 'putOperatorToken'
  >;
  readonly clock: Clock;
  readonly random: Random;
}

/** The operator's view of a partner. */
export interface PartnerDetails {
  readonly partnerId: string;
  readonly name: string;
  readonly origins: readonly string[];
  readonly disabled: boolean;
}

interface PartnerChanges {
  readonly name?: string | undefined;
  /** Replaces the whole list. */
  readonly origins?: readonly string[] | undefined;
  readonly disabled?: boolean | undefined;
}

export const NAME_LENGTH_MAX = 200;
const ORIGINS_PER_PARTNER_MAX = 100;
/** Control characters, because a name is one line; lone surrogates, because they are not characters. */
const NOT_TEXT = /[\p{Cc}\p{Cs}]/u;

/** Creates a partner; `partnerId` defaults to a random one. */
export async function createPartner(
  deps: AccessDeps,
  wanted: {
    readonly name: string;
    readonly partnerId?: string | undefined;
    readonly origins?: readonly string[] | undefined;
  },
): Promise<Outcome<PartnerDetails>> {
  const partnerId = wanted.partnerId ?? `pt_${randomBase62(16, deps.random)}`;
  if (!ID_PATTERN.test(partnerId)) {
    return refuse(
      `partner id ${JSON.stringify(partnerId.slice(0, 200))} is not 1 to 160 of A-Z a-z 0-9 . _ ~ -`,
    );
  }
  const name = checkName(wanted.name);
  if (!name.ok) return name;
  const origins = checkOrigins(wanted.origins ?? []);
  if (!origins.ok) return origins;
  const { partners } = await deps.storage.readAccess();
  if (partners.some((partner) => partner.partnerId === partnerId))
    return refuse(`partner ${partnerId} exists already`);
  const partner: PartnerRow = {
    partnerId,
    name: name.value,
    origins: origins.value,
    disabled: false,
    createdAtMs: deps.clock(),
    revision: 0,
  };
  await deps.storage.putPartner(partner);
  return { ok: true, value: presentPartner(partner) };
}

/** Changes only named fields; disabling stops every credential of the partner. */
export async function updatePartner(
  deps: AccessDeps,
  partnerId: string,
  changes: PartnerChanges,
): Promise<Outcome<PartnerDetails>> {
  const name = changes.name === undefined ? undefined : checkName(changes.name);
  if (name?.ok === false) return name;
  const origins = changes.origins === undefined ? undefined : checkOrigins(changes.origins);
  if (origins?.ok === false) return origins;
  const partner = await deps.storage.updatePartner(partnerId, {
    ...(name !== undefined && { name: name.value }),
    ...(origins !== undefined && { origins: origins.value }),
    ...(changes.disabled !== undefined && { disabled: changes.disabled }),
  });
  if (partner === undefined) return refuseUnknown(partnerId);
  return { ok: true, value: presentPartner(partner) };
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
  if (partner === undefined) return refuseUnknown(partnerId);
  return { ok: true, value: partner };
}

/** Checks a name for lists and logs: one line, trimmed, not empty. */
export function checkName(text: string): Outcome<string> {
  const name = text.trim();
  if (name === '' || name.length > NAME_LENGTH_MAX || NOT_TEXT.test(name)) {
    return refuse(`a name is one line of 1 to ${NAME_LENGTH_MAX} characters`);
  }
  return { ok: true, value: name };
}

function refuseUnknown(partnerId: string): Refused {
  return refuse(`there is no partner ${JSON.stringify(partnerId.slice(0, 200))}`);
}

function checkOrigins(texts: readonly string[]): Outcome<readonly string[]> {
  const origins = new Set<string>();
  for (const text of texts) {
    const origin = parseOrigin(text);
    if (origin === undefined) {
      return refuse(
        `${JSON.stringify(text.slice(0, 200))} is not a web origin such as https://shop.example or http://localhost:3000`,
      );
    }
    origins.add(origin);
  }
  if (origins.size > ORIGINS_PER_PARTNER_MAX) {
    return refuse(`a partner has at most ${ORIGINS_PER_PARTNER_MAX} origins`);
  }
  return { ok: true, value: [...origins] };
}

function presentPartner(partner: PartnerRow): PartnerDetails {
  return {
    partnerId: partner.partnerId,
    name: partner.name,
    origins: partner.origins,
    disabled: partner.disabled,
  };
}
