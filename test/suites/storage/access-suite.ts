import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOTHING_READ } from '../../../src/storage/history/revision.ts';
import { isSameMark, markOfAccess } from '../../../src/storage/access/access-mark.ts';
import type { AccessMark } from '../../../src/storage/access/store.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import {
  sampleCredential,
  sampleHandoffKey,
  sampleOperatorToken,
  samplePartner,
  sampleWrite,
} from './sample-rows.ts';

export function describeAccess(open: OpenFixture): void {
  describe('access', () => {
    it('is empty at first', () =>
      withStorage(open, async (storage) => {
        const empty = {
          partners: [],
          credentials: [],
          handoffKeys: [],
          operatorTokens: [],
          siteSettings: [],
        };
        assert.deepEqual(await storage.readAccess(), empty);
      }));

    it('is read whole, ordered by id, each row with the revision of its last change', () =>
      withStorage(open, async (storage) => {
        await storage.putPartner(samplePartner('b'));
        await storage.putPartner(samplePartner('a', { revision: 77 }));
        await storage.putOperatorToken(sampleOperatorToken('t'));
        await storage.putCredentials([sampleCredential('c2'), sampleCredential('c1')]);
        assert.deepEqual(await storage.readAccess(), {
          partners: [samplePartner('a', { revision: 2 }), samplePartner('b', { revision: 1 })],
          credentials: [sampleCredential('c1', { revision: 4 }), sampleCredential('c2', { revision: 4 })],
          handoffKeys: [],
          operatorTokens: [{ ...sampleOperatorToken('t'), revision: 3 }],
          siteSettings: [],
        });
        assert.equal(await storage.readRevision(), 4);
      }));

    it('replaces rows by their ids', () =>
      withStorage(open, async (storage) => {
        const partner = samplePartner('p', { name: 'New', origins: [], disabled: true, createdAtMs: 5 });
        const credential = sampleCredential('c', {
          expiresAtMs: NOW_MS + 1,
          revokedAtMs: NOW_MS,
          tokenHash: 'another',
          isTest: true,
        });
        await storage.putPartner(samplePartner('p'));
        await storage.putCredentials([sampleCredential('c')]);
        await storage.putOperatorToken(sampleOperatorToken('t'));
        await storage.putPartner(partner);
        await storage.putCredentials([credential]);
        const token = sampleOperatorToken('t', {
          name: 'New',
          scopes: ['supply:read', 'supply:write'],
          source: 'channel-manager',
          expiresAtMs: NOW_MS + 1,
          revokedAtMs: NOW_MS,
        });
        await storage.putOperatorToken(token);
        assert.deepEqual(await storage.readAccess(), {
          partners: [{ ...partner, revision: 4 }],
          credentials: [{ ...credential, revision: 5 }],
          handoffKeys: [],
          operatorTokens: [{ ...token, revision: 6 }],
          siteSettings: [],
        });
      }));

    it('never takes the revocation of an operator token back', () =>
      withStorage(open, async (storage) => {
        await storage.putOperatorToken(sampleOperatorToken('t', { revokedAtMs: NOW_MS }));
        await storage.putOperatorToken(sampleOperatorToken('t', { name: 'Read before the revocation' }));
        await storage.putOperatorToken(sampleOperatorToken('t', { revokedAtMs: NOW_MS + 1 }));
        assert.equal((await storage.readAccess()).operatorTokens[0]?.revokedAtMs, NOW_MS);
      }));

    it('changes of a partner what is named, whatever another process changes meanwhile', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        await storage.putPartner(samplePartner('p'));
        await Promise.all([
          storage.updatePartner('p', { disabled: true }),
          other.updatePartner('p', { name: 'New' }),
          other.updatePartner('p', { origins: [] }),
        ]);
        const changed = samplePartner('p', { disabled: true, name: 'New', origins: [], revision: 4 });
        assert.deepEqual((await storage.readAccess()).partners, [changed]);
        const enabled = await storage.updatePartner('p', { disabled: false });
        assert.deepEqual(enabled, { ...changed, disabled: false, revision: 5 });
        assert.equal(await storage.updatePartner('unknown', { disabled: true }), undefined);
        assert.equal(await storage.readRevision(), 5);
      }));

    it('changes of a credential what is named, and no later row takes it back', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        const issued = sampleCredential('c', { networks: ['192.0.2.0/24'] });
        await storage.putCredentials([issued]);
        await Promise.all([
          storage.updateCredential('c', { quota: 7 }),
          other.updateCredential('c', { networks: ['2001:db8::/32', '192.0.2.1/32'] }),
        ]);
        const networks = ['2001:db8::/32', '192.0.2.1/32'];
        const changed = { ...issued, quota: 7, networks, revision: 3 };
        assert.deepEqual((await storage.readAccess()).credentials, [changed]);
        await storage.putCredentials([{ ...issued, revokedAtMs: NOW_MS }]);
        const revoked = { ...changed, revokedAtMs: NOW_MS, revision: 4 };
        assert.deepEqual((await storage.readAccess()).credentials, [revoked]);
        assert.deepEqual(await storage.updateCredential('c', { networks: [] }), {
          ...revoked,
          networks: [],
          revision: 5,
        });
        assert.equal(await storage.updateCredential('unknown', { quota: 1 }), undefined);
        assert.equal(await storage.readRevision(), 5);
      }));

    it('grants no scope to a credential with networks where a release does not know them', () =>
      withStorage(open, async (storage, { execute }) => {
        /** As such a release reads and writes it: a rotation that keeps the scopes. */
        const asBefore = `INSERT INTO credentials (credential_id, revision, partner_id, token_hash, scopes, quota,
            created_at_ms, is_test)
          SELECT credential_id || ' before', revision, partner_id, token_hash || ' before', scopes, quota,
            created_at_ms, is_test FROM credentials WHERE credential_id = 'c'`;
        const rest = sampleCredential('c before', { tokenHash: 'hash of c before' });
        const read = async () => (await storage.readAccess()).credentials;
        await storage.putCredentials([sampleCredential('c', { networks: ['192.0.2.0/24'] })]);
        await execute(asBefore);
        const issued = sampleCredential('c', { networks: ['192.0.2.0/24'], revision: 1 });
        assert.deepEqual(await read(), [issued, { ...rest, scopes: [], revision: 1 }]);
        await execute("DELETE FROM credentials WHERE credential_id = 'c before'");
        await storage.updateCredential('c', { networks: [] });
        await execute(asBefore);
        assert.deepEqual(await read(), [
          { ...issued, networks: [], revision: 2 },
          { ...rest, revision: 2 },
        ]);
      }));

    it('keeps the earlier of two expiries', () =>
      withStorage(open, async (storage) => {
        const expiries: (number | null)[] = [];
        for (const expiresAtMs of [null, NOW_MS + 2, NOW_MS + 1, NOW_MS + 3, null]) {
          await storage.putCredentials([sampleCredential('c', { expiresAtMs })]);
          expiries.push((await storage.readAccess()).credentials[0]!.expiresAtMs);
        }
        assert.deepEqual(expiries, [null, NOW_MS + 2, NOW_MS + 1, NOW_MS + 1, NOW_MS + 1]);
      }));

    it('writes all credentials of a call or none', () =>
      withStorage(open, async (storage) => {
        await storage.putCredentials([sampleCredential('old'), sampleCredential('other')]);
        const rotation = [
          sampleCredential('successor'),
          sampleCredential('old', { expiresAtMs: 1 }),
          // Another credential has this token already.
          sampleCredential('thief', { tokenHash: sampleCredential('other').tokenHash }),
        ];
        await assert.rejects(storage.putCredentials(rotation));
        const { credentials } = await storage.readAccess();
        assert.deepEqual(
          credentials.map(({ credentialId, expiresAtMs }) => [credentialId, expiresAtMs]),
          [
            ['old', null],
            ['other', null],
          ],
        );
        assert.equal(await storage.readRevision(), 1);
        await storage.putCredentials([]);
        assert.equal(await storage.readRevision(), 1);
      }));

    it('stores a credential once, and none of a partner that is not there', () =>
      withStorage(open, async (storage) => {
        const credential = sampleCredential('c');
        assert.equal(await storage.putCredentialOnce(credential), 'partnerUnknown');
        assert.equal(await storage.readRevision(), 0);
        await storage.putPartner(samplePartner(credential.partnerId));
        assert.equal(await storage.findPartnerRevision(credential.partnerId), 1);
        assert.equal(await storage.findPartnerRevision('nobody'), 0);
        assert.equal(await storage.putCredentialOnce(credential), undefined);
        assert.deepEqual(await storage.putCredentialOnce(credential), { ...credential, revision: 2 });
        assert.equal(await storage.readRevision(), 2);
      }));

    it('has a mark that changes with its rows, and with nothing else', () =>
      withStorage(open, async (storage) => {
        const marks: AccessMark[] = [];
        const changesMark = async (write: () => Promise<unknown>): Promise<boolean> => {
          const before = (await storage.readAccessMark(NOTHING_READ)).mark;
          await write();
          const { mark: after } = await storage.readAccessMark(NOTHING_READ);
          assert.deepEqual(after, markOfAccess(await storage.readAccess()));
          marks.push(after);
          return !isSameMark(before, after);
        };
        assert.deepEqual((await storage.readAccessMark(NOTHING_READ)).mark, { revision: 0, rowCount: 0 });
        const writes = [
          () => storage.putPartner(samplePartner('p')),
          () => storage.putPartner(samplePartner('p', { disabled: true })),
          () => storage.putCredentials([sampleCredential('c')]),
          () => storage.putCredentials([sampleCredential('c', { revokedAtMs: NOW_MS })]),
          () => storage.putHandoffKey(sampleHandoffKey('k'), { unlessAnyExists: false }),
          () => storage.putOperatorToken(sampleOperatorToken('t')),
        ];
        for (const write of writes) {
          assert.ok(await changesMark(write), String(write));
          assert.ok(!(await changesMark(() => storage.writeProperties([sampleWrite(`p${marks.length}`)]))));
        }
        assert.ok(!(await changesMark(() => storage.withdrawProperties(['p1']))));
      }));

    it('keeps handoff keys, the newest first', () =>
      withStorage(open, async (storage) => {
        await storage.putHandoffKey(sampleHandoffKey('z'), { unlessAnyExists: true });
        await storage.putHandoffKey({ ...sampleHandoffKey('a'), createdAtMs: 1 }, { unlessAnyExists: false });
        const keys = await storage.putHandoffKey(sampleHandoffKey('m'), { unlessAnyExists: false });
        assert.deepEqual(
          keys.map(({ keyId, revision }) => [keyId, revision]),
          [
            ['m', 3],
            ['a', 2],
            ['z', 1],
          ],
        );
        assert.deepEqual((await storage.readAccess()).handoffKeys, keys);
        assert.deepEqual(await storage.readHandoffKeys(), keys);
        const unchanged = await storage.putHandoffKey(sampleHandoffKey('x'), { unlessAnyExists: true });
        assert.deepEqual(unchanged, keys);
        assert.equal(await storage.readRevision(), 3);
        await assert.rejects(
          storage.putHandoffKey({ ...sampleHandoffKey('a'), secret: 'other' }, { unlessAnyExists: false }),
          'a key is never replaced',
        );
      }));

    it('retires a handoff key once, and tells followers', () =>
      withStorage(open, async (storage) => {
        await storage.putHandoffKey(sampleHandoffKey('old'), { unlessAnyExists: false });
        await storage.putHandoffKey(sampleHandoffKey('new'), { unlessAnyExists: false });
        const keys = await storage.retireHandoffKey('old', NOW_MS + 1);
        assert.deepEqual(keys, [
          { ...sampleHandoffKey('old'), retiredAtMs: NOW_MS + 1, revision: 3 },
          { ...sampleHandoffKey('new'), revision: 2 },
        ]);
        assert.deepEqual((await storage.readAccess()).handoffKeys, keys);
        assert.deepEqual(await storage.readHandoffKeys(), keys);
        assert.equal(await storage.readRevision(), 3);
        assert.deepEqual(await storage.retireHandoffKey('old', NOW_MS + 2), keys);
        assert.deepEqual(await storage.retireHandoffKey('nobody', NOW_MS + 2), keys);
        assert.equal(await storage.readRevision(), 3);
      }));

    it('lets several first openers agree on one handoff key', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const openers = [storage, await openAnother(), await openAnother(), await openAnother()];
        const answers = await Promise.all(
          openers.map((opener, index) =>
            opener.putHandoffKey(sampleHandoffKey(`key-${index}`), { unlessAnyExists: true }),
          ),
        );
        assert.equal(answers[0]?.length, 1);
        for (const answer of answers) assert.deepEqual(answer, answers[0]);
      }));

    it('shows another opener what was written, at once', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        assert.equal(await other.readRevision(), 0);
        await storage.putCredentials([sampleCredential('c', { revokedAtMs: NOW_MS })]);
        assert.equal(await other.readRevision(), 1);
        assert.equal((await other.readAccess()).credentials[0]?.revokedAtMs, NOW_MS);
      }));
  });
}
