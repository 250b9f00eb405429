/** Opens an account in a thread of its own, so that no answer of a provider is parsed on a thread that serves. */
import { Wrong } from '../../domain/wrong.ts';
import { openJobThread } from '../../runtime/job-thread.ts';
import type { Connection } from '../../storage/connections/store.ts';
import { type CallerDeps, createCaller } from './account-caller.ts';
import type { AccountJob, AccountTerms, BackAnswer, BackQuestion, NightRange } from './account-jobs.ts';
import {
  type AskedStay,
  ConnectionFailure,
  type ConnectionKind,
  type Identity,
  type Room,
  type ProviderStay,
} from './kinds/connection-kind.ts';
import { findKind } from './connection-kinds.ts';
import { packFailure, type PackedFailure, unpackFailure } from './packed-failure.ts';
import type { RoomCalendar } from './read-calendars.ts';

/** For parsing 32 MiB of JSON, and the nights of a thousand rooms. */
export const HEAP_MB_MAX = 512;

/** All methods but `end` reject with `ConnectionFailure`, or with the reason of the signal. */
export interface OpenAccount {
  identify(): Promise<Identity>;
  listRooms(): Promise<readonly Room[]>;
  /** Each room whole, or not at all; a room of which nothing was said is a failure. */
  readCalendars(rooms: readonly Room[], range: NightRange): Promise<ReadonlyMap<string, RoomCalendar>>;
  askStay(rooms: readonly Room[], stay: AskedStay): Promise<ReadonlyMap<string, ProviderStay>>;
  end(): Promise<void>;
}

export interface AccountDeps extends CallerDeps {
  readonly saveTokens: (tokens: Connection['tokens']) => Promise<void>;
}

/** The setting that names another server, for tests of an operator. */
export const BASE_SETTING = 'base';

export type OpenedTerms = Pick<Connection, 'kind' | 'key' | 'settings' | 'allowed' | 'tokens' | 'calls'>;

export function openAccount(connection: OpenedTerms, deps: AccountDeps): OpenAccount {
  const kind = findKind(connection.kind);
  if (kind === undefined) throw new Error(`there is no kind ${connection.kind}`);
  const origin = connection.settings[BASE_SETTING] ?? kind.origin;
  const call = createCaller(kind, { origin, calls: connection.calls }, deps);
  let { tokens } = connection;
  /** A fault of ours, such as a database that is away: the thread learns of it as of any failed call. */
  let ownFault: unknown;
  const lost = new ConnectionFailure(new Wrong('tookMemory'));
  const thread = openJobThread<AccountJob>({
    program: new URL('./account-thread.ts', import.meta.url),
    name: 'stayport account',
    workerData: termsOf(kind, connection, deps.clock()),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    whenLost: () => lost,
    restoreError: (packed) => unpackFailure(packed as PackedFailure),
    async answerBack(question): Promise<BackAnswer> {
      const asked = question as BackQuestion;
      try {
        if ('call' in asked) return { answer: await call(asked.call) };
        const { name, ...token } = asked.token;
        tokens = { ...tokens, [name]: token };
        await deps.saveTokens(tokens);
        return {};
      } catch (error) {
        if (!(error instanceof ConnectionFailure)) ownFault ??= error;
        return { failure: packFailure(error) };
      }
    },
  });
  const ask = async <Result>(job: AccountJob): Promise<Result> => {
    try {
      return await thread.ask<Result>(job);
    } catch (error) {
      deps.signal?.throwIfAborted();
      throw ownFault ?? error;
    }
  };
  return {
    identify: () => ask({ what: 'identify' }),
    listRooms: () => ask({ what: 'rooms' }),
    readCalendars: (rooms, range) => ask({ what: 'calendars', rooms, ...range }),
    askStay: (rooms, stay) => ask({ what: 'stay', rooms, stay }),
    end: () => thread.end(lost),
  };
}

/** Each setting of the kind with its value. */
function termsOf(kind: ConnectionKind, connection: OpenedTerms, nowMs: number): AccountTerms {
  const { key, allowed, tokens } = connection;
  const settings = Object.fromEntries(
    Object.entries(kind.settings).map(([name, [usual = '']]) => [name, connection.settings[name] ?? usual]),
  );
  return { kind: kind.kind, key, settings, allowed, tokens, nowMs };
}
