/**
 * Randomness that a form brings along: the same for each time that it is sent, to whichever process. So a form that is
 * sent twice makes the same secret twice, and nobody who knows the form alone can make it.
 */
import { createHmac } from 'node:crypto';
import type { Random } from '../runtime/random.ts';
import type { PasskeyStore } from '../storage/passkeys/store.ts';

const SEAL_BYTES = 32;

interface SecretDeps {
  readonly storage: Pick<PasskeyStore, 'readPasskeySeal'>;
  readonly random: Random;
}

/** Each call of the result begins at its first byte. `formKey` names the form, which nobody can guess. */
export async function randomOfForm({ storage, random }: SecretDeps, formKey: string): Promise<() => Random> {
  const seal = await storage.readPasskeySeal(Buffer.from(random(SEAL_BYTES)).toString('base64url'));
  const key = createHmac('sha256', seal).update(`secrets of a form: ${formKey}`).digest();
  return () => {
    let block = 0;
    return (byteCount) => {
      const parts: Buffer[] = [];
      for (let length = 0; length < byteCount; length += parts.at(-1)!.length)
        parts.push(
          createHmac('sha256', key)
            .update(String((block += 1)))
            .digest(),
        );
      return Buffer.concat(parts).subarray(0, byteCount);
    };
  };
}
