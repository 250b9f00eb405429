/**
 * SIGTERM and SIGINT: the first asks for a drain, the second for an end at once.
 */

/**
 * Ctrl-C reaches every process of the terminal, and `npm` and our launcher pass on what they get: one key press can
 * arrive twice, milliseconds apart. No person presses again that fast.
 */
const REPEAT_IGNORED_MS = 100;

const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof SIGNAL_NUMBERS;

/** Resolves with the first signal; with the second, `beforeExit` runs and the process ends as a shell expects. */
export async function awaitStopSignal(beforeExit: () => void): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = (signal: StopSignal): void => {
      const nowMs = performance.now();
      if (firstAtMs === undefined) {
        firstAtMs = nowMs;
        resolve(signal);
      } else if (nowMs - firstAtMs > REPEAT_IGNORED_MS) {
        beforeExit();
        process.exit(128 + SIGNAL_NUMBERS[signal]);
      }
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
