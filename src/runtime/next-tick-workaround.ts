/**
 * Keeps `process.nextTick` fast. Each call makes an object with computed keys; V8 writes them inline only while the
 * hidden class that it saw first is alive, and nothing but such objects keeps it alive. A full garbage collection in a
 * moment without one, as while a catalogue loads, makes every later call five times slower for as long as the process
 * runs: a tenth of what an answer costs (docs/decisions/023-cheaper-answers.md). One object that stays prevents that.
 */
import { executionAsyncResource } from 'node:async_hooks';

let kept: object | undefined;

/** To be called when a thread begins to serve, before it makes much garbage. Again changes nothing. */
export function keepTickShape(): void {
  process.nextTick(() => (kept ??= executionAsyncResource()));
}

/** The object that is kept; undefined before the turn after `keepTickShape`. */
export function keptTick(): object | undefined {
  return kept;
}
