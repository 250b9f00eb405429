/** Partners who follow the feed of changes, each on a connection, and the system that sends them changes to follow. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { obeyOrders } from '../machine/channel.ts';
import { askSupply, type SupplyTarget, untilVisible } from './supply-client.ts';

export interface FeedOrder extends SupplyTarget {
  readonly port: number;
  /** One for each follower. */
  readonly tokens: readonly string[];
}

export interface FollowOrder extends SupplyTarget {
  readonly messageEntries: number;
  readonly messagesPerSecond: number;
  readonly seconds: number;
  /** Instead of following, all together ask so often for a property. */
  readonly propertiesPerSecond?: number;
}

export interface AnswerTimes {
  /** A partner that comes back after a while: from the database. */
  readonly farMs: readonly number[];
  /** One that follows: from what was read once for all. */
  readonly nearMs: readonly number[];
}

export interface FollowReport {
  readonly answers: number;
  readonly refused: number;
  /** From when a change was sent to when it was told, each change that a watched follower was told. */
  readonly toldAfterMs: readonly number[];
}

interface ChangesAnswer {
  readonly changes: readonly { readonly propertyId: string }[];
  readonly next: string;
}

const FEED = '/feeds/v1/changes';
const ANSWER_CHANGES = 1_000;
const ANSWERS = 20;
const WATCH_EVERY = 50;
/** Until the last change is told. */
const DRAIN_MS = 1_500;
const SETTLE_MS = 1_000;
const REFUSED_PAUSE_MS = 1_000;

let sentMessages = 0;
let joined: {
  readonly feeds: Feed[];
  readonly report: { answers: number; refused: number; readonly toldAfterMs: number[] };
  readonly sentAtMs: Map<string, number[]>;
};

obeyOrders({
  /** How long each answer of a thousand changes took; none is shared, because something changes before each. */
  async answers(order: FeedOrder): Promise<AnswerTimes> {
    const feed = await openFeed(order.port, order.tokens[0]!);
    const answerTimes = async (): Promise<number[]> => {
      const { next } = JSON.parse((await feed.ask(FEED)).toString()) as ChangesAnswer;
      const changed = order.propertyIds.slice(0, ANSWER_CHANGES);
      const tookMs: number[] = [];
      for (let number = 0; number < ANSWERS; number += 1) {
        const { revision } = await sendChanges(order, number === 0 ? changed : changed.slice(0, 1));
        await untilVisible(order, revision);
        const startedAtMs = performance.now();
        const body = await feed.ask(`${FEED}?since=${next}&limit=${ANSWER_CHANGES}`);
        tookMs.push(performance.now() - startedAtMs);
        const { length } = (JSON.parse(body.toString()) as ChangesAnswer).changes;
        if (length !== ANSWER_CHANGES) throw new Error(`${length} changes`);
      }
      return tookMs;
    };
    // Before the first question of all nothing was read.
    const [farMs, nearMs] = [await answerTimes(), await answerTimes()];
    feed.socket.destroy();
    return { farMs, nearMs };
  },

  /** Everybody waits: what it takes to connect and to begin is not measured. */
  async join(order: FeedOrder & { readonly follows: boolean }): Promise<void> {
    joined = { feeds: [], report: { answers: 0, refused: 0, toldAfterMs: [] }, sentAtMs: new Map() };
    const { feeds, report, sentAtMs } = joined;
    feeds.push(...(await Promise.all(order.tokens.map((token) => openFeed(order.port, token)))));
    if (!order.follows) return;
    for (const [index, feed] of feeds.entries()) {
      const watch = index % WATCH_EVERY === 0 ? watchTold(sentAtMs, report.toldAfterMs) : undefined;
      void follow(feed, report, watch);
    }
    while (report.answers < feeds.length) await delay(10);
    await delay(SETTLE_MS);
  },

  async follow(order: FollowOrder): Promise<FollowReport> {
    const { feeds, report, sentAtMs } = joined;
    const asking = askForProperties(order, feeds, report);
    await sendInTime(order, sentAtMs);
    await asking;
    if (feeds.length > 0) await delay(DRAIN_MS);
    for (const { socket } of feeds) socket.destroy();
    return report;
  },
});

async function sendInTime(order: FollowOrder, sentAtMs: Map<string, number[]>): Promise<void> {
  const { messageEntries, messagesPerSecond, propertyIds, seconds } = order;
  const startedAtMs = performance.now();
  const sending: Promise<unknown>[] = [];
  for (let number = 0; number < messagesPerSecond * seconds; number += 1) {
    const dueAtMs = startedAtMs + (number / messagesPerSecond) * 1000;
    if (dueAtMs > performance.now()) await delay(dueAtMs - performance.now());
    // In turn: a property changes again only after all others.
    const first = number * messageEntries;
    const ids = Array.from(
      { length: messageEntries },
      (_, index) => propertyIds[(first + index) % propertyIds.length]!,
    );
    for (const propertyId of ids) {
      if (!sentAtMs.has(propertyId)) sentAtMs.set(propertyId, []);
      sentAtMs.get(propertyId)!.push(dueAtMs);
    }
    sending.push(sendChanges(order, ids));
  }
  await Promise.all(sending);
}

/** In turn, so that each connection asks as rarely as a follower. */
async function askForProperties(
  { propertiesPerSecond = 0, seconds, propertyIds }: FollowOrder,
  feeds: readonly Feed[],
  report: { answers: number },
): Promise<void> {
  const startedAtMs = performance.now();
  const path = `/v1/properties/${propertyIds[0]}`;
  for (let number = 0; number < propertiesPerSecond * seconds; number += 1) {
    const waitMs = startedAtMs + (number / propertiesPerSecond) * 1000 - performance.now();
    if (waitMs > 0) await delay(waitMs);
    void feeds[number % feeds.length]!.ask(path).then(() => (report.answers += 1));
  }
}

/** Another price each time, so that each entry is a change. */
async function sendChanges(order: SupplyTarget, propertyIds: readonly string[]) {
  sentMessages += 1;
  const night = formatLocalDate(order.today + 30);
  const rate = `${10_000 + sentMessages}.37`;
  const { inventoryTypeId } = order;
  const entries = propertyIds.map((propertyId) => ({
    propertyId,
    inventoryTypeId,
    dateFrom: night,
    dateTo: night,
    rate,
  }));
  const body = Buffer.from(JSON.stringify({ entries }));
  const answer = await askSupply(order, 'PATCH', '/supply/v1/calendars', body);
  if (answer.revision === undefined) throw new Error(`changes were refused: ${JSON.stringify(answer)}`);
  return answer;
}

/** Asks again as soon as it has an answer, until its connection is closed here. */
async function follow(
  feed: Feed,
  report: { answers: number; refused: number },
  watch?: (body: Buffer) => void,
): Promise<void> {
  let query = '';
  while (!feed.socket.destroyed) {
    const body = await feed.ask(FEED + query);
    // The end alone is read, because the load must cost less than what it measures.
    const next = /"next":"([^"]*)"/.exec(body.toString('latin1', Math.max(0, body.length - 1_000)))?.[1];
    if (next === undefined) {
      report.refused += 1;
      await delay(REFUSED_PAUSE_MS);
    } else {
      report.answers += 1;
      query = `?since=${next}&wait=20`;
      watch?.(body);
    }
  }
}

/** A change counts from its oldest message that this follower was not told about. */
function watchTold(sentAtMs: ReadonlyMap<string, readonly number[]>, toldAfterMs: number[]) {
  const toldCounts = new Map<string, number>();
  return (body: Buffer): void => {
    const nowMs = performance.now();
    for (const { propertyId } of (JSON.parse(body.toString()) as ChangesAnswer).changes) {
      const sent = sentAtMs.get(propertyId) ?? [];
      const oldest = sent[toldCounts.get(propertyId) ?? 0];
      if (oldest !== undefined) toldAfterMs.push(nowMs - oldest);
      toldCounts.set(propertyId, sent.length);
    }
  };
}

interface Feed {
  readonly socket: Socket;
  /** The body of the answer. */
  readonly ask: (path: string) => Promise<Buffer>;
}

async function openFeed(port: number, token: string): Promise<Feed> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let chunks: Buffer[] = [];
  let missing = -1;
  let answered: (body: Buffer) => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (missing < 0) {
      const all = Buffer.concat(chunks);
      const bodyAt = all.indexOf('\r\n\r\n') + 4;
      if (bodyAt < 4) return;
      const length = /\r\ncontent-length: *(\d+)/i.exec(all.toString('latin1', 0, bodyAt))?.[1];
      chunks = [all.subarray(bodyAt)];
      missing = Number(length) - chunks[0]!.length;
    } else missing -= chunk.length;
    if (missing > 0) return;
    const body = Buffer.concat(chunks);
    chunks = [];
    missing = -1;
    answered(body);
  });
  await once(socket, 'connect');
  const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n\r\n`;
  const ask = (path: string): Promise<Buffer> =>
    new Promise((resolve) => {
      answered = resolve;
      socket.write(`GET ${path} HTTP/1.1\r\n${head}`);
    });
  return { socket, ask };
}
