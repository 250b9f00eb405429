/**
 * Characters that turn the direction of writing (Unicode Bidirectional Algorithm): embeddings, overrides and isolates.
 * A text with one of them is shown in another order than it is stored, and turns the texts beside it. The marks U+200E,
 * U+200F and U+061C stand in real Arabic and Hebrew names and turn no letter: they are left where they are.
 */
import { Wrong } from './wrong.ts';

const TURNING = '[\\u202a-\\u202e\\u2066-\\u2069]';
const FIRST = new RegExp(TURNING);
const ALL = new RegExp(TURNING, 'g');

/** Why a typed text is refused, naming the first such character; undefined if it holds none. */
export function findDirectionProblem(text: string): Wrong | undefined {
  const found = FIRST.exec(text);
  if (found === null) return undefined;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase();
  return new Wrong('turnsDirection', { code });
}

/** The text without them, as pages show it: its own letters give it its direction. */
export function withoutTurning(text: string): string {
  return FIRST.test(text) ? text.replaceAll(ALL, '') : text;
}
