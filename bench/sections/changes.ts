/** The feed of changes: what does an answer take, and what do a thousand who wait for it cost the searches of others? */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WAITING_PER_CREDENTIAL_MAX } from '../../src/partner/changes/long-polls.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import { issueTokens } from '../catalogue/credentials.ts';
import type { Context } from '../context.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { drawRequests, drawSearch } from '../load/city-requests.ts';
import { formatRequest } from '../load/recorded-answer.ts';
import { startChild } from '../machine/child.ts';
import type { Pauses } from '../machine/pause-watch.ts';
import { seedRandom } from '../measure/random.ts';
import { median, percentile } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import { SEED } from '../seed.ts';
import type { AnswerTimes, FeedOrder, FollowOrder, FollowReport } from './changes-process.ts';
import { withBar } from './beside.ts';
import { startOnCity } from './city-service.ts';
import { targetOf } from './supply.ts';

const FOLLOWERS = 1_000;
/** Of five credentials each. */
const PARTNERS = 10;
/** Every message wakes everybody, so few changes tell what their number adds. */
const FLOWS = [
  { messageEntries: 250, messagesPerSecond: 4 },
  { messageEntries: 10, messagesPerSecond: 1 },
];
const SEARCHES = { requestsPerSecond: 500, connections: 50, warmUpSeconds: 1 };
const REQUESTS = 2_000;

interface Round {
  readonly flow: (typeof FLOWS)[number];
  readonly alone: LoadReport;
  readonly beside: LoadReport;
  /** Beside as many connections that ask for a property as often as followers are answered. */
  readonly besideOthers: LoadReport;
  readonly followed: FollowReport;
  /** Share of its core that the service used beside followers, and beside those others. */
  readonly usedShare: number;
  readonly othersShare: number;
  /** The longest of the event loop beside followers. */
  readonly pauseMs: number;
}

export const changes: Section = {
  name: 'changes',
  title: 'The feed of changes, and searches beside a thousand who follow it',
  seconds: { full: 150, quick: 60 },
  async run(context) {
    const scene = await startScene(context);
    const answers = await scene.child.ask<AnswerTimes>('answers', scene.order);
    const rounds: Round[] = [];
    for (let round = 0; round < (context.options.isQuick ? 1 : 3); round += 1) {
      for (const flow of FLOWS) {
        const { searched: alone } = await measure(scene, { flow, tokens: [] });
        const { tokens } = scene.order;
        const { searched: beside, ...measured } = await measure(scene, { flow, tokens, follows: true });
        const propertiesPerSecond = Math.round(measured.followed.answers / flowSeconds(scene));
        const others = await measure(scene, { flow, tokens, propertiesPerSecond });
        const { searched: besideOthers, usedShare: othersShare } = others;
        rounds.push({ flow, alone, beside, besideOthers, othersShare, ...measured });
        const [p99Ms, besideMs, othersMs] = [alone, beside, besideOthers].map(({ latencies }) =>
          latencies.p99Ms.toFixed(2),
        );
        context.say(`  p99 ${p99Ms} ms, beside followers ${besideMs} ms, beside others ${othersMs} ms`);
      }
    }
    await scene.child.stop();
    await scene.service.stop();
    const ofFlow = (flow: Round['flow']) => rounds.filter((round) => round.flow === flow);
    return {
      figures: [
        withBar('an answer of 1,000 changes, median', 'ms', median(answers.nearMs), 5),
        withBar('the same after a while away, median', 'ms', median(answers.farMs), 5),
        ...FLOWS.flatMap((flow) => figuresOf(flow, ofFlow(flow))),
      ],
      notes: [
        `${SEARCHES.requestsPerSecond} searches a second; 1,000 changes a second come in four messages, 10 in one.`,
        `Followers ask with wait=20, ${WAITING_PER_CREDENTIAL_MAX} with each credential. They share the core of the load with senders and searches.`,
        'Told: from when a message was due, at every fiftieth follower.',
      ],
      details: {
        answers,
        rounds: rounds.map(({ followed, ...round }) => ({ ...round, answers: followed.answers })),
      },
    };
  },
};

type Scene = Awaited<ReturnType<typeof startScene>>;

async function startScene(context: Context) {
  const city = await context.cityDatabase();
  const path = join(context.folder, 'changes.db');
  await copyFile(city.databaseUrl.replace('sqlite:', ''), path);
  const databaseUrl = `sqlite:${path}`;
  const tokens = await followersOf(databaseUrl);
  const environment = { MAX_CONNECTIONS_PER_ADDRESS: '0' };
  const service = await startOnCity(context, { databaseUrl }, { environment });
  const args = [join(import.meta.dirname, 'changes-process.ts')];
  const child = startChild({ role: 'load', name: 'followers', args });
  context.onEnd(() => child.stop());
  const target = await targetOf(city, databaseUrl, service);
  const order: FeedOrder = { ...target, tokens, port: service.port };
  const requests = drawRequests(seedRandom(SEED), city, drawSearch, REQUESTS).map(formatRequest);
  const search = { ...SEARCHES, port: service.port, requests, seconds: context.options.isQuick ? 2 : 5 };
  return { load: context.load, service, child, order, search };
}

interface Measurement {
  readonly flow: Round['flow'];
  readonly tokens: readonly string[];
  readonly follows?: boolean;
  readonly propertiesPerSecond?: number;
}

const flowSeconds = ({ search }: Scene): number => search.seconds + search.warmUpSeconds;

async function measure(
  scene: Scene,
  { flow, tokens, follows = false, propertiesPerSecond = 0 }: Measurement,
) {
  const { load, service, child, order, search } = scene;
  await child.ask('join', { ...order, tokens, follows });
  await service.child.ask('watchPauses');
  const searching = load.run(search);
  const before = await service.usage();
  const seconds = flowSeconds(scene);
  const follow: FollowOrder = { ...order, ...flow, seconds, propertiesPerSecond };
  const followed = await child.ask<FollowReport>('follow', follow);
  const after = await service.usage();
  const pauses = await service.child.ask<Pauses>('readPauses');
  const usedShare = (after.cpuSeconds - before.cpuSeconds) / (after.uptimeSeconds - before.uptimeSeconds);
  return { searched: await searching, followed, usedShare, pauseMs: pauses.maxMs };
}

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

function figuresOf(flow: Round['flow'], rounds: readonly Round[]): Figure[] {
  const rate = `${flow.messageEntries * flow.messagesPerSecond} changes/s`;
  const told = rounds.flatMap(({ followed }) => followed.toldAfterMs);
  const p99Of = (of: 'alone' | 'beside' | 'besideOthers') => rounds.map((round) => round[of].latencies.p99Ms);
  const times = p99Of('beside').map((p99Ms, round) => p99Ms / p99Of('alone')[round]!);
  const refused = rounds.reduce((sum, { followed }) => sum + followed.refused, 0);
  const shareOf = (of: 'usedShare' | 'othersShare') => median(rounds.map((round) => round[of]));
  const pauseMs = median(rounds.map((round) => round.pauseMs));
  return [
    withBar(`${rate}: search p99 without followers`, 'ms', median(p99Of('alone'))),
    withBar(`${rate}: search p99 beside ${FOLLOWERS} followers`, 'ms', median(p99Of('beside'))),
    withBar(`${rate}: the same, against without followers`, 'ratio', median(times), 1.1),
    withBar(
      `${rate}: search p99 beside as many that ask for a property as often`,
      'ms',
      median(p99Of('besideOthers')),
    ),
    withBar(`${rate}: told after, p50`, 'ms', percentile(told, 50)),
    withBar(`${rate}: told after, p99`, 'ms', percentile(told, 99), 1000),
    withBar(`${rate}: followers' requests refused`, 'count', refused, 0),
    withBar(`${rate}: longest pause of the event loop beside them`, 'ms', pauseMs),
    withBar(`${rate}: share of its core that the service used beside them`, 'ratio', shareOf('usedShare')),
    withBar(`${rate}: the same, beside as many that ask for a property`, 'ratio', shareOf('othersShare')),
  ];
}
