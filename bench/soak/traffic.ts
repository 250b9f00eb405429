/** Everything at once, at rates that do not change: partners, travellers, the operator's systems, and access. */
import { inEnglish } from '../../src/domain/wrong.ts';
import { Agent, request as httpRequest } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline as pour } from 'node:stream/promises';
import { issueCredential, revokeCredential } from '../../src/access/credential-changes.ts';
import { calendarRanges } from '../../src/domain/calendar.ts';
import { type EpochDay, formatLocalDate } from '../../src/domain/local-date.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { formatPropertyDocument } from '../../src/supply/native/format-property-document.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import { seedRandom } from '../measure/random.ts';
import { SEED } from '../seed.ts';
import { type World, WORLD_PARTNER_IDS } from '../catalogue/world.ts';

/** How often a second each is sent. */
const RATES = {
  search: 250,
  read: 120,
  quote: 40,
  message: 40,
  document: 6,
  withdrawal: 2,
  page: 8,
  /** All properties, every 45 s. */
  import: 1 / 45,
  /** A credential is issued, and the one before it is revoked. */
  access: 1,
} as const;
export type Kind = keyof typeof RATES;

/**
 * Anything else is unexpected, but for 503 of a busy machine, which is counted apart. A read or a message may meet a
 * withdrawn property, a quote a stay that is not on offer.
 */
const EXPECTED: Readonly<Record<Kind, readonly number[]>> = {
  search: [200],
  read: [200, 404],
  quote: [201, 404, 409],
  message: [200, 400, 404],
  document: [200, 201],
  withdrawal: [200, 204, 404],
  page: [200],
  import: [200],
  access: [200],
};

const QUOTA = 120;
const SHED = 503;
const TICK_MS = 20;
/** Of one kind; what falls due beyond it is left out and counted. */
const UNDERWAY_MAX = 50;
const SOCKETS_MAX = 64;
const HANDOFFS_KEPT = 200;
const NIGHTS_AHEAD = 300;

export interface TrafficTarget {
  readonly service: RunningStayport;
  readonly storage: Storage;
  readonly world: World;
  readonly today: EpochDay;
  readonly propertyCount: number;
  readonly tokens: readonly string[];
  readonly operatorToken: string;
}

export interface TrafficCounts {
  readonly answers: Readonly<Record<Kind, number>>;
  /** By kind and status. */
  readonly unexpected: Readonly<Record<string, number>>;
  /** 503: the service sheds what a busy machine can't answer. */
  readonly shed: number;
  /** Due, but as many were under way as may be. */
  readonly leftOut: number;
}

export interface Traffic {
  readonly counts: () => TrafficCounts;
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

/** `share` of every rate, above 0 and at most 1. */
export function startTraffic(target: TrafficTarget, share: number): Traffic {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  const senders = createSenders(target, agent);
  const kinds = Object.keys(RATES) as Kind[];
  const answers = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  const sent = { ...answers };
  const underway = Object.fromEntries(kinds.map((kind) => [kind, new Set()])) as Record<Kind, Set<unknown>>;
  const unexpected: Record<string, number> = {};
  let shed = 0;
  let leftOut = 0;

  async function send(kind: Kind): Promise<void> {
    const status = await senders[kind]().catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
    answers[kind] += 1;
    if (status === SHED) shed += 1;
    if (status === SHED || EXPECTED[kind].includes(status as number)) return;
    const what = `${kind} ${status}`;
    unexpected[what] = (unexpected[what] ?? 0) + 1;
  }

  const startedAtMs = performance.now();
  const timer = setInterval(() => {
    const seconds = (performance.now() - startedAtMs) / 1000;
    for (const kind of kinds) {
      for (const due = seconds * RATES[kind] * share; sent[kind] < Math.floor(due); sent[kind] += 1) {
        if (underway[kind].size >= (kind === 'import' ? 1 : UNDERWAY_MAX)) {
          leftOut += 1;
          continue;
        }
        const sending = send(kind);
        underway[kind].add(sending);
        void sending.finally(() => underway[kind].delete(sending));
      }
    }
  }, TICK_MS);

  return {
    counts: () => ({ answers: { ...answers }, unexpected: { ...unexpected }, shed, leftOut }),
    async stop() {
      clearInterval(timer);
      await Promise.all(kinds.flatMap((kind) => [...underway[kind]]));
      agent.destroy();
    },
  };
}

type Sender = () => Promise<number>;

/** One for each kind; each answers the status. */
function createSenders(target: TrafficTarget, agent: Agent): Readonly<Record<Kind, Sender>> {
  return { ...partnerSenders(target, agent), ...supplySenders(target, agent), access: accessSender(target) };
}

type PartnerKind = 'search' | 'read' | 'quote' | 'page';

function partnerSenders(
  { service, world, today, propertyCount, tokens }: TrafficTarget,
  agent: Agent,
): Readonly<Record<PartnerKind, Sender>> {
  const random = seedRandom(SEED);
  const handoffs: string[] = [];
  const stay = () => {
    const checkIn = today + random.between(1, NIGHTS_AHEAD);
    return {
      checkIn: formatLocalDate(checkIn),
      checkOut: formatLocalDate(checkIn + random.between(1, 7)),
      guests: random.between(1, 3),
    };
  };
  const asPartner = (path: string, body?: string): Promise<Received> =>
    ask(agent, {
      port: service.port,
      method: body === undefined ? 'GET' : 'POST',
      path,
      token: random.pick(tokens),
      body,
    });
  const propertyId = (): string => world.propertyAt(random.below(propertyCount)).property.propertyId;
  return {
    async search() {
      const { checkIn, checkOut, guests } = stay();
      const city = world.places[random.below(10)]!.city;
      const dates = { checkIn, checkOut, guests: String(guests) };
      const query = new URLSearchParams({ city, pageSize: '20', ...(random.chance(0.8) ? dates : {}) });
      return (await asPartner(`/v1/properties?${query.toString()}`)).status;
    },
    async read() {
      if (random.chance(0.5)) return (await asPartner(`/v1/properties/${propertyId()}`)).status;
      const { checkIn, checkOut, guests } = stay();
      const query = `checkIn=${checkIn}&checkOut=${checkOut}&guests=${guests}`;
      return (await asPartner(`/v1/properties/${propertyId()}/availability?${query}`)).status;
    },
    async quote() {
      const body = JSON.stringify({ propertyId: propertyId(), stay: stay(), locale: 'it-IT' });
      const { status, text } = await asPartner('/v1/quotes', body);
      if (status === 201) {
        handoffs.unshift(new URL((JSON.parse(text) as { handoffUrl: string }).handoffUrl).search);
        handoffs.length = Math.min(handoffs.length, HANDOFFS_KEPT);
      }
      return status;
    },
    async page() {
      if (handoffs.length === 0) return 200;
      const path = `/handoff${random.pick(handoffs)}`;
      return (await ask(agent, { port: service.webPort, method: 'GET', path })).status;
    },
  };
}

type SupplyKind = 'message' | 'document' | 'withdrawal' | 'import';

function supplySenders(
  { service, world, today, propertyCount, operatorToken }: TrafficTarget,
  agent: Agent,
): Readonly<Record<SupplyKind, Sender>> {
  const random = seedRandom(SEED + 1);
  const withdrawn: number[] = [];
  let version = 0;
  const document = (index: number): string => {
    const { property, calendars } = world.changedAt(index, (version += 1));
    const entries = calendars.map(({ calendar }) => calendarRanges(calendar));
    return JSON.stringify(formatPropertyDocument(property, entries));
  };
  const asOperator = async (method: string, path: string, body?: string | (() => Iterable<string>)) =>
    (await ask(agent, { port: service.operatorPort, method, path, token: operatorToken, body })).status;
  const pathOf = (index: number): string =>
    `/supply/v1/properties/${world.propertyAt(index).property.propertyId}`;
  return {
    message() {
      const { propertyId } = world.propertyAt(random.below(propertyCount)).property;
      const from = today + random.below(NIGHTS_AHEAD);
      const entry = {
        propertyId,
        inventoryTypeId: 'type-0',
        dateFrom: formatLocalDate(from),
        dateTo: formatLocalDate(from + random.below(4)),
        availability: random.below(3),
        rate: `${50 + random.below(200)}.00`,
      };
      return asOperator('PATCH', '/supply/v1/calendars', JSON.stringify({ entries: [entry] }));
    },
    document() {
      const index = withdrawn.shift() ?? random.below(propertyCount);
      return asOperator('PUT', pathOf(index), document(index));
    },
    withdrawal() {
      const index = random.below(propertyCount);
      withdrawn.push(index);
      return asOperator('DELETE', pathOf(index));
    },
    import: () =>
      asOperator('POST', '/supply/v1/import', function* lines() {
        for (let index = 0; index < propertyCount; index += 1) yield `${document(index)}\n`;
      }),
  };
}

function accessSender({ storage }: TrafficTarget): Sender {
  const deps = { storage, clock: systemClock, random: systemRandom };
  let former: string | undefined;
  return async () => {
    const issued = await issueCredential(deps, { partnerId: WORLD_PARTNER_IDS[0]!, quota: QUOTA });
    if (!issued.ok) throw new Error(inEnglish(issued.problem));
    if (former !== undefined) await revokeCredential(deps, former);
    former = issued.value.credentialId;
    return 200;
  };
}

interface Asked {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly token?: string | undefined;
  /** Lines are sent one after the other, as the service reads them. */
  readonly body?: string | (() => Iterable<string>) | undefined;
}

interface Received {
  readonly status: number;
  readonly text: string;
}

function ask(agent: Agent, { port, method, path, token, body }: Asked): Promise<Received> {
  return new Promise((resolve, reject) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const isLines = typeof body === 'function';
    const type = isLines ? 'application/x-ndjson' : 'application/json';
    const headers = { ...authorization, ...(body === undefined ? {} : { 'content-type': type }) };
    const options = { agent, host: '127.0.0.1', port, method, path, headers };
    const outgoing = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.on('error', (error) => {
      // The service ends idle connections; a request that met the end of one is sent again, as browsers do.
      if (outgoing.reusedSocket && !isLines) resolve(ask(agent, { port, method, path, token, body }));
      else reject(error);
    });
    if (isLines) void pour(Readable.from(body()), outgoing).catch(reject);
    else outgoing.end(body);
  });
}
