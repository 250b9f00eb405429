/** Preloaded into a service: with each SIGUSR2 its wall clock is CLOCK_AHEAD_MS further ahead. */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const now = Date.now;
  const stepMs = Number(process.env['CLOCK_AHEAD_MS']);
  let aheadMs = 0;
  Date.now = () => now() + aheadMs;
  process.on('SIGUSR2', () => (aheadMs += stepMs));
}
