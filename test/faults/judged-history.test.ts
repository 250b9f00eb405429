/**
 * A history of three real processes on one PostgreSQL, held against the rules of the stories (`test/simulation`): each
 * answer is that of one whole state, no older than a second, and what one process has shown never goes back; every
 * quote that was acknowledged is stored. Meanwhile one process is killed, and then the database.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import { daysAhead, type Line, nights } from '../kit/catalogue-lines.ts';
import { seededRandom } from '../kit/catalogue-samples.ts';
import { type RunningServer, startServer, until, Workplace } from '../kit/command-line.ts';
import { closeConnections, exchange } from '../kit/http-exchange.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';
import { callSupply } from '../kit/supply-client.ts';
import { documentOf } from '../simulation/base.ts';
import { priceIn } from '../simulation/judge.ts';
import { applyIntent, type SentIntent, type State } from '../simulation/known-truth.ts';
import { seenBy } from '../simulation/seen.ts';

const PROPERTIES = ['p1', 'p2', 'p3', 'p4'] as const;
const PROCESSES = 3;
const STAY = { checkIn: daysAhead(3), checkOut: daysAhead(5), guests: 2 };
/** In the time that a process has to follow a change. */
const FOLLOWED_MS = 1_000;
/** Beyond it, for the way of an answer on a busy machine. */
const SLACK_MS = 500;
/** After the database is back, until a process follows again. */
const SETTLED_MS = 15_000;
const PAUSE_MS = 15;
const SEED = 20_261_127;
/** Between one fault and the next. */
const CALM_MS = 4_000;

/** The states of the truth in order; a message may have been applied as soon as it was sent. */
class History {
  readonly #states: { readonly state: State; readonly sentAtMs: number; ackedAtMs: number }[] = [
    { state: new Map(), sentAtMs: -Infinity, ackedAtMs: -Infinity },
  ];
  /** Times in which the database was away, or a process could not follow yet. */
  readonly #disturbed: { readonly fromMs: number; untilMs: number }[] = [];

  get newest(): State {
    return this.#states.at(-1)!.state;
  }

  get count(): number {
    return this.#states.length - 1;
  }

  /** The one writer sends it now. */
  send(intent: SentIntent): void {
    const revision = this.#states.length;
    const state = applyIntent(this.newest, intent);
    for (const [id, known] of state) if (known !== this.newest.get(id)) state.set(id, { ...known, revision });
    this.#states.push({ state, sentAtMs: performance.now(), ackedAtMs: Infinity });
  }

  acknowledge(): void {
    this.#states.at(-1)!.ackedAtMs = performance.now();
  }

  disturb(): void {
    this.#disturbed.push({ fromMs: performance.now(), untilMs: Infinity });
  }

  calm(): void {
    this.#disturbed.at(-1)!.untilMs = performance.now() + SETTLED_MS;
  }

  /** The first and the last state that an answer of this time may show, at most so old. */
  between(startMs: number, endMs: number, ageMs: number): readonly [first: number, last: number] {
    let beforeMs = startMs - ageMs;
    for (const { fromMs, untilMs } of this.#disturbed)
      if (ageMs > 0 && fromMs < startMs && untilMs > beforeMs) beforeMs = Math.min(beforeMs, fromMs - ageMs);
    return [
      this.#states.findLastIndex(({ ackedAtMs }) => ackedAtMs <= beforeMs),
      this.#states.findLastIndex(({ sentAtMs }) => sentAtMs <= endMs),
    ];
  }

  stateAt(index: number): State {
    return this.#states[index]!.state;
  }
}

/** By property: the total of the stay, or the code of a refusal; as one state has it for a partner. */
function pricesIn(state: State, partnerId: string): string {
  return PROPERTIES.map((id) => priceIn(seenBy(partnerId, state.get(id)))).join(' ');
}

function namesIn(state: State, partnerId: string): string {
  const open = PROPERTIES.map((id) => seenBy(partnerId, state.get(id))).filter((seen) => seen?.isOpen);
  return open.map((seen) => seen!.name).join(', ');
}

interface Held {
  readonly partnerId: string;
  readonly token: string;
}

describe('A history of three processes on PostgreSQL', { skip: postgresMissing() }, () => {
  const history = new History();
  const random = seededRandom(SEED);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const wrongs: string[] = [];
  const counts = { messages: 0, reads: 0, quotes: 0, unanswered: 0 };
  const quoteIds: string[] = [];
  let postgres: PostgresServer;
  let workplace: Workplace;
  let databaseUrl: string;
  let servers: RunningServer[];
  let held: readonly Held[];
  let tokens: Readonly<Record<'pms' | 'channel', string>>;
  let isOver = false;

  before(async () => {
    postgres = await startPostgres();
    databaseUrl = await postgres.createDatabase();
    workplace = new Workplace({ DATABASE_URL: databaseUrl, INGRESS_LIMIT: '0', LOG_LEVEL: 'error' });
    await workplace.json(['migrate']);
    const issue = async (partnerId: string): Promise<Held> => {
      await workplace.json(['partner', 'create', '--name', partnerId, '--partner-id', partnerId]);
      const scopes = ['properties:read', 'availability:read', 'quotes:write', 'prices:read'];
      const args = ['credential', 'issue', '--partner', partnerId, '--quota', '1000000'];
      const { token } = await workplace.json([...args, ...scopes.flatMap((scope) => ['--scope', scope])]);
      return { partnerId, token };
    };
    held = [await issue('acme'), await issue('beta')];
    const operatorToken = async (source: string): Promise<string> =>
      (await workplace.json(['operator-token', 'issue', '--name', source, '--source', source])).token;
    tokens = { pms: await operatorToken('pms'), channel: await operatorToken('channel') };
    servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServer(workplace)));
  });
  after(async () => {
    isOver = true;
    closeConnections();
    await workplace?.remove();
    await postgres?.close();
  });

  // The writer: one message at a time, again with the same key until it is acknowledged.

  const rateOf = (): number => 10_000 + 100 * history.count;

  function nextIntent(): SentIntent {
    const propertyId = pick(PROPERTIES);
    const before = history.newest.get(propertyId);
    const isThere = before !== undefined && !before.isWithdrawn;
    const draw = random();
    if (isThere && draw < 0.1) return { kind: 'withdrawal', propertyId };
    if (isThere && draw < 0.7) {
      const source = draw < 0.2 ? 'channel' : 'pms';
      const units = Math.floor(random() * 3);
      const entry = { propertyId, units, ...(source === 'pms' && { rate: rateOf() }) };
      return { kind: 'calendars', source, entries: [entry] };
    }
    const visibleTo = pick([['acme'], ['beta'], ['acme', 'beta'], []]);
    const open = isThere ? {} : { open: { units: 2, rate: rateOf() } };
    const name = `${propertyId} ${history.count + 1}`;
    const terms = { hasDiscount: random() < 0.3, shape: 0 };
    return { kind: 'document', propertyId, name, visibleTo, isForAll: random() < 0.2, terms, ...open };
  }

  const calendarOf = (units: number, rate?: number): Line =>
    nights(daysAhead(2), daysAhead(20), {
      availability: units,
      ...(rate !== undefined && { rate: (rate / 100).toFixed(2) }),
    });

  function requestOf(
    intent: SentIntent,
  ): readonly [method: string, path: string, source: 'pms' | 'channel', body?: unknown] {
    if (intent.kind === 'withdrawal') return ['DELETE', `properties/${intent.propertyId}`, 'pms'];
    if (intent.kind === 'calendars') {
      const entries = intent.entries.map(({ propertyId, units, rate }) => ({
        propertyId,
        inventoryTypeId: 'double',
        ...calendarOf(units, rate),
      }));
      return ['PATCH', 'calendars', intent.source as 'pms' | 'channel', { entries }];
    }
    return ['PUT', `properties/${intent.propertyId}`, 'pms', documentOf(intent, { calendarOf })];
  }

  async function write(): Promise<void> {
    while (!isOver) {
      const intent = nextIntent();
      const [method, path, source, body] = requestOf(intent);
      const headers = { 'idempotency-key': `message-${(counts.messages += 1)}` };
      history.send(intent);
      for (let tries = counts.messages; ; tries += 1) {
        const { operatorUrl } = servers[tries % servers.length]!;
        const call = { token: tokens[source], headers, ...(body !== undefined && { body }) };
        const answer = await callSupply(operatorUrl, method, path, call).catch(() => undefined);
        if (answer !== undefined && answer.status < 300) break;
        if (answer !== undefined && answer.status < 500 && answer.status !== 429)
          wrongs.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        await sleep(50);
      }
      history.acknowledge();
      await sleep(PAUSE_MS * 4);
    }
  }

  // Readers: one after the other on each process, as one connection would.

  async function read(place: number, { partnerId, token }: Held): Promise<void> {
    /** The oldest state that the last answer can have been of. */
    let shown = 0;
    let shownBy: RunningServer | undefined;
    for (let turn = 0; !isOver; turn += 1) {
      const server = servers[place]!;
      if (server !== shownBy) [shownBy, shown] = [server, 0];
      const isList = turn % 2 === 0;
      const startMs = performance.now();
      const said = await (isList ? listed(server, token) : priced(server, token)).catch(() => undefined);
      const endMs = performance.now();
      await sleep(PAUSE_MS);
      if (said === undefined || servers[place] !== server) {
        counts.unanswered += 1;
        continue;
      }
      counts.reads += 1;
      const inState = isList ? namesIn : pricesIn;
      const [first, last] = history.between(startMs, endMs, FOLLOWED_MS + SLACK_MS);
      const oldest = Math.max(first, shown);
      const found = indexesFrom(oldest, last).find(
        (index) => inState(history.stateAt(index), partnerId) === said,
      );
      if (found !== undefined) shown = found;
      else
        wrongs.push(
          `process ${place} answers ${partnerId} "${said}"; states ${oldest} (shown ${shown}) to ${last} say ` +
            `"${inState(history.stateAt(oldest), partnerId)}" to "${inState(history.stateAt(last), partnerId)}"`,
        );
    }
  }

  const indexesFrom = (first: number, last: number) =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_none, index) => first + index);

  async function ask(server: RunningServer, token: string, path: string, body?: unknown) {
    const received = await exchange(server.partnerUrl, {
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: received.status, body: JSON.parse(Buffer.from(received.body).toString('utf8')) };
  }

  async function listed(server: RunningServer, token: string): Promise<string | undefined> {
    const stay = `checkIn=${STAY.checkIn}&checkOut=${STAY.checkOut}&guests=${STAY.guests}`;
    const { status, body } = await ask(server, token, `/v1/properties?city=Venezia&pageSize=20&${stay}`);
    if (status !== 200) return refusedFor(status, body);
    const items = body.items as readonly { readonly propertyId: string; readonly name: string }[];
    return items
      .toSorted((a, b) => (a.propertyId < b.propertyId ? -1 : 1))
      .map(({ name }) => name)
      .join(', ');
  }

  async function priced(server: RunningServer, token: string): Promise<string | undefined> {
    const { status, body } = await ask(server, token, '/prices/v1/stays', {
      propertyIds: PROPERTIES,
      stay: STAY,
    });
    if (status !== 200) return refusedFor(status, body);
    const items = body.items as readonly {
      readonly code: string | null;
      readonly pricing: { total: string } | null;
    }[];
    return items.map(({ code, pricing }) => code ?? pricing!.total).join(' ');
  }

  /** A process without its database, or one that starts, may say so; anything else is wrong. */
  function refusedFor(status: number, body: unknown): undefined {
    if (status !== 503) wrongs.push(`${status} ${JSON.stringify(body)}`);
  }

  async function quote(place: number): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      const { partnerId, token } = held[turn % held.length]!;
      const propertyId = PROPERTIES[(turn + place) % PROPERTIES.length]!;
      const startMs = performance.now();
      const body = { propertyId, stay: STAY, locale: 'it-IT' };
      const answer = await ask(servers[place]!, token, '/v1/quotes', body).catch(() => undefined);
      const endMs = performance.now();
      await sleep(PAUSE_MS);
      if (answer === undefined || answer.status === 503) {
        counts.unanswered += 1;
        continue;
      }
      counts.quotes += 1;
      const isMade = answer.status === 201;
      if (isMade) quoteIds.push(answer.body.quoteId);
      const said: string = isMade ? answer.body.pricing.total : answer.body.code;
      // Made of the database's own rows; a refusal may come from memory.
      const [first, last] = history.between(startMs, endMs, isMade ? 0 : FOLLOWED_MS + SLACK_MS);
      const isRight = indexesFrom(first, last).some(
        (index) => priceIn(seenBy(partnerId, history.stateAt(index).get(propertyId))) === said,
      );
      if (!isRight)
        wrongs.push(
          `process ${place} quotes ${partnerId} ${said} for ${propertyId}, states ${first} to ${last}`,
        );
    }
  }

  it('is one that the rules allow, while a process and the database are killed', async (test) => {
    const writing = write();
    await until(async () => history.count > 8);
    const working = [
      writing,
      ...servers.flatMap((_server, place) => [...held.map((one) => read(place, one)), quote(place)]),
    ];
    await sleep(CALM_MS);
    const killed = servers[1]!;
    killed.child.kill('SIGKILL');
    await killed.ended;
    await sleep(CALM_MS / 2);
    servers[1] = await startServer(workplace);
    await sleep(CALM_MS);
    history.disturb();
    await postgres.kill();
    await sleep(CALM_MS / 4);
    await postgres.start();
    history.calm();
    await sleep(SETTLED_MS + CALM_MS);
    isOver = true;
    await Promise.all(working);
    test.diagnostic(JSON.stringify({ ...counts, states: history.count, quoteIds: quoteIds.length }));
    assert.deepEqual(wrongs.slice(0, 5), []);
    assert.ok(counts.reads > 500 && history.count > 60 && quoteIds.length > 50, JSON.stringify(counts));
  });

  it('has every quote that was acknowledged', async () => {
    const storage = await openStorage(databaseUrl, { clock: systemClock });
    const found = await Promise.all(quoteIds.map((quoteId) => storage.findQuote(quoteId)));
    await storage.close();
    assert.deepEqual(
      quoteIds.filter((_quoteId, index) => found[index] === undefined),
      [],
    );
  });

  it('ends with the same answers of all processes, those of the newest state', async () => {
    for (const [place, server] of servers.entries())
      for (const { partnerId, token } of held) {
        const wanted = [namesIn(history.newest, partnerId), pricesIn(history.newest, partnerId)];
        const said = async () => [await listed(server, token), await priced(server, token)];
        await until(async () => String(await said()) === String(wanted), SETTLED_MS).catch(async () =>
          assert.deepEqual(await said(), wanted, `process ${place}, ${partnerId}`),
        );
      }
    assert.deepEqual(wrongs, []);
  });
});
