/**
 * Partners and tokens for the load. Several credentials, because a quota has an upper bound and the load passes it.
 */
import { systemClock } from '../../src/runtime/clock.ts';
import { issueCredential } from '../../src/access/credential-changes.ts';
import { createPartner, type Outcome } from '../../src/access/partner-changes.ts';
import { QUOTA_MAX } from '../../src/access/quota.ts';
import { systemRandom } from '../../src/runtime/random-text.ts';
import type { Storage } from '../../src/storage/storage.ts';

const CREDENTIALS_PER_PARTNER = 5;

/** Creates the partners and answers all their tokens. */
export async function issueTokens(storage: Storage, partnerIds: readonly string[]): Promise<string[]> {
  const deps = { storage, clock: systemClock, random: systemRandom };
  const tokens: string[] = [];
  for (const partnerId of partnerIds) {
    expectOk(await createPartner(deps, { partnerId, name: partnerId }));
    for (let count = 0; count < CREDENTIALS_PER_PARTNER; count++) {
      tokens.push(expectOk(await issueCredential(deps, { partnerId, quota: QUOTA_MAX })).token);
    }
  }
  return tokens;
}

function expectOk<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.problem);
  return outcome.value;
}
