/**
 * Preloaded (`--import`) into a service whose counting is switched off and on: where it asks for
 * `operator/activity/activity.ts` it gets one that asks first whether to count. Nothing else differs, and the service itself
 * knows nothing of it.
 */
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { obeyOrders } from '../machine/channel.ts';
import { DIAGNOSTICS } from '../machine/diagnostics.ts';

const COUNTING = new URL('../../src/operator/activity/activity.ts', import.meta.url).href;
const SWITCHED = new URL('./switched-activity.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === COUNTING ? { ...found, url: SWITCHED } : found;
  },
});

if (isMainThread) {
  const { switchCounting } = await import('./switched-activity.ts');
  // As in `machine/diagnostics-preload.ts`.
  obeyOrders({ ...DIAGNOSTICS, switchCounting }, () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}
