/** Facts about all workers together, asked of each of them. */
import { mergeRequests } from '../../operator/activity/recent-requests.ts';
import { inBoth, isSayable, Wrong, type WrongValue } from '../../domain/wrong.ts';
import type { NotReady, Readiness } from '../../runtime/readiness.ts';
import type { RequestFilter, RequestRow } from '../../storage/activity/store.ts';
import type { Channel } from './channel.ts';
import type { Metrics } from '../service/context/machine.ts';
import { inTime } from '../../runtime/time-limit.ts';

/** A running worker. */
export interface Member {
  readonly number: number;
  readonly channel: Channel;
  /** It accepts partners' connections. */
  isListening: boolean;
  /** Its catalogue is in memory. */
  isReady: boolean;
  /** Its last report. */
  metrics: Metrics;
}

/** A worker that is silent for longer is busy or stuck. */
const MEMBER_ANSWER_MS_MAX = 1_000;

/** Ready when every joined worker is ready. Others get no partners yet. */
export async function askReadiness(members: Iterable<Member>): Promise<Readiness> {
  const serving = [...members].filter(({ isListening }) => isListening);
  if (serving.length === 0) return inBoth(new Wrong('noWorker'));
  const states = await Promise.all(
    serving.map(async ({ number, channel }): Promise<Readiness> => {
      const state = await answerInTime(channel.ask('readiness') as Promise<Readiness>);
      return state === 'ready' ? state : inBoth(new Wrong('ofWorker', { number, why: whyNot(state) }));
    }),
  );
  return states.find((state) => state !== 'ready') ?? 'ready';
}

function whyNot(state: NotReady | undefined): WrongValue {
  if (state === undefined) return new Wrong('workerSilent');
  return isSayable(state.wrong) ? state.wrong : state.reason;
}

/** A silent worker counts with its last report: a sum must not fall and rise again. */
export async function askMetrics(members: Iterable<Member>): Promise<readonly Metrics[]> {
  return await Promise.all(
    [...members].map(async (member) => {
      member.metrics =
        (await answerInTime(member.channel.ask('metrics') as Promise<Metrics>)) ?? member.metrics;
      return member.metrics;
    }),
  );
}

/** Leaves out silent workers. */
export async function askRequests(
  members: Iterable<Member>,
  filter: RequestFilter,
): Promise<readonly RequestRow[]> {
  const asked = [...members].map(({ channel }) =>
    answerInTime(channel.ask('requests', filter) as Promise<readonly RequestRow[]>),
  );
  return mergeRequests(
    (await Promise.all(asked)).map((rows) => rows ?? []),
    filter.limit,
  );
}

/** Undefined: no answer in time, or an error. */
function answerInTime<T>(answer: Promise<T>): Promise<T | undefined> {
  return inTime(answer, MEMBER_ANSWER_MS_MAX, () => undefined).catch(() => undefined);
}
