/**
 * An act of the operator, as one row: its command, its options with their help, its place in the audit trail, its form in
 * the console and its HTTP operation follow from it. To add one, write its row in the file of its group.
 */
import type { TSchema } from 'typebox';
import type { TellChange } from '../access/audit-trail.ts';
import type { Role } from '../access/console-sessions.ts';
import type { OperatorOperation } from '../contract/operator/operation.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { HandoffKeyring } from '../handoff/handoff-keys.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { type Storage, StorageUnavailable } from '../storage/storage.ts';
import type { FeedDeps } from '../supply/ical/feed-changes.ts';
import type { Value } from './values.ts';

/** The settings that acts follow, by the names of the table of settings. */
export interface ActSettings {
  readonly partnerQuota: number;
  readonly quoteTtlSeconds: number;
  readonly horizonNights: number;
  readonly publicUrl: string;
  readonly consoleUrl: string;
  readonly calendarsBaseUrl: string;
  readonly webPort: number | undefined;
  readonly icalAllowPrivate: boolean;
  readonly webhookAllowPrivate: boolean;
  readonly handoffKeys: HandoffKeyring | undefined;
}

/** What acts work with, on the command line as in a service. */
export interface ActPorts extends ActSettings, Omit<FeedDeps, 'storage' | 'clock' | 'random'> {
  /** Where the act is signed, what is written through it leaves its entry in the audit trail. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  /** Of an HTTP request that may be sent again: what it makes is made once for each key. */
  readonly requestKey?: string | undefined;
  /** Waits for other servers, so a service does only a few at once; rejects with StorageUnavailable beyond. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** What an act that is recorded around its writes has changed. */
  readonly tell: TellChange;
  /** A line for the person who acts, beside the answer. */
  readonly note: (line: string) => void;
}

/** Of a service: calendars that are fetched at once because somebody asked. */
export const POLLS_ASKED_MAX = 4;

export function boundedTurns(): ActPorts['inTurn'] {
  let count = 0;
  return async (work) => {
    if (count >= POLLS_ASKED_MAX) throw new StorageUnavailable('too many calendars are being fetched');
    count += 1;
    try {
      return await work();
    } finally {
      count -= 1;
    }
  };
}

export interface Input<T> {
  readonly presence: 'required' | 'optional' | 'repeated' | 'flag';
  /** `--partner-id <id>`; `<id>` is the argument of the command. */
  readonly usage: string;
  /** Help on the command line, and hint of the form. */
  readonly about: string;
  readonly value: Value<unknown> | undefined;
  readonly fallback: T | undefined;
}

export function required<T>(value: Value<T>, usage: string, about: string): Input<T> {
  return { presence: 'required', usage, about, value, fallback: undefined };
}

export function optional<T>(value: Value<T>, usage: string, about: string): Input<T | undefined> {
  return { presence: 'optional', usage, about, value, fallback: undefined };
}

/** The help shows the fallback where it is short. */
export function withFallback<T>(value: Value<T>, usage: string, about: string, fallback: T): Input<T> {
  return { presence: 'optional', usage, about, value, fallback };
}

export function repeated<T>(value: Value<T>, usage: string, about: string): Input<readonly T[] | undefined> {
  return { presence: 'repeated', usage, about, value, fallback: undefined };
}

export function flag(usage: string, about: string): Input<true | undefined> {
  return { presence: 'flag', usage, about, value: undefined, fallback: undefined };
}

type Inputs = Readonly<Record<string, Input<unknown>>>;
type ValueOf<I> = I extends Input<infer T> ? T : never;
export type InputOf<Map extends Inputs> = { readonly [Name in keyof Map]: ValueOf<Map[Name]> };

/** How the answer is printed for people; a program gets it as JSON. */
export type Print<View, Given> =
  | 'fields'
  /** As fields, with this line below. */
  | { readonly below: string }
  | { readonly columns: readonly string[]; readonly empty: string }
  | ((view: View, input: Given) => string);

/**
 * `reads`: it changes nothing. `signed`: its writes leave their entries in the transaction of the write. A function: it is
 * recorded around its writes, with what the function makes of its input.
 */
export type Audit<Given> = 'reads' | 'signed' | ((input: Given) => string);

/**
 * The operation of the operator listener that does the act. Inputs that the path does not name are in the body, of a
 * DELETE in the query.
 */
export interface ActOperation extends Pick<
  OperatorOperation,
  'operationId' | 'summary' | 'description' | 'problemCodes'
> {
  readonly route: `${'POST' | 'DELETE'} ${string}`;
  /** The one that is answered. */
  readonly success: readonly [status: 200 | 201, description: string, schema: TSchema];
  /** Detail where there is nothing of the name; the sentence of the act unless given. */
  readonly unknown?: string;
}

export interface Act<Map extends Inputs, View> {
  /** The words of the command. */
  readonly name: string;
  readonly right: Role;
  readonly about: string;
  /** In the order of the help; an argument without an option first. */
  readonly input: Map;
  readonly examples: readonly string[];
  readonly audit: Audit<InputOf<Map>>;
  /** Bad usage, before anything is opened. */
  readonly check?: (input: InputOf<Map>) => string | undefined;
  readonly run: (ports: ActPorts, input: InputOf<Map>) => Promise<Outcome<View>>;
  readonly print: Print<View, InputOf<Map>>;
  readonly http?: ActOperation;
  /** Why it fails although it has an answer, which is printed too. */
  readonly failure?: (view: View) => string | undefined;
}

/** A row of a list of acts. */
export type AnyAct = Act<Inputs, unknown>;

/** Checks a row against its own input; the rows of a list share one type. */
export function act<const Map extends Inputs, View>(row: Act<Map, View>): Act<Map, View> & AnyAct {
  return row as unknown as Act<Map, View> & AnyAct;
}
