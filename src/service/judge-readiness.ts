/** Whether what is held in memory is fresh enough to answer from, judged by the older of access and the catalogue. */
import type { Freshness, ListenerFreshness } from '../following/follower.ts';
import type { Readiness } from '../runtime/readiness.ts';

export function judgeReadiness(freshness: Freshness, stalenessMaxSeconds: number): Readiness {
  const { ready, access, catalogue } = freshness;
  if (!ready) return { reason: 'the catalogue is still being read into memory' };
  return (
    findStale('access', access, stalenessMaxSeconds) ??
    findStale('the catalogue', catalogue, stalenessMaxSeconds) ??
    'ready'
  );
}

function findStale(
  what: string,
  { ageMs, problem }: ListenerFreshness,
  stalenessMaxSeconds: number,
): { readonly reason: string } | undefined {
  if (ageMs <= stalenessMaxSeconds * 1000) return undefined;
  const reason = problem ?? 'the database does not answer';
  return { reason: `${what} could not be followed for ${Math.floor(ageMs / 1000)} seconds: ${reason}` };
}
