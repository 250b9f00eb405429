/**
 * Partners and tokens for the load. Several credentials, because a quota has an upper bound and the load passes it; and
 * many with the quota that credentials have unless told otherwise, so many that the load does not exceed it.
 */
import { inEnglish } from '../../src/domain/wrong.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { issueCredential } from '../../src/access/credential-changes.ts';
import { createPartner } from '../../src/access/partner-changes.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import { QUOTA_MAX } from '../../src/access/token-terms.ts';
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import type { CredentialRow } from '../../src/storage/access/store.ts';
import type { Storage } from '../../src/storage/storage.ts';

export const CREDENTIALS_PER_PARTNER = 5;
const DEFAULT_QUOTA = 120;

/** Creates the partners and answers all their tokens. */
export async function issueTokens(storage: Storage, partnerIds: readonly string[]): Promise<string[]> {
  const deps = { storage, clock: systemClock, random: systemRandom };
  const tokens: string[] = [];
  for (const partnerId of partnerIds) {
    expectOk(await createPartner(deps, { partnerId, name: partnerId }));
    for (let count = 0; count < CREDENTIALS_PER_PARTNER; count++) {
      tokens.push(
        expectOk(await issueCredential(deps, { partnerId, quota: QUOTA_MAX, scopes: ALL_SCOPE_NAMES })).token,
      );
    }
  }
  return tokens;
}

/** Answers so many tokens of credentials with the default quota, for one partner that exists. */
export async function issueManyTokens(storage: Storage, partnerId: string, count: number): Promise<string[]> {
  const rows: CredentialRow[] = [];
  // In one write: one for each would take minutes.
  const collecting: Storage = { ...storage, putCredentialOnce: async (row) => void rows.push(row) };
  const deps = { storage: collecting, clock: systemClock, random: systemRandom };
  const tokens: string[] = [];
  while (tokens.length < count) {
    tokens.push(expectOk(await issueCredential(deps, { partnerId, quota: DEFAULT_QUOTA })).token);
  }
  await storage.putCredentials(rows);
  return tokens;
}

function expectOk<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(inEnglish(outcome.problem));
  return outcome.value;
}
