/**
 * Work that strangers bring in one piece is done in rounds of the event loop, so that a partner's request meanwhile
 * waits for one round and not for all of it. Two things come in one piece. Pipelined requests follow one another
 * without a pause, each as soon as the system has taken the answer before it. And where thousands of connections have
 * sent something, the loop reads them all before anything else gets its turn.
 */

/** Pipelined requests are started for so long, then everything else gets its turn. */
const ROUND_MS = 5;

/**
 * While connections arrive, work for strangers waits, at most so long at a time. Node accepts one connection in each
 * turn of the loop: in turns full of work, a partner's new connection would wait behind thousands for minutes.
 */
const ACCEPTING_MS_MAX = 100;

let arrivedCount = 0;
const ready: (() => void)[] = [];
let isStarting = false;

/** A connection was accepted. */
export function noteArrival(): void {
  arrivedCount += 1;
}

/** In the next turn of the loop in which no connection arrives. */
export function whenNobodyArrives(run: () => void): void {
  const endsAtMs = performance.now() + ACCEPTING_MS_MAX;
  let seenCount = arrivedCount;
  const look = (): void => {
    if (arrivedCount === seenCount || performance.now() > endsAtMs) return run();
    seenCount = arrivedCount;
    setImmediate(look);
  };
  setImmediate(look);
}

/** Runs `start` in a turn of the loop that has time for it, behind all that were given before. */
export function startInRound(start: () => void): void {
  ready.push(start);
  if (isStarting) return;
  isStarting = true;
  whenNobodyArrives(startReady);
}

function startReady(): void {
  const endsAtMs = performance.now() + ROUND_MS;
  let count = 0;
  while (count < ready.length && performance.now() < endsAtMs) {
    ready[count]!();
    count += 1;
  }
  ready.splice(0, count);
  isStarting = ready.length > 0;
  if (isStarting) whenNobodyArrives(startReady);
}
