/** An authenticator in the test's own hands: it answers as a browser would, and as an attacker would. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** In place of what an honest browser would say. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly signCount?: number;
  readonly isVerified?: boolean;
}

interface Options {
  readonly challenge: string;
}

export class SoftPasskey {
  readonly id = randomBytes(32).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  signCount = 0;

  /** `origin` of the pages of the console. */
  constructor(origin: string) {
    this.#origin = origin;
  }

  /** As JSON of `navigator.credentials.create`. */
  register(options: Options, lies: Lies = {}): string {
    const id = Buffer.from(this.id, 'base64url');
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ]);
    const length = Buffer.from([0, id.length]);
    const data = Buffer.concat([
      this.#authenticatorData(lies, HAS_CREDENTIAL),
      Buffer.alloc(16),
      length,
      id,
      key,
    ]);
    const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex');
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options, lies).toString('base64url'),
      attestationObject: Buffer.concat([head, Buffer.from([data.length]), data]).toString('base64url'),
    });
  }

  /** As JSON of `navigator.credentials.get`. */
  signIn(options: Options, lies: Lies = {}): string {
    const data = this.#authenticatorData(lies, 0);
    const client = this.#clientData('webauthn.get', options, lies);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
    });
  }

  #answer(response: Readonly<Record<string, string>>): string {
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });
  }

  #clientData(type: string, options: Options, { challenge, origin = this.#origin }: Lies): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: challenge ?? options.challenge, origin }));
  }

  #authenticatorData(lies: Lies, flags: number): Buffer {
    const { rpId = new URL(this.#origin).hostname, signCount = this.signCount, isVerified = true } = lies;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    const all = flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([all]), count]);
  }
}
