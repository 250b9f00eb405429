/**
 * Ids of supply messages: in the order of time as text, so that a table by id is a table by age.
 */
import { type Random, randomBase62 } from '../runtime/random-text.ts';

const TIME_DIGITS = 9;
const COUNT_DIGITS = 3;
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

/** Ids of one process: those of one millisecond are counted, so that they keep their order. */
export function makeMessageIds(randomText: () => string): (receivedAtMs: number) => string {
  let lastMs = 0;
  let count = 0;
  return (receivedAtMs) => {
    count = receivedAtMs === lastMs ? count + 1 : 0;
    lastMs = receivedAtMs;
    return formatMessageId(receivedAtMs, digits(count, COUNT_DIGITS) + randomText());
  };
}

/** `makeMessageIds` with random text from `random`. */
export function randomMessageIds(random: Random): (receivedAtMs: number) => string {
  return makeMessageIds(() => randomBase62(RANDOM_LENGTH, random));
}

function digits(value: number, length: number): string {
  return Math.floor(value).toString(RADIX).padStart(length, '0');
}
