/**
 * Ids of supply messages: in the order of time as text, so that a table by id is a table by age.
 */
import { type Random, randomBase62 } from '../../runtime/random.ts';

const TIME_DIGITS = 9;
const COUNT_DIGITS = 3;
/** The last instant that the digits can hold. */
const MESSAGE_MS_MAX = 32 ** 9 - 1;
const RADIX = 32;
/** Processes on the same database must not meet. */
const RANDOM_LENGTH = 10;

/** `sm_`, then the instant in nine digits of base 32 (enough until the year 3084), then what makes it unique. */
export function formatMessageId(receivedAtMs: number, unique: string): string {
  return `sm_${digits(receivedAtMs, TIME_DIGITS)}${unique}`;
}

/** Sorts behind every id of an earlier millisecond and before all others. */
export function firstMessageIdAt(ms: number): string {
  return formatMessageId(Math.max(0, ms), '');
}

/** The ids of messages received in this span: the first one, and the first behind them. */
export function messageIdsOf({
  sinceMs = 0,
  untilMs = MESSAGE_MS_MAX,
}: {
  readonly sinceMs?: number;
  readonly untilMs?: number;
}): readonly [string, string] {
  const at = (ms: number): string => firstMessageIdAt(Math.min(ms, MESSAGE_MS_MAX));
  return [at(sinceMs), at(untilMs)];
}

/** When the message was received; undefined for what is not such an id. */
export function parseMessageId(messageId: string): number | undefined {
  const time = /^sm_([0-9a-v]{9})/.exec(messageId)?.[1];
  return time === undefined ? undefined : Number.parseInt(time, RADIX);
}

/** Ids of one process: those of one millisecond are counted, so that they keep their order. */
export function createMessageIds(randomText: () => string): (receivedAtMs: number) => string {
  let lastMs = 0;
  let count = 0;
  return (receivedAtMs) => {
    count = receivedAtMs === lastMs ? count + 1 : 0;
    lastMs = receivedAtMs;
    return formatMessageId(receivedAtMs, digits(count, COUNT_DIGITS) + randomText());
  };
}

/** `createMessageIds` with random text from `random`. */
export function randomMessageIds(random: Random): (receivedAtMs: number) => string {
  return createMessageIds(() => randomBase62(RANDOM_LENGTH, random));
}

function digits(value: number, length: number): string {
  return Math.floor(value).toString(RADIX).padStart(length, '0');
}
