import { inEnglish } from '../domain/wrong.ts';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { seededBytes, seededRandom } from '../../test/kit/catalogue-samples.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../test/kit/temporary-storage.ts';
import { valueOf } from '../../test/kit/value-of.ts';
import { buildAccessDirectory } from './access-directory.ts';
import {
  issueCredential,
  listCredentials,
  OVERLAP_DEFAULT_MS,
  revokeCredential,
  rotateCredential,
} from './credential-changes.ts';
import type { Outcome } from '../domain/outcome.ts';
import { NEW_PARTNER } from '../storage/access/store.ts';
import { createPartner, listPartners, updatePartner } from './partner-changes.ts';
import { systemRandom } from '../runtime/random.ts';
import { isWellFormedToken } from './token.ts';

const START_MS = Date.UTC(2026, 10, 20);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let database: TemporaryStorage;
let nowMs = START_MS;
before(async () => {
  database = await openTemporaryStorage(() => nowMs);
  valueOf(
    await createPartner(deps(), { name: 'Acme', partnerId: 'acme', origins: ['https://acme.example'] }),
  );
});
after(() => database.close());
afterEach(() => {
  nowMs = START_MS;
});

const deps = () => ({ storage: database.storage, clock: () => nowMs, random: systemRandom });
function problemOf(outcome: Outcome<unknown>): string {
  assert.ok(!outcome.ok);
  const problem = inEnglish(outcome.problem);
  assert.ok(!problem.includes('\n'));
  return problem;
}
async function authenticate(token: string, atMs = nowMs) {
  const answer = buildAccessDirectory(await database.storage.readAccess()).authenticate(token, atMs);
  return answer.ok ? answer.credential.credentialId : answer.reason;
}
const issue = async (expiresAtMs?: number) =>
  valueOf(await issueCredential(deps(), { partnerId: 'acme', quota: 120, expiresAtMs }));
const creationProblem = async (changes: object) =>
  problemOf(await createPartner(deps(), { name: 'X', ...changes }));
const issuingProblem = async (changes: object) =>
  problemOf(await issueCredential(deps(), { partnerId: 'acme', quota: 1, ...changes }));
const rotationProblem = async (credentialId: string, overlapMs = OVERLAP_DEFAULT_MS) =>
  problemOf(await rotateCredential(deps(), credentialId, { overlapMs }));

describe('partners', () => {
  it('are created with the origins that browsers send', async () => {
    const partner = valueOf(
      await createPartner(deps(), {
        name: ' Beta ',
        partnerId: 'beta',
        origins: ['HTTPS://Beta.example/', 'https://beta.example'],
      }),
    );
    assert.deepEqual(partner, {
      ...NEW_PARTNER,
      partnerId: 'beta',
      name: 'Beta',
      origins: ['https://beta.example'],
    });
    assert.deepEqual(
      (await listPartners(deps())).find(({ partnerId }) => partnerId === 'beta'),
      partner,
    );
  });

  it('get an id of their own when none is named', async () => {
    assert.match(valueOf(await createPartner(deps(), { name: 'Gamma' })).partnerId, /^pt_[0-9A-Za-z]{16}$/);
  });

  it('are refused with a taken or impossible id, an impossible name or origin', async () => {
    assert.match(await creationProblem({ partnerId: 'acme' }), /acme exists already/);
    assert.match(await creationProblem({ partnerId: 'a b' }), /partner id/);
    assert.match(await creationProblem({ partnerId: 'a'.repeat(161) }), /partner id/);
    assert.match(await creationProblem({ name: '  ' }), /name/);
    assert.match(await creationProblem({ name: 'a\nb' }), /name/);
    assert.match(await creationProblem({ name: 'a\ud800' }), /name/);
    assert.match(
      await creationProblem({ name: 'a\u202eb' }),
      /the name holds the invisible character U\+202E/,
    );
    assert.match(await creationProblem({ name: 'a'.repeat(201) }), /name/);
    assert.match(await creationProblem({ origins: ['https://x.example/path'] }), /not a web origin/);
    const many = Array.from({ length: 101 }, (_, index) => `https://x${index}.example`);
    assert.match(await creationProblem({ origins: many }), /at most 100/);
  });

  it('change only in what is named', async () => {
    const created = valueOf(
      await createPartner(deps(), { name: 'Delta', partnerId: 'delta', origins: ['https://d.example'] }),
    );
    const updated = valueOf(await updatePartner(deps(), 'delta', { name: 'Delta Ltd' }));
    assert.deepEqual(updated, { ...created, name: 'Delta Ltd' });
    assert.deepEqual(valueOf(await updatePartner(deps(), 'delta', { origins: [] })).origins, []);
    assert.match(problemOf(await updatePartner(deps(), 'nobody', {})), /no partner "nobody"/);
    assert.match(problemOf(await updatePartner(deps(), 'delta', { origins: ['x'] })), /not a web origin/);
  });

  it('keep what two commands at once change in them', async () => {
    const created = valueOf(await createPartner(deps(), { name: 'Theta', partnerId: 'theta' }));
    await Promise.all([
      updatePartner(deps(), 'theta', { disabled: true }),
      updatePartner(deps(), 'theta', { name: 'Theta Ltd' }),
      updatePartner(deps(), 'theta', { origins: ['https://z.example'] }),
    ]);
    const theta = (await listPartners(deps())).find(({ partnerId }) => partnerId === 'theta');
    const origins = ['https://z.example'];
    assert.deepEqual(theta, { ...created, name: 'Theta Ltd', origins, disabled: true });
  });

  it('stop all their credentials while they are disabled', async () => {
    valueOf(await createPartner(deps(), { name: 'Epsilon', partnerId: 'epsilon' }));
    const { token, credentialId } = valueOf(
      await issueCredential(deps(), { partnerId: 'epsilon', quota: 1 }),
    );
    assert.equal(await authenticate(token), credentialId);
    valueOf(await updatePartner(deps(), 'epsilon', { disabled: true }));
    assert.equal(await authenticate(token), 'revoked');
    valueOf(await updatePartner(deps(), 'epsilon', { disabled: false }));
    assert.equal(await authenticate(token), credentialId);
  });
});

describe('issuing a credential', () => {
  it('grants all scopes, and tells the token that is stored nowhere', async () => {
    const issued = await issue();
    assert.ok(isWellFormedToken(issued.token));
    assert.deepEqual(issued.scopes, ['properties:read', 'availability:read', 'quotes:write']);
    assert.equal(issued.quota, 120);
    assert.equal(issued.expiresAt, null);
    assert.equal(await authenticate(issued.token), issued.credentialId);
    assert.ok(!JSON.stringify(await database.storage.readAccess()).includes(issued.token.slice(8)));
  });

  it('grants the scopes that are named, each once', async () => {
    const scopes = ['quotes:write', 'properties:read', 'quotes:write'];
    const issued = valueOf(await issueCredential(deps(), { partnerId: 'acme', quota: 7, scopes }));
    assert.deepEqual(issued.scopes, ['properties:read', 'quotes:write']);
  });

  it('ends at its expiry', async () => {
    const { token, credentialId, expiresAt } = await issue(START_MS + HOUR_MS);
    assert.equal(expiresAt, '2026-11-20T01:00:00.000Z');
    assert.equal(await authenticate(token, START_MS + HOUR_MS - 1), credentialId);
    assert.equal(await authenticate(token, START_MS + HOUR_MS), 'invalid');
  });

  it('is refused for an unknown partner or scope, an impossible quota, a past expiry', async () => {
    assert.match(await issuingProblem({ partnerId: 'nobody' }), /no partner "nobody"/);
    assert.match(
      await issuingProblem({ scopes: ['admin'] }),
      /"admin" is not a scope; there are properties:read,/,
    );
    for (const quota of [0, -1, 1.5, Number.NaN, 1_000_001])
      assert.match(await issuingProblem({ quota }), /quota/);
    for (const expiresAtMs of [START_MS, Number.NaN, Date.UTC(10_000, 0)]) {
      assert.match(await issuingProblem({ expiresAtMs }), /expires in the future/);
    }
  });
});

describe('listing credentials', () => {
  it('shows neither tokens nor their hashes', async () => {
    const { credentialId, token } = await issue();
    const views = valueOf(await listCredentials(deps(), 'acme'));
    assert.deepEqual(
      views.find((view) => view.credentialId === credentialId),
      {
        credentialId,
        partnerId: 'acme',
        scopes: ['properties:read', 'availability:read', 'quotes:write'],
        quota: 120,
        test: false,
        networks: [],
        createdAt: '2026-11-20T00:00:00.000Z',
        expiresAt: null,
        revokedAt: null,
      },
    );
    assert.ok(!JSON.stringify(views).includes(token.slice(8)));
    assert.ok(!/[0-9a-f]{64}/.test(JSON.stringify(views)));
  });

  it('is of one partner when named, and knows who that is', async () => {
    valueOf(await createPartner(deps(), { name: 'Zeta', partnerId: 'zeta' }));
    assert.deepEqual(valueOf(await listCredentials(deps(), 'zeta')), []);
    assert.ok(valueOf(await listCredentials(deps())).length > 0);
    assert.match(problemOf(await listCredentials(deps(), 'nobody')), /no partner/);
  });
});

describe('revoking a credential', () => {
  it('is in force at once and for good', async () => {
    const { credentialId, token } = await issue();
    const revoked = valueOf(await revokeCredential(deps(), credentialId));
    assert.equal(revoked.revokedAt, '2026-11-20T00:00:00.000Z');
    assert.equal(await authenticate(token), 'revoked');
    nowMs += HOUR_MS;
    assert.deepEqual(valueOf(await revokeCredential(deps(), credentialId)), revoked);
    assert.match(
      problemOf(await rotateCredential(deps(), credentialId)),
      /was revoked at 2026-11-20T00:00:00.000Z/,
    );
    valueOf(await updatePartner(deps(), 'acme', { disabled: true }));
    valueOf(await updatePartner(deps(), 'acme', { disabled: false }));
    assert.equal(await authenticate(token), 'revoked');
  });

  it('is never undone by commands that run at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { credentialId, token } = await issue();
      const revoke = () => revokeCredential(deps(), credentialId);
      const rotate = () => rotateCredential(deps(), credentialId);
      await Promise.all(round % 2 === 0 ? [revoke(), rotate()] : [rotate(), revoke()]);
      assert.equal(await authenticate(token), 'revoked');
    }
  });

  it('leaves other credentials alone, and does not know unknown ones', async () => {
    const [one, other] = [await issue(), await issue()];
    valueOf(await revokeCredential(deps(), one.credentialId));
    assert.equal(await authenticate(other.token), other.credentialId);
    assert.match(problemOf(await revokeCredential(deps(), 'cr_nothing')), /no credential "cr_nothing"/);
  });
});

describe('rotating a credential', () => {
  it('once for each form, even if another copy of it ends the old one between two reads', async () => {
    const old = await issue();
    const options = { overlapMs: 0, randomOfForm: () => seededBytes(seededRandom(7)) };
    const { storage } = database;
    let readCount = 0;
    const readAccess: typeof storage.readAccess = async () => {
      const rows = await storage.readAccess();
      if ((readCount += 1) === 1) valueOf(await rotateCredential(deps(), old.credentialId, options));
      return rows;
    };
    const late = { ...deps(), storage: { ...storage, readAccess } };
    const shown = valueOf(await rotateCredential(late, old.credentialId, options));
    assert.equal(shown.isShownAgain, true);
    const again = valueOf(await rotateCredential(deps(), old.credentialId, options));
    assert.equal(again.token, shown.token);
  });

  it('ends it at the earlier of two overlaps', async () => {
    const old = await issue();
    const rotate = (overlapMs: number) => rotateCredential(deps(), old.credentialId, { overlapMs });
    await Promise.all([rotate(0), rotate(DAY_MS)]);
    assert.equal(await authenticate(old.token), 'invalid');
  });

  it('of the sandbox brings another one of the sandbox', async () => {
    const old = valueOf(await issueCredential(deps(), { partnerId: 'acme', quota: 120, isTest: true }));
    const successor = valueOf(await rotateCredential(deps(), old.credentialId));
    assert.deepEqual([old.test, successor.test], [true, true]);
    assert.match(successor.token, /^sp_test_/);
  });

  it('lets the old token work for the overlap', async () => {
    const old = await issue();
    const successor = valueOf(await rotateCredential(deps(), old.credentialId, { overlapMs: HOUR_MS }));
    const { token, credentialId, ...rights } = successor;
    const terms = { scopes: old.scopes, quota: 120, expiresAt: null };
    assert.deepEqual(rights, { partnerId: 'acme', ...terms });
    assert.notEqual(token, old.token);
    assert.equal(await authenticate(old.token, START_MS + HOUR_MS - 1), old.credentialId);
    assert.equal(await authenticate(old.token, START_MS + HOUR_MS), 'invalid');
    assert.equal(await authenticate(token, START_MS + HOUR_MS), credentialId);
  });

  it('overlaps for 24 hours unless told otherwise, and not at all when told so', async () => {
    const old = await issue();
    valueOf(await rotateCredential(deps(), old.credentialId));
    assert.equal(await authenticate(old.token, START_MS + DAY_MS - 1), old.credentialId);
    assert.equal(await authenticate(old.token, START_MS + DAY_MS), 'invalid');
    const hasty = await issue();
    valueOf(await rotateCredential(deps(), hasty.credentialId, { overlapMs: 0 }));
    assert.equal(await authenticate(hasty.token), 'invalid');
  });

  it('never prolongs the old one', async () => {
    const times = fc.integer({ min: 1, max: 48 });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 0, max: 48 }), async (lifeHours, overlapHours) => {
        const endsAtMs = START_MS + Math.min(lifeHours, overlapHours) * HOUR_MS;
        const old = await issue(START_MS + lifeHours * HOUR_MS);
        valueOf(await rotateCredential(deps(), old.credentialId, { overlapMs: overlapHours * HOUR_MS }));
        assert.equal(await authenticate(old.token, endsAtMs), 'invalid');
        assert.equal(
          await authenticate(old.token, endsAtMs - 1),
          endsAtMs > START_MS ? old.credentialId : 'invalid',
        );
      }),
      { seed: 20261120, numRuns: 20 },
    );
  });

  it('gives the successor of a limited credential the same lifetime, counted from now', async () => {
    const old = await issue(START_MS + 90 * DAY_MS);
    nowMs = START_MS + 80 * DAY_MS;
    const successor = valueOf(await rotateCredential(deps(), old.credentialId));
    assert.equal(successor.expiresAt, new Date(START_MS + 170 * DAY_MS).toISOString());
    const endless = await issue(Date.UTC(9999, 11, 31));
    nowMs += 2 * DAY_MS;
    const next = valueOf(await rotateCredential(deps(), endless.credentialId));
    assert.equal(next.expiresAt, '9999-12-31T23:59:59.999Z');
  });

  it('is refused for an unknown or expired credential and an impossible overlap', async () => {
    const { credentialId } = await issue(START_MS + HOUR_MS);
    for (const overlapMs of [-1, 0.5, Number.NaN, 91 * DAY_MS]) {
      assert.match(await rotationProblem(credentialId, overlapMs), /overlap is 0 to 90 days/);
    }
    assert.match(await rotationProblem('cr_nothing'), /no credential/);
    nowMs = START_MS + HOUR_MS;
    assert.match(await rotationProblem(credentialId), /expired at 2026-11-20T01:00:00.000Z; issue a new one/);
  });
});
