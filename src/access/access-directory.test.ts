import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { AccessRows, CredentialRow, PartnerRow } from '../storage/access/store.ts';
import { buildAccessDirectory } from './access-directory.ts';
import {
  sampleCredential,
  sampleOperatorToken,
  samplePartner,
} from '../../test/suites/storage/sample-rows.ts';
import { hashToken, mintToken } from './token.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
const TOKEN = mintToken(randomBytes);

const partner = (changes: Partial<PartnerRow> = {}): PartnerRow =>
  samplePartner('acme', { origins: ['https://acme.example'], ...changes });
const credential = (changes: Partial<CredentialRow> = {}): CredentialRow =>
  sampleCredential('cr_1', {
    partnerId: 'acme',
    tokenHash: hashToken(TOKEN),
    scopes: ['properties:read'],
    ...changes,
  });
const directoryOf = (rows: Partial<AccessRows>) =>
  buildAccessDirectory({
    partners: [partner()],
    credentials: [],
    handoffKeys: [],
    operatorTokens: [],
    siteSettings: [],
    ...rows,
  });
const INVALID = { ok: false, reason: 'invalid' };
const refused = { credentialId: 'cr_1', partnerId: 'acme', networks: undefined };
const EXPIRED = { ...INVALID, refused };
const REVOKED = { ok: false, reason: 'revoked', refused };

describe('the access directory', () => {
  it('recognises a token and tells what its credential is worth', () => {
    assert.deepEqual(directoryOf({ credentials: [credential()] }).authenticate(TOKEN, NOW_MS), {
      ok: true,
      credential: {
        credentialId: 'cr_1',
        partnerId: 'acme',
        scopes: new Set(['properties:read']),
        quota: 120,
        origins: new Set(['https://acme.example']),
        isTest: false,
        networks: undefined,
        expiresAtMs: Number.POSITIVE_INFINITY,
      },
    });
  });

  it('tells the tokens of several credentials apart', () => {
    const other = mintToken(randomBytes);
    const directory = directoryOf({
      partners: [partner(), partner({ partnerId: 'beta', origins: [] })],
      credentials: [
        credential(),
        credential({ credentialId: 'cr_2', partnerId: 'beta', tokenHash: hashToken(other) }),
      ],
    });
    const answer = directory.authenticate(other, NOW_MS);
    assert.ok(answer.ok);
    assert.equal(answer.credential.partnerId, 'beta');
    assert.equal(answer.credential.origins.size, 0);
  });

  it('every unknown text gets one and the same answer, as an unknown token does', () => {
    const directory = directoryOf({ credentials: [credential()] });
    const answer = directory.authenticate(mintToken(randomBytes), NOW_MS);
    assert.deepEqual(answer, INVALID);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string().map((text) => `sp_live_${text}`),
        ),
        (text) => assert.equal(directory.authenticate(text, NOW_MS), answer),
      ),
      { seed: 20261120, numRuns: 300 },
    );
    assert.equal(directory.authenticate(TOKEN.toLowerCase(), NOW_MS), answer);
    assert.equal(directory.authenticate('a'.repeat(10_000_000), NOW_MS), answer);
    assert.equal(directory.authenticate(hashToken(TOKEN), NOW_MS), answer);
  });

  it('takes an expired credential as unknown, from the very instant', () => {
    const directory = directoryOf({ credentials: [credential({ expiresAtMs: NOW_MS })] });
    assert.equal(directory.authenticate(TOKEN, NOW_MS - 1).ok, true);
    assert.deepEqual(directory.authenticate(TOKEN, NOW_MS), EXPIRED);
  });

  it('tells a revoked credential, and every credential of a disabled partner', () => {
    const revoked = directoryOf({ credentials: [credential({ revokedAtMs: NOW_MS + 1 })] });
    assert.deepEqual(revoked.authenticate(TOKEN, NOW_MS), REVOKED);
    const disabled = directoryOf({ partners: [partner({ disabled: true })], credentials: [credential()] });
    assert.deepEqual(disabled.authenticate(TOKEN, NOW_MS), REVOKED);
  });

  it('looks at the expiry before the revocation', () => {
    const directory = directoryOf({ credentials: [credential({ expiresAtMs: NOW_MS, revokedAtMs: 1 })] });
    assert.deepEqual(directory.authenticate(TOKEN, NOW_MS), EXPIRED);
  });

  it('knows the origins of all partners, and those only', () => {
    const directory = directoryOf({
      partners: [partner(), partner({ partnerId: 'beta', origins: ['http://localhost:3000'] })],
    });
    assert.ok(directory.isKnownOrigin('https://acme.example'));
    assert.ok(directory.isKnownOrigin('http://localhost:3000'));
    for (const origin of [
      '',
      'null',
      'http://acme.example',
      'https://acme.example/',
      'https://other.example',
    ]) {
      assert.ok(!directory.isKnownOrigin(origin), origin);
    }
  });

  it('keeps operator tokens and partner tokens apart', () => {
    const operatorToken = mintToken(randomBytes, 'operator');
    const directory = directoryOf({
      credentials: [credential()],
      operatorTokens: [sampleOperatorToken('ot_1', { name: 'web', tokenHash: hashToken(operatorToken) })],
    });
    assert.deepEqual(directory.authenticateOperator(operatorToken, NOW_MS), {
      operatorTokenId: 'ot_1',
      name: 'web',
      scopes: new Set(['handoff:resolve']),
      source: null,
      expiresAtMs: Number.POSITIVE_INFINITY,
    });
    assert.equal(directory.authenticateOperator(mintToken(randomBytes, 'operator'), NOW_MS), undefined);
    assert.equal(directory.authenticateOperator(TOKEN, NOW_MS), undefined);
    assert.deepEqual(directory.authenticate(operatorToken, NOW_MS), INVALID);
  });

  it('takes no credential without its partner, and all others', () => {
    const other = mintToken(randomBytes);
    const orphan = credential({ credentialId: 'orphan', partnerId: 'lost', tokenHash: hashToken(other) });
    const directory = directoryOf({ credentials: [orphan, credential()] });
    assert.deepEqual(directory.authenticate(other, NOW_MS), INVALID);
    assert.equal(directory.authenticate(TOKEN, NOW_MS).ok, true);
  });
});
