/** In the place of `src/operator/activity/activity.ts`: the same counting, which the benchmark switches off and on. */
import type { Activity, ActivityDeps, startActivity as Start } from '../../src/operator/activity/activity.ts';

/** The query keeps the hook of `switched-preload.ts` from bringing this file here again. */
const { startActivity: startReal } = (await import(
  new URL('../../src/operator/activity/activity.ts?real', import.meta.url).href
)) as { readonly startActivity: typeof Start };

let isCounting = true;

export function switchCounting(isOn: boolean): void {
  isCounting = isOn;
}

export function startActivity(deps: ActivityDeps): Activity {
  const real = startReal(deps);
  return {
    ...real,
    answered(request, asker, status, code, durationMs) {
      if (isCounting) real.answered(request, asker, status, code, durationMs);
    },
  };
}
