/** Forgets which partners saw properties come and go, once no cursor is so old. */
import { DAY_MS } from '../domain/local-date.ts';
import type { ChangeStore } from '../storage/catalogue/change-store.ts';
import {
  allDeleted,
  type Retention,
  type RetentionDeps,
  startRetention,
} from '../storage/tasks/retention.ts';

export interface ChangeRetentionDeps extends RetentionDeps {
  readonly storage: RetentionDeps['storage'] & Pick<ChangeStore, 'forgetViews'>;
}

const PROPERTIES_PER_SLICE = 200;
/** Clocks of several machines differ. */
const LONGER_MS = DAY_MS;

export function startChangeRetention(deps: ChangeRetentionDeps): Retention {
  const { storage, retentionDays } = deps;
  return startRetention(deps, {
    what: 'who saw properties come and go',
    sliceMax: PROPERTIES_PER_SLICE,
    deleteSlice: async (nowMs) =>
      allDeleted(await storage.forgetViews(nowMs - retentionDays * DAY_MS - LONGER_MS, PROPERTIES_PER_SLICE)),
  });
}
