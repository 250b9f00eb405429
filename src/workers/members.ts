/** What is true of all workers together, asked of each of them. */
import { mergeRequests } from '../activity/recent-requests.ts';
import type { Readiness } from '../runtime/readiness.ts';
import type { RequestFilter, RequestRow } from '../storage/activity/store.ts';
import type { Channel } from './channel.ts';
import type { Metrics } from '../service/machine.ts';

/** A worker that runs. */
export interface Member {
  readonly number: number;
  readonly channel: Channel;
  /** It accepts partners' connections. */
  isListening: boolean;
  /** Its catalogue is in memory. */
  isReady: boolean;
  /** As it last reported them. */
  metrics: Metrics;
}

/** A worker that is silent for longer is busy or stuck. */
const MEMBER_ANSWER_MS_MAX = 1_000;

/** Ready when whichever worker a partner comes to is ready. Those that did not join yet get no partners. */
export async function askReadiness(members: Iterable<Member>): Promise<Readiness> {
  const serving = [...members].filter(({ isListening }) => isListening);
  if (serving.length === 0) return { reason: 'no worker accepts connections yet' };
  const states = await Promise.all(
    serving.map(async ({ number, channel }): Promise<Readiness> => {
      const state = await inTime(channel.ask('readiness') as Promise<Readiness>);
      return state === 'ready'
        ? state
        : { reason: `worker ${number}: ${state?.reason ?? 'does not answer'}` };
    }),
  );
  return states.find((state) => state !== 'ready') ?? 'ready';
}

/** A worker that does not answer counts with its last report: a sum over all must not fall and rise again. */
export async function askMetrics(members: Iterable<Member>): Promise<readonly Metrics[]> {
  return await Promise.all(
    [...members].map(async (member) => {
      member.metrics = (await inTime(member.channel.ask('metrics') as Promise<Metrics>)) ?? member.metrics;
      return member.metrics;
    }),
  );
}

/** What a worker has that does not answer is missing. */
export async function askRequests(
  members: Iterable<Member>,
  filter: RequestFilter,
): Promise<readonly RequestRow[]> {
  const asked = [...members].map(({ channel }) =>
    inTime(channel.ask('requests', filter) as Promise<readonly RequestRow[]>),
  );
  return mergeRequests(
    (await Promise.all(asked)).map((rows) => rows ?? []),
    filter.limit,
  );
}

/** Undefined when there is no answer in time, or none at all. */
async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MEMBER_ANSWER_MS_MAX);
  });
  try {
    return await Promise.race([answer, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
