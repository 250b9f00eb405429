/** Changes of handoff keys in the database: the first start makes one, the operator rotates and retires them. */
import { Wrong } from '../domain/wrong.ts';
import { done, type Outcome, refuse } from '../domain/outcome.ts';
import type { AccessStore, HandoffKeyRow } from '../storage/access/store.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Random, randomBase62 } from '../runtime/random.ts';
import { buildHandoffKeyring, type HandoffKeyring, opensUntilMs } from './handoff-keys.ts';

const KEY_BYTES = 32;

interface HandoffKeyDeps {
  readonly storage: Pick<AccessStore, 'putHandoffKey'>;
  readonly clock: Clock;
  readonly random: Random;
}

interface KeyListDeps {
  readonly storage: Pick<AccessStore, 'readAccess'>;
  readonly clock: Clock;
  readonly quoteTtlSeconds: number;
}

/** The operator's view of a stored key; never its secret. Instants are RFC 3339. */
interface HandoffKeyView {
  readonly keyId: string;
  /** `sealing`: the newest. `opening`: still opens its values. `ended`: opens nothing. */
  readonly state: 'sealing' | 'opening' | 'ended';
  readonly createdAt: string;
  /** When it stops opening; null while it seals. */
  readonly opensUntil: string | null;
  readonly retiredAt: string | null;
}

/** Makes the first key of a database; several processes that start at once agree on one. */
export async function ensureHandoffKey(
  deps: HandoffKeyDeps & {
    readonly storage: Pick<AccessStore, 'readHandoffKeys'>;
    readonly quoteTtlSeconds: number;
  },
): Promise<HandoffKeyring> {
  // A database that may not be written is good for everything but quotes.
  const held = buildHandoffKeyring(await deps.storage.readHandoffKeys(), deps.quoteTtlSeconds);
  if (held !== undefined) return held;
  const rows = await deps.storage.putHandoffKey(newKeyRow(deps), { unlessAnyExists: true });
  const keyring = buildHandoffKeyring(rows, deps.quoteTtlSeconds);
  if (keyring === undefined) throw new Error('storage answered no handoff key after putting one');
  return keyring;
}

/** Makes a key that seals from now on; older ones still open their values until those have expired. */
export async function rotateHandoffKey(deps: HandoffKeyDeps): Promise<{ readonly keyId: string }> {
  const row = newKeyRow(deps);
  await deps.storage.putHandoffKey(row, { unlessAnyExists: false });
  return { keyId: row.keyId };
}

/** Newest first. */
export async function listHandoffKeys(deps: KeyListDeps): Promise<readonly HandoffKeyView[]> {
  const { handoffKeys } = await deps.storage.readAccess();
  return presentKeys(handoffKeys, deps);
}

/** Ends a key at once: its values no longer open. Rotate the sealing key first. */
export async function retireHandoffKey(
  deps: KeyListDeps & { readonly storage: Pick<AccessStore, 'retireHandoffKey'> },
  keyId: string,
): Promise<Outcome<HandoffKeyView>> {
  const keys = await listHandoffKeys(deps);
  const found = keys.find((key) => key.keyId === keyId);
  if (found === undefined) {
    return refuse(new Wrong('unknownKey', { id: JSON.stringify(keyId.slice(0, 200)) }));
  }
  if (found.state === 'sealing') {
    return refuse(new Wrong('keySeals', { id: keyId }));
  }
  const rows = await deps.storage.retireHandoffKey(keyId, deps.clock());
  const retired = presentKeys(rows, deps).find((key) => key.keyId === keyId);
  if (retired === undefined) throw new Error(`handoff key ${keyId} no longer exists`);
  return done(retired);
}

function presentKeys(
  rows: readonly HandoffKeyRow[],
  { clock, quoteTtlSeconds }: Omit<KeyListDeps, 'storage'>,
): HandoffKeyView[] {
  const nowMs = clock();
  return rows.map((row) => {
    const endsAtMs = opensUntilMs(row, rows, quoteTtlSeconds);
    const isSealing = endsAtMs === Number.POSITIVE_INFINITY;
    return {
      keyId: row.keyId,
      state: isSealing ? 'sealing' : nowMs < endsAtMs ? 'opening' : 'ended',
      createdAt: new Date(row.createdAtMs).toISOString(),
      opensUntil: isSealing ? null : new Date(endsAtMs).toISOString(),
      retiredAt: row.retiredAtMs === null ? null : new Date(row.retiredAtMs).toISOString(),
    };
  });
}

function newKeyRow(deps: Pick<HandoffKeyDeps, 'clock' | 'random'>): HandoffKeyRow {
  return {
    keyId: `hk_${randomBase62(8, deps.random)}`,
    secret: Buffer.from(deps.random(KEY_BYTES)).toString('base64'),
    createdAtMs: deps.clock(),
    retiredAtMs: null,
    revision: 0,
  };
}
