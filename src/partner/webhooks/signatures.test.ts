/** Judged by the library of Standard Webhooks, and by Node's own ed25519. */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { systemRandom } from '../../runtime/random.ts';
import { formatPublicKey, formatSecret, mintKey, signMessage } from './signatures.ts';

const body = '{"type":"webhook.test","data":{"è":1}}';
const message = () => ({ deliveryId: 'msg_1', timestampSeconds: Math.floor(Date.now() / 1000), body });

describe('Signatures', () => {
  it('the library standardwebhooks accepts signatures of each signing key', () => {
    const keys = [mintKey(systemRandom, 1), mintKey(systemRandom, 2)];
    const headers = signMessage(message(), keys);
    for (const key of keys)
      assert.deepEqual(new Webhook(formatSecret(key)).verify(body, headers), JSON.parse(body));
    const other = new Webhook(formatSecret(mintKey(systemRandom, 3)));
    assert.throws(() => other.verify(body, headers), /No matching signature/);
  });

  it('are ed25519 as well, of the key whose 32 bytes are told', () => {
    const key = mintKey(systemRandom, 1);
    const publicKey = formatPublicKey(key);
    assert.match(publicKey, /^whpk_[A-Za-z0-9+/]{43}=$/);
    const raw = Buffer.from(publicKey.slice('whpk_'.length), 'base64');
    const opened = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
      format: 'jwk',
    });
    const sent = message();
    const headers = signMessage(sent, [key]);
    const [hmac, ed25519] = headers['webhook-signature']!.split(' ');
    assert.match(hmac!, /^v1,[A-Za-z0-9+/]{43}=$/);
    const signature = Buffer.from(ed25519!.replace(/^v1a,/, ''), 'base64');
    const signed = `${sent.deliveryId}.${sent.timestampSeconds}.${body}`;
    assert.ok(verify(null, Buffer.from(signed), opened, signature));
  });

  it('have secrets of 32 bytes', () => {
    assert.match(formatSecret(mintKey(systemRandom, 1)), /^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
