/** The jobs of the thread of an account, and its questions back. */
import type { EpochDay } from '../../domain/local-date.ts';
import type { Connection } from '../../storage/connections/store.ts';
import type { RawAnswer } from './account-caller.ts';
import type { AskedStay, CallRequest, MadeToken, Room } from './kinds/connection-kind.ts';
import type { PackedFailure } from './packed-failure.ts';

export interface AccountTerms {
  readonly kind: string;
  readonly key: Connection['key'];
  readonly settings: Connection['settings'];
  readonly allowed: readonly string[];
  readonly tokens: Connection['tokens'];
  readonly nowMs: number;
}

export type AccountJob =
  | { readonly what: 'identify' }
  | { readonly what: 'rooms' }
  | ({ readonly what: 'calendars'; readonly rooms: readonly Room[] } & NightRange)
  | { readonly what: 'stay'; readonly rooms: readonly Room[]; readonly stay: AskedStay };

export interface NightRange {
  readonly from: EpochDay;
  readonly until: EpochDay;
}

export type BackQuestion =
  | { readonly call: CallRequest }
  | { readonly token: MadeToken & { readonly name: string } };

export interface BackAnswer {
  readonly answer?: RawAnswer;
  readonly failure?: PackedFailure;
}
