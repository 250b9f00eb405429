/**
 * Preloaded (`--import`) into a service that is measured without counting: where it asks for `activity/activity.ts` it
 * gets one that counts nothing. Nothing else differs, and the service itself knows nothing of it.
 */
import { registerHooks } from 'node:module';

const COUNTING = new URL('../../src/activity/activity.ts', import.meta.url).href;
const NOT_COUNTING = new URL('./uncounted-activity.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === COUNTING ? { ...found, url: NOT_COUNTING } : found;
  },
});

await import('../machine/diagnostics-preload.ts');
