/** The feed of changes: what does an answer take, and what do a thousand who wait for it cost the searches of others? */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WAITING_PER_CREDENTIAL_MAX } from '../../src/changes/long-polls.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import { issueTokens } from '../catalogue/credentials.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { drawRequests, drawSearch } from '../load/city-requests.ts';
import { formatRequest } from '../load/recorded-answer.ts';
import { startChild } from '../machine/child.ts';
import { seedRandom } from '../measure/random.ts';
import { median, percentile } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import { SEED } from '../seed.ts';
import type { FollowOrder, FollowReport } from './changes-process.ts';
import { startOnCity } from './city-service.ts';
import { targetOf } from './supply.ts';

const FOLLOWERS = 1_000;
/** Of five credentials each. */
const PARTNERS = 10;
const MESSAGES = { messageEntries: 250, messagesPerSecond: 4 };
const SEARCHES = { requestsPerSecond: 500, connections: 50, warmUpSeconds: 1 };
const REQUESTS = 2_000;

interface Round {
  readonly alone: LoadReport;
  readonly beside: LoadReport;
  readonly followed: FollowReport;
  /** Share of its core that the service used beside followers. */
  readonly usedShare: number;
}

export const changes: Section = {
  name: 'changes',
  title: 'The feed of changes, and searches beside a thousand who follow it',
  seconds: { full: 60, quick: 30 },
  async run(context) {
    const { isQuick } = context.options;
    const city = await context.cityDatabase();
    const path = join(context.folder, 'changes.db');
    await copyFile(city.databaseUrl.replace('sqlite:', ''), path);
    const databaseUrl = `sqlite:${path}`;
    const tokens = await followersOf(databaseUrl);
    const service = await startOnCity(
      context,
      { databaseUrl },
      { environment: { MAX_CONNECTIONS_PER_ADDRESS: '0' } },
    );
    const child = startChild({
      role: 'load',
      name: 'followers',
      args: [join(import.meta.dirname, 'changes-process.ts')],
    });
    context.onEnd(() => child.stop());
    const target = await targetOf(city, databaseUrl, service);
    const seconds = isQuick ? 3 : 4;
    const order: FollowOrder = {
      ...target,
      ...MESSAGES,
      tokens,
      port: service.port,
      seconds: seconds + SEARCHES.warmUpSeconds,
    };
    const answers = await child.ask<number[]>('answers', order);
    const requests = drawRequests(seedRandom(SEED), city, drawSearch, REQUESTS).map(formatRequest);
    const searchBeside = async (followers: readonly string[]) => {
      const searching = context.load.run({ ...SEARCHES, port: service.port, seconds, requests });
      const before = await service.usage();
      const followed = await child.ask<FollowReport>('follow', { ...order, tokens: followers });
      const after = await service.usage();
      const usedShare = (after.cpuSeconds - before.cpuSeconds) / (after.uptimeSeconds - before.uptimeSeconds);
      return { searched: await searching, followed, usedShare };
    };
    const rounds: Round[] = [];
    for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
      const { searched: alone } = await searchBeside([]);
      const { searched: beside, ...others } = await searchBeside(tokens);
      rounds.push({ alone, beside, ...others });
      context.say(
        `  p99 ${alone.latencies.p99Ms.toFixed(2)} ms, beside followers ${beside.latencies.p99Ms.toFixed(2)} ms`,
      );
    }
    await child.stop();
    await service.stop();
    const { messageEntries, messagesPerSecond } = MESSAGES;
    return {
      figures: figuresOf(answers, rounds),
      notes: [
        `${messagesPerSecond} messages of ${messageEntries} changed prices and ${SEARCHES.requestsPerSecond} searches a second; ${FOLLOWERS} followers with wait=20 on ${tokens.length / WAITING_PER_CREDENTIAL_MAX} credentials.`,
        'Followers, senders and searches share the core of the load. Told: from when a message was due, at every fiftieth follower.',
      ],
      details: {
        answers,
        rounds: rounds.map(({ followed, ...round }) => ({ ...round, answers: followed.answers })),
      },
    };
  },
};

/** A token for each follower: as many share a credential as may wait with it. */
async function followersOf(databaseUrl: string): Promise<readonly string[]> {
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  try {
    const partners = Array.from({ length: PARTNERS }, (_, number) => `follower-${number}`);
    const tokens = await issueTokens(storage, partners);
    return Array.from({ length: FOLLOWERS }, (_, number) => tokens[number % tokens.length]!);
  } finally {
    await storage.close();
  }
}

function figuresOf(answers: readonly number[], rounds: readonly Round[]): Figure[] {
  const told = rounds.flatMap(({ followed }) => followed.toldAfterMs);
  const p99Of = (of: 'alone' | 'beside') => rounds.map((round) => round[of].latencies.p99Ms);
  const times = p99Of('beside').map((p99Ms, round) => p99Ms / p99Of('alone')[round]!);
  return [
    {
      what: 'an answer of 1,000 changes, median',
      value: median(answers),
      unit: 'ms',
      bar: { is: 'at most', value: 5 },
    },
    { what: 'search p99 beside changes', value: median(p99Of('alone')), unit: 'ms' },
    { what: `the same beside ${FOLLOWERS} followers`, value: median(p99Of('beside')), unit: 'ms' },
    {
      what: 'the same, against without followers',
      value: median(times),
      unit: 'ratio',
      bar: { is: 'at most', value: 1.1 },
    },
    { what: 'a change told, p50', value: percentile(told, 50), unit: 'ms' },
    {
      what: 'a change told, p99',
      value: percentile(told, 99),
      unit: 'ms',
      bar: { is: 'at most', value: 1000 },
    },
    {
      what: 'answers to followers that were refused',
      value: rounds.reduce((sum, { followed }) => sum + followed.refused, 0),
      unit: 'count',
      bar: { is: 'at most', value: 0 },
    },
    {
      what: 'share of its core that the service used',
      value: median(rounds.map(({ usedShare }) => usedShare)),
      unit: 'ratio',
    },
  ];
}
