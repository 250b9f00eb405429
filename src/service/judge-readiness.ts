/** When a process may answer partners. */
import type { Follower } from '../following/follower.ts';
import type { Readiness } from '../runtime/readiness.ts';

/** Not ready before the catalogue is in memory, and no longer when the database was silent for too long. */
export function judgeReadiness(follower: Follower, stalenessMaxSeconds: number): Readiness {
  const { ready, contactAgeMs } = follower.freshness();
  if (!ready) return { reason: 'the catalogue is still being read into memory' };
  if (contactAgeMs <= stalenessMaxSeconds * 1000) return 'ready';
  return { reason: `the database has not answered for ${Math.floor(contactAgeMs / 1000)} seconds` };
}
