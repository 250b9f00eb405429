/** The dependencies of work on a connection, in a service and in a command. */
import { setTimeout } from 'node:timers/promises';
import type { Random } from '../../runtime/random.ts';
import type { AddressRule } from '../../runtime/outbound/public-request.ts';
import type { Connection, ConnectionStore } from '../../storage/connections/store.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import type { NightsDeps } from '../messages/receive-message.ts';
import type { ClaimDeps, RenewClaim } from '../polling/claims.ts';
import type { CallerDeps } from './account-caller.ts';
import { type AccountDeps, openAccount, type OpenAccount, type OpenedTerms } from './open-account.ts';

export interface ConnectionDeps extends NightsDeps, Omit<ClaimDeps, 'storage'> {
  readonly storage: NightsDeps['storage'] &
    ClaimDeps['storage'] &
    ConnectionStore &
    Pick<SupplyStore, 'listSupplyMappings' | 'putSupplyMappings' | 'deleteSupplyMapping'>;
  readonly random: Random;
  /** Where calls may go: `allowsPrivate` is the setting CONNECTIONS_ALLOW_PRIVATE. */
  readonly calling: AddressRule;
  /** Called for each call. */
  readonly onCall?: () => void;
  /** For tests and simulations. */
  readonly sleep?: CallerDeps['sleep'];
  readonly openAccount?: typeof openAccount;
}

/** The turn of one that works on an account. */
export interface AccountTurn {
  readonly signal?: AbortSignal | undefined;
  readonly renew: RenewClaim;
  /** How often a call waits for the provider's window; as often as it takes unless given. */
  readonly windowWaitsMax?: number;
  /** Takes calls and tokens of an account that is not stored yet, or not with this key. */
  readonly unsaved?: Pick<AccountDeps, 'saveCalls' | 'saveTokens'>;
}

/** Opens the account for `work`, and ends its thread. */
export async function withAccount<T>(
  deps: ConnectionDeps,
  connection: OpenedTerms & Pick<Connection, 'name'>,
  { signal, renew, unsaved, windowWaitsMax }: AccountTurn,
  work: (account: OpenAccount) => Promise<T>,
): Promise<T> {
  const { storage, clock, calling, onCall, sleep = sleepHere } = deps;
  const { name } = connection;
  const account = (deps.openAccount ?? openAccount)(connection, {
    ...calling,
    clock,
    signal,
    renew,
    windowWaitsMax,
    sleep,
    ...(onCall === undefined ? {} : { onCall }),
    saveCalls: (calls) => storage.saveConnectionCalls(name, calls),
    saveTokens: (tokens) => storage.saveConnectionTokens(name, tokens),
    ...unsaved,
  });
  try {
    return await work(account);
  } finally {
    await account.end();
  }
}

async function sleepHere(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
}

/** The task of an account, for all that work on it: a provider bounds accounts, not connections. */
export function taskOfAccount({ kind, account }: Pick<Connection, 'kind' | 'account'>): string {
  return `connection ${kind} ${account}`;
}
