/**
 * Spreads anonymous work over rounds of the event loop, so that a partner's request waits for one round only. Two kinds
 * of work come in one piece. Pipelined requests follow each other without a pause. And after thousands of connections
 * have sent something, the loop reads them all before anything else.
 */

/** Starts pipelined requests for so long, then yields. */
const ROUND_MS = 5;

/**
 * While connections arrive, anonymous work waits, at most so long at a time. Node accepts one connection in each turn
 * of the loop: in busy turns, a partner's new connection would wait behind thousands for minutes.
 */
const ACCEPTING_MS_MAX = 100;

let arrivedCount = 0;
const ready: (() => void)[] = [];
let isStarting = false;

/** A connection was accepted. */
export function noteArrival(): void {
  arrivedCount += 1;
}

/** Runs in the next turn of the loop without a new connection. */
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

/** Runs `start` in a turn of the loop with time left, after all earlier ones. */
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
