/**
 * An act of the operator as one row, from which its command, options, help, entry in the audit trail, console form and
 * HTTP operation derive. To add an act, write its row in the file of its group.
 */
import type { Wrong } from '../../domain/wrong.ts';
import type { TSchema } from 'typebox';
import type { TellChange } from '../../access/audit-trail.ts';
import type { Role } from '../../access/console-sessions.ts';
import type { OperatorOperation } from '../../contract/operator/operation.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { HandoffKeyring } from '../../handoff/handoff-keys.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import { type Storage, StorageUnavailable } from '../../storage/storage.ts';
import type { FeedDeps } from '../../supply/ical/feed-changes.ts';
import type { SiteDesk } from './site-desk.ts';
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
  readonly connectionsAllowPrivate: boolean;
  readonly webhookAllowPrivate: boolean;
  readonly handoffKeys: HandoffKeyring | undefined;
}

/** The ports that acts use, on the command line and in a service. */
export interface ActPorts extends ActSettings, Omit<FeedDeps, 'storage' | 'clock' | 'random'> {
  /** If the act is signed, writes through this store leave their entries in the audit trail. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  /** The idempotency key of an HTTP request, or of a form: for each key, the act creates its result only once. */
  readonly requestKey?: string | undefined;
  /**
   * For waiting on the server of a feed: a service does only a few at once, of each feed one, and rejects further ones
   * with StorageUnavailable.
   */
  readonly inTurn: <T>(feedId: string, work: () => Promise<T>) => Promise<T>;
  /** A secret from a file, or from standard input; commands alone have both. */
  readonly readSecret: (file: string | undefined) => Promise<Outcome<string>>;
  /** Settings of the site. */
  readonly site: SiteDesk;
  /** Records from what to what the act changed, for acts whose entry is written around their writes. */
  readonly tell: TellChange;
  /** A line for the person who acts, beside the answer. */
  readonly note: (line: string) => void;
}

/** Calendars that a service fetches at once on request. */
export const POLLS_ASKED_MAX = 8;

export function boundedTurns(): ActPorts['inTurn'] {
  const inHand = new Set<string>();
  return async (feedId, work) => {
    if (inHand.has(feedId)) throw new StorageUnavailable('this calendar is being fetched');
    if (inHand.size >= POLLS_ASKED_MAX) throw new StorageUnavailable('too many calendars are being fetched');
    inHand.add(feedId);
    try {
      return await work();
    } finally {
      inHand.delete(feedId);
    }
  };
}

export interface Input<T> {
  readonly presence: 'required' | 'optional' | 'repeated' | 'flag';
  /** `--partner-id <id>`; `<id>` is the argument of the command. */
  readonly usage: string;
  /** Help on the command line, and the hint in the form. */
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

/** The help shows short fallbacks. */
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

type RowOf<View> = View extends readonly (infer Row)[] ? Row : never;

/** How to print the answer for people; programs get JSON. */
export type Print<View, Given> =
  | 'fields'
  /** As fields, with this line below them. */
  | { readonly below: string }
  | {
      readonly columns: readonly string[];
      readonly empty: string;
      /** A row for people, where it has more than texts, numbers and lists of them. */
      readonly cells?: (row: RowOf<View>) => object;
    }
  | ((view: View, input: Given) => string);

/**
 * `reads`: changes nothing. `signed`: its writes leave their entries in their own transactions. A function: the act is
 * recorded around its writes, with the text that the function makes from the input.
 */
export type Audit<Given> = 'reads' | 'signed' | ((input: Given) => string);

/**
 * The operator listener's operation for the act. Inputs that are not in the path are in the body, or in the query of a
 * DELETE.
 */
export interface ActOperation extends Pick<
  OperatorOperation,
  'operationId' | 'summary' | 'description' | 'problemCodes'
> {
  readonly route: `${'POST' | 'DELETE'} ${string}`;
  /** The answer of a success. */
  readonly success: readonly [status: 200 | 201, description: string, schema: TSchema];
  /** Detail of the answer for an unknown name; default: the act's own sentence. */
  readonly unknown?: string;
}

export interface Act<Map extends Inputs, View> {
  /** The words of the command. */
  readonly name: string;
  readonly right: Role;
  readonly about: string;
  /** In the order of the help; an argument without an option comes first. */
  readonly input: Map;
  readonly examples: readonly string[];
  readonly audit: Audit<InputOf<Map>>;
  /** Detects bad usage before anything is opened. */
  readonly check?: (input: InputOf<Map>) => Wrong | undefined;
  readonly run: (ports: ActPorts, input: InputOf<Map>) => Promise<Outcome<View>>;
  readonly print: Print<View, InputOf<Map>>;
  /** The document of `--json`; the view unless given. */
  readonly document?: (view: View) => unknown;
  readonly http?: ActOperation;
}

/** A row of a list of acts. */
export type AnyAct = Act<Inputs, unknown>;

/** A row that keeps its name as a type. */
export type NamedAct<Name extends string> = AnyAct & { readonly name: Name };

/** Checks a row against its own input type; the rows of a list share one type. */
export function act<const Map extends Inputs, View, const Name extends string>(
  row: Act<Map, View> & { readonly name: Name },
): Act<Map, View> & NamedAct<Name> {
  return row as unknown as Act<Map, View> & NamedAct<Name>;
}
