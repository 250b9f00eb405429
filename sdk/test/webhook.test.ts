/** Messages as the service signs them, and as others forge them. */
import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { verifyWebhook, WebhookError } from '../src/index.ts';

const EVENT = { type: 'quote.opened', timestamp: '2026-11-20T00:00:00.000Z', data: { quoteId: 'è' } };
const BODY = JSON.stringify(EVENT);
const now = (): number => Math.floor(Date.now() / 1000);

function hmacKey() {
  const bytes = randomBytes(32);
  return {
    secret: `whsec_${bytes.toString('base64')}`,
    sign: (text: string) => `v1,${createHmac('sha256', bytes).update(text).digest('base64')}`,
  };
}

function ed25519Key() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  return {
    publicKey: `whpk_${Buffer.from(x!, 'base64url').toString('base64')}`,
    sign: (text: string) => `v1a,${sign(null, Buffer.from(text), privateKey).toString('base64')}`,
  };
}

function sealed(
  signers: readonly { sign: (text: string) => string }[],
  { seconds = now(), body = BODY } = {},
) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signers.map((one) => one.sign(`msg_1.${seconds}.${body}`)).join(' '),
  };
}

describe('verifyWebhook', () => {
  const [old, present, pair] = [hmacKey(), hmacKey(), ed25519Key()];
  const all = [old, present, pair];

  it('takes the secret or the public key, during a rotation either secret', async () => {
    for (const key of [old.secret, present.secret, pair.publicKey])
      assert.deepEqual(await verifyWebhook(BODY, sealed(all), key), EVENT);
  });

  it('takes headers of fetch and of Node, and the body as text or bytes', async () => {
    const headers = new Headers(sealed(all));
    assert.deepEqual(await verifyWebhook(Buffer.from(BODY), headers, present.secret), EVENT);
    assert.deepEqual(
      await verifyWebhook(new Uint8Array(Buffer.from(BODY)), sealed(all), pair.publicKey),
      EVENT,
    );
  });

  it('refuses what anybody changed, and keys of others', async () => {
    const headers = sealed(all);
    const refused: readonly (readonly [string, Record<string, string>, string])[] = [
      [BODY.replace('opened', 'forged'), headers, present.secret],
      [BODY, { ...headers, 'webhook-id': 'msg_2' }, present.secret],
      [BODY, { ...headers, 'webhook-timestamp': String(now() - 1) }, present.secret],
      [BODY, headers, hmacKey().secret],
      [BODY, headers, ed25519Key().publicKey],
      [BODY, { ...headers, 'webhook-signature': '' }, present.secret],
      [BODY, { ...headers, 'webhook-signature': 'v1,!!! v1 v1,' }, present.secret],
      [BODY, { ...headers, 'webhook-signature': present.sign('x').replace('v1,', 'v2,') }, present.secret],
      // The signature of one kind is none of the other.
      [BODY, sealed([pair]), present.secret],
      [BODY, sealed([present]), pair.publicKey],
    ];
    for (const [body, some, key] of refused)
      await assert.rejects(verifyWebhook(body, some, key), WebhookError);
  });

  it('refuses messages that are too old or of the future, and times that are none', async () => {
    for (const seconds of [now() - 299, now() + 299])
      assert.deepEqual(await verifyWebhook(BODY, sealed(all, { seconds }), present.secret), EVENT);
    for (const seconds of [now() - 302, now() + 302, NaN, -1])
      await assert.rejects(verifyWebhook(BODY, sealed(all, { seconds }), present.secret), WebhookError);
  });

  it('refuses messages without their headers', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      await assert.rejects(verifyWebhook(BODY, { ...sealed(all), [name]: undefined }, present.secret), {
        name: 'WebhookError',
        message: `${name} is missing`,
      });
  });
});
