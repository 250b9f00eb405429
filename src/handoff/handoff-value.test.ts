import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { CompactEncrypt, compactDecrypt, CompactSign, decodeProtectedHeader } from 'jose';
import { LOCALES } from '../domain/property.ts';
import { buildHandoffKeyring, type HandoffKeyring } from './handoff-keys.ts';
import {
  formatHandoffUrl,
  type Handoff,
  HANDOFF_VALUE_LENGTH_MAX,
  openHandoff,
  sealHandoff,
} from './handoff-value.ts';
import { HANDOFF_BASE_URL_LENGTH_MAX } from '../app/settings/setting-values.ts';

const NOW_MS = 1;
const SEED = { seed: 20261120, numRuns: 200 };
const OLD_SECRET = randomBytes(32);
const NEW_SECRET = randomBytes(32);
const keyRow = (keyId: string, secret: Buffer, revision: number) => ({
  keyId,
  secret: secret.toString('base64'),
  createdAtMs: 0,
  retiredAtMs: null,
  revision,
});
const keyringOf = (...rows: ReturnType<typeof keyRow>[]): HandoffKeyring => {
  const keyring = buildHandoffKeyring(rows, 1800);
  assert.ok(keyring);
  return keyring;
};
const OLD = keyRow('hk_old', OLD_SECRET, 1);
const NEW = keyRow('hk_new', NEW_SECRET, 2);
const KEYRING = keyringOf(OLD);
const HEADER = { alg: 'dir', enc: 'A256GCM', kid: 'hk_old' };
const HANDOFF: Handoff = {
  quoteId: 'qt_0123456789abcdefABCDEF01',
  propertyId: 'hotel-ponte',
  checkIn: 20_788,
  checkOut: 20_791,
  guests: 2,
  locale: 'it-IT',
  partnerId: 'acme',
  total: '412.40',
  currency: 'EUR',
  expiresAtMs: Date.UTC(2026, 10, 20, 12, 30),
};

const ids = fc.string({
  unit: fc.constantFrom(...'ABCXYZabcxyz0189._~-'),
  minLength: 1,
  maxLength: 160,
});
const handoffs: fc.Arbitrary<Handoff> = fc
  .record({
    quoteId: ids,
    propertyId: ids,
    checkIn: fc.integer({ min: -719_162, max: 2_932_000 }),
    nightCount: fc.integer({ min: 1, max: 60 }),
    guests: fc.integer({ min: 1, max: 30 }),
    locale: fc.constantFrom(...LOCALES),
    partnerId: ids,
    total: fc.bigInt({ min: 0n, max: 10n ** 16n }).map((units) => `${units}.00`),
    currency: fc.constantFrom('EUR', 'JPY'),
    expiresAtMs: fc.integer({ min: 0, max: 253_402_300_799_999 }),
  })
  .map(({ nightCount, ...rest }) => ({ ...rest, checkOut: rest.checkIn + nightCount }));

const seal = (claims: unknown, header: object = HEADER, secret: Uint8Array = OLD_SECRET) =>
  new CompactEncrypt(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader(header as typeof HEADER)
    .encrypt(secret);
const refused = async (value: string, reason: 'invalid' | 'unknown_key' = 'invalid') =>
  assert.deepEqual(await openHandoff(KEYRING, value, NOW_MS), { ok: false, reason }, value.slice(0, 200));

describe('a handoff value', () => {
  it('opens as what was sealed', async () => {
    await fc.assert(
      fc.asyncProperty(handoffs, async (handoff) => {
        const opened = await openHandoff(KEYRING, sealHandoff(KEYRING, handoff), NOW_MS);
        assert.deepEqual(opened, { ok: true, handoff, keyId: 'hk_old' });
      }),
      SEED,
    );
  });

  it('is a compact JWE with exactly the header dir, A256GCM and the key id', async () => {
    const value = sealHandoff(KEYRING, HANDOFF);
    assert.deepEqual(decodeProtectedHeader(value), HEADER);
    const { plaintext } = await compactDecrypt(value, OLD_SECRET);
    assert.equal(Buffer.from(plaintext).toString(), JSON.stringify([1, ...Object.values(HANDOFF)]));
  });

  it('shows nothing of the quote and is another one each time', async () => {
    const value = sealHandoff(KEYRING, HANDOFF);
    assert.notEqual(value, sealHandoff(KEYRING, HANDOFF));
    for (const part of value.split('.')) {
      const bytes = Buffer.from(part, 'base64url').toString('latin1');
      for (const said of [HANDOFF.quoteId, HANDOFF.propertyId, HANDOFF.partnerId, HANDOFF.total]) {
        assert.ok(!bytes.includes(said) && !part.includes(said));
      }
    }
  });

  it('is refused after any change of a single byte', async () => {
    const value = sealHandoff(KEYRING, HANDOFF);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let index = 0; index < value.length; index += 1) {
      const position = alphabet.indexOf(value[index] ?? '');
      // The next letter differs in its lowest bit: in a last letter that is one that decoders overlook.
      for (const wrong of [
        alphabet[position ^ 1] ?? 'A',
        alphabet[(position + 32) % 64] ?? 'A',
        '.',
        '=',
        '+',
        '\u0000',
        'é',
      ]) {
        if (wrong === value[index]) continue;
        const opened = await openHandoff(
          KEYRING,
          value.slice(0, index) + wrong + value.slice(index + 1),
          NOW_MS,
        );
        assert.equal(opened.ok, false, `byte ${index} as ${wrong}`);
      }
    }
  });

  it('is refused when cut, repeated, padded or with blanks', async () => {
    const value = sealHandoff(KEYRING, HANDOFF);
    for (let length = 0; length < value.length; length += 1) {
      assert.equal((await openHandoff(KEYRING, value.slice(0, length), NOW_MS)).ok, false);
    }
    for (const text of [
      `${value}=`,
      ` ${value}`,
      `${value}\n`,
      value + value,
      `${value}.`,
      value.replaceAll('.', ''),
    ]) {
      await refused(text);
    }
    await refused('a'.repeat(50_000_000));
  });

  it('is refused when it is any other text', async () => {
    const parts = fc.string({ unit: fc.constantFrom(...'Aa0-_.'), maxLength: 60 });
    const header = Buffer.from(JSON.stringify(HEADER)).toString('base64url');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      parts,
      fc.tuple(parts, parts, parts).map(([iv, text, tag]) => `${header}..${iv}.${text}.${tag}`),
      fc.tuple(fc.base64String(), fc.base64String()).map(([a, b]) => `${header}..AAAAAAAAAAAAAAAA.${a}.${b}`),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => !(await openHandoff(KEYRING, text, NOW_MS)).ok),
      SEED,
    );
  });

  it('is refused with any header but our own, byte for byte, even under the right key', async () => {
    const claims = [1, ...Object.values(HANDOFF)];
    const wrapped = await new CompactEncrypt(Buffer.from('x'))
      .setProtectedHeader({ alg: 'A256GCMKW', enc: 'A256GCM', kid: 'hk_old' })
      .encrypt(OLD_SECRET);
    await refused(wrapped);
    await refused(await seal(claims, { alg: 'dir', enc: 'A128CBC-HS256', kid: 'hk_old' }));
    const headers = [
      { alg: 'dir', enc: 'A256GCM' },
      { kid: 'hk_old', alg: 'dir', enc: 'A256GCM' },
      { ...HEADER, typ: 'JWT' },
      { ...HEADER, cty: 'JWE' },
      { ...HEADER, kid: 'hk_other' },
    ];
    for (const header of headers) await refused(await seal(claims, header), 'unknown_key');
    assert.ok((await openHandoff(KEYRING, await seal(claims), NOW_MS)).ok);
  });

  it('is refused as a signed or unsecured token', async () => {
    const claims = Buffer.from(JSON.stringify([1, ...Object.values(HANDOFF)]));
    await refused(
      await new CompactSign(claims).setProtectedHeader({ alg: 'HS256', kid: 'hk_old' }).sign(OLD_SECRET),
    );
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    await refused(`${none}.${claims.toString('base64url')}.`);
  });

  it('is refused when it is sealed twice', async () => {
    const inner = sealHandoff(KEYRING, HANDOFF);
    await refused(await seal(inner));
    const nested = await new CompactEncrypt(Buffer.from(inner))
      .setProtectedHeader(HEADER)
      .encrypt(OLD_SECRET);
    await refused(nested);
  });

  it('is refused under another key with the same id', async () => {
    await refused(sealHandoff(keyringOf(keyRow('hk_old', NEW_SECRET, 1)), HANDOFF));
  });

  const claims: unknown[] = [1, ...Object.values(HANDOFF)];
  const withClaim = (index: number, claim: unknown) => claims.with(index, claim);
  const strange: Record<string, unknown> = {
    'another version': withClaim(0, 2),
    'one member more': [...claims, 1],
    'one member less': claims.slice(0, -1),
    'an object': { ...claims },
    'no JSON array': 'text',
    'a number as id': withClaim(1, 5),
    'a fraction as date': withClaim(3, 0.5),
    'no night': withClaim(4, HANDOFF.checkIn),
    '61 nights': withClaim(4, HANDOFF.checkIn + 61),
    'an unknown locale': withClaim(6, 'de-DE'),
  };
  for (const [what, content] of Object.entries(strange)) {
    it(`is refused when a holder of the key sealed ${what}`, async () => refused(await seal(content)));
  }
});

describe('a handoff value of a family', () => {
  it('opens as it was sealed, with one element more, in the sandbox too', async () => {
    const family = {
      ...HANDOFF,
      guests: 30,
      childAges: Array.from({ length: 29 }, (_, age) => age % 18).sort((a, b) => a - b),
    };
    for (const handoff of [family, { ...family, isTest: true } as const]) {
      const opened = await openHandoff(KEYRING, sealHandoff(KEYRING, handoff), NOW_MS);
      assert.deepEqual(opened.ok && opened.handoff, handoff);
    }
  });

  it('is refused with ages that none of ours has', async () => {
    const { checkIn, checkOut, guests, ...texts } = HANDOFF;
    const { quoteId, propertyId, locale, partnerId, total, currency, expiresAtMs } = texts;
    const fields = [
      1,
      quoteId,
      propertyId,
      checkIn,
      checkOut,
      guests,
      locale,
      partnerId,
      total,
      currency,
      expiresAtMs,
    ];
    assert.ok((await openHandoff(KEYRING, await seal([...fields, '4']), NOW_MS)).ok);
    for (const ages of ['', 'i', '44', '4,9', 4, null, ['4']]) await refused(await seal([...fields, ages]));
    await refused(await seal([...fields, '4', 'test']));
    await refused(await seal([...fields, '4', '4']));
  });
});

describe('keys in rotation', () => {
  it('the newest seals, all open', async () => {
    const before = sealHandoff(KEYRING, HANDOFF);
    const rotated = keyringOf(OLD, NEW);
    const after = sealHandoff(rotated, HANDOFF);
    assert.deepEqual(await openHandoff(rotated, before, NOW_MS), {
      ok: true,
      handoff: HANDOFF,
      keyId: 'hk_old',
    });
    assert.deepEqual(await openHandoff(rotated, after, NOW_MS), {
      ok: true,
      handoff: HANDOFF,
      keyId: 'hk_new',
    });
    await refused(after, 'unknown_key');
  });

  it('a key that is gone opens nothing', async () => {
    const value = sealHandoff(KEYRING, HANDOFF);
    assert.deepEqual(await openHandoff(keyringOf(NEW), value, NOW_MS), { ok: false, reason: 'unknown_key' });
  });
});

describe('the handoff URL', () => {
  it('stays under 2,000 characters with the longest ids, key id, total and base', async () => {
    const longest = sealHandoff(keyringOf(keyRow('k'.repeat(32), OLD_SECRET, 1)), {
      ...HANDOFF,
      quoteId: 'q'.repeat(160),
      propertyId: 'p'.repeat(160),
      partnerId: 'a'.repeat(160),
      checkIn: -719_162,
      checkOut: -719_102,
      guests: 30,
      total: `${'9'.repeat(25)}.99`,
      expiresAtMs: 253_402_300_799_999,
    });
    assert.ok(longest.length <= HANDOFF_VALUE_LENGTH_MAX, String(longest.length));
    const base = `https://${'h'.repeat(HANDOFF_BASE_URL_LENGTH_MAX - 8)}`;
    assert.ok(formatHandoffUrl(base, longest).length < 2000);
    const worst = formatHandoffUrl(base, 'v'.repeat(HANDOFF_VALUE_LENGTH_MAX));
    assert.ok(worst.length < 2000);
  });

  it('carries the value unescaped as its single parameter, behind whatever path the base has', async () => {
    const value = sealHandoff(KEYRING, HANDOFF);
    for (const base of [
      'https://localhost:8443/handoff',
      'https://stay.example/',
      'https://stay.example/a/b',
    ]) {
      const url = new URL(formatHandoffUrl(base, value));
      assert.equal(url.href, `${base}?handoff=${value}`);
      assert.deepEqual([...url.searchParams], [['handoff', value]]);
    }
  });

  it('cannot outgrow its limit unnoticed', async () => {
    assert.throws(() => sealHandoff(KEYRING, { ...HANDOFF, propertyId: 'p'.repeat(1000) }), /outgrew/);
  });
});
