/**
 * Signatures as Standard Webhooks writes them (https://www.standardwebhooks.com): `v1` is HMAC-SHA256 with the shared
 * secret, `v1a` is ed25519. Each key signs both ways, so a header holds all that a receiver may know during a rotation.
 */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Random } from '../../runtime/random.ts';
import type { WebhookKey } from '../../storage/webhooks/store.ts';

const SECRET_BYTES = 32;
const SEED_BYTES = 32;
/** PKCS #8 (RFC 8410) before the seed of an ed25519 key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export function mintKey(random: Random, createdAtMs: number): WebhookKey {
  return {
    secret: Buffer.from(random(SECRET_BYTES)).toString('base64'),
    privateKey: Buffer.from(random(SEED_BYTES)).toString('base64'),
    createdAtMs,
  };
}

/** `whsec_...`, as the receiver needs it. */
export function formatSecret({ secret }: WebhookKey): string {
  return `whsec_${secret}`;
}

/** `whpk_...`: the 32 bytes of the public key. */
export function formatPublicKey(key: WebhookKey): string {
  const { x } = createPublicKey(openPrivateKey(key)).export({ format: 'jwk' });
  return `whpk_${Buffer.from(x!, 'base64url').toString('base64')}`;
}

export interface SignedMessage {
  readonly deliveryId: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

/** The headers of one try; `keys` newest first. */
export function signMessage(message: SignedMessage, keys: readonly WebhookKey[]): Record<string, string> {
  const { deliveryId, timestampSeconds, body } = message;
  const signed = Buffer.from(`${deliveryId}.${timestampSeconds}.${body}`);
  const signatures = keys.flatMap((key) => {
    const hmac = createHmac('sha256', Buffer.from(key.secret, 'base64')).update(signed).digest('base64');
    const ed25519 = sign(null, signed, openPrivateKey(key)).toString('base64');
    return [`v1,${hmac}`, `v1a,${ed25519}`];
  });
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}

function openPrivateKey({ privateKey }: WebhookKey): KeyObject {
  const der = Buffer.concat([PKCS8_PREFIX, Buffer.from(privateKey, 'base64')]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
