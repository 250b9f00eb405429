/** A partner server for tests: real in every part, but for the catalogue and the quotes behind it. */
import type { Found } from '../../src/domain/found-markets.ts';
import type { ActPorts } from '../../src/operator/acts/act.ts';
import type { SupplyContext } from '../../src/supply/messages/supply-context.ts';
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { checkAnswer } from './response-check.ts';
import { ALL_OPERATIONS } from '../../src/contract/partner/extra-operations.ts';
import { buildRouter } from '../../src/contract/reading/router.ts';
import { type ByteText, readByteText } from '../../src/read-model/catalogue/bodies/byte-text.ts';
import type { ReadModel } from '../../src/read-model/catalogue/read-model.ts';
import { createOwnLimits } from '../../src/limits/own-limits.ts';
import { createWebMeter } from '../../src/http/observability/metrics/web-families.ts';
import {
  createOutcomeMeter,
  createRequestMeter,
} from '../../src/http/observability/metrics/request-meter.ts';
import { buildAccessDirectory } from '../../src/access/access-directory.ts';
import { sampleCredential, sampleOperatorToken, samplePartner } from '../suites/storage/sample-rows.ts';
import { hashToken, mintToken } from '../../src/access/token.ts';
import { OPERATOR_SCOPE_NAMES } from '../../src/contract/operator/operator-scopes.ts';
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import type {
  AccessRows,
  CredentialRow,
  OperatorTokenRow,
  PartnerRow,
} from '../../src/storage/access/store.ts';
import type { CreateQuote } from '../../src/partner/http/partner-exchange.ts';
import type { SandboxBackend } from '../../src/partner/http/sandbox-hook.ts';
import {
  buildOperatorServer,
  type OperatorServerDeps,
  type OperatorServerSettings,
} from '../../src/operator/listener/operator-server.ts';
import {
  buildPartnerServer,
  type PartnerServerDeps,
  type PartnerServerSettings,
} from '../../src/partner/http/partner-server.ts';
import type { ChangeFeed } from '../../src/partner/changes/change-feed.ts';
import { LongPolls } from '../../src/partner/changes/long-polls.ts';
import { Catalogue } from '../../src/read-model/catalogue/catalogue.ts';
import { createWaitingBudget } from '../../src/http/listener/waiting-budget.ts';
import { buildMetrics, type MetricSources } from '../../src/http/observability/metrics/metrics.ts';

export const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
export const KNOWN_ORIGIN = 'https://shop.example';
export const OTHER_ORIGIN = 'https://other.example';

/** Deterministic, so that a failing test prints the same token again. */
function tokenOf(seed: number, kind: 'partner' | 'operator' = 'partner'): string {
  return mintToken((size) => new Uint8Array(size).fill(seed), kind);
}

export const TOKENS = {
  full: tokenOf(1),
  propertiesOnly: tokenOf(2),
  revoked: tokenOf(3),
  expired: tokenOf(4),
  disabled: tokenOf(5),
  otherPartner: tokenOf(6),
  unknown: tokenOf(7),
  operator: tokenOf(8, 'operator'),
  operatorSupplyOnly: tokenOf(9, 'operator'),
  operatorExpired: tokenOf(10, 'operator'),
  operatorRevoked: tokenOf(11, 'operator'),
} as const;

function partner(partnerId: string, row: Partial<PartnerRow> = {}): PartnerRow {
  return samplePartner(partnerId, { name: partnerId, origins: [], ...row });
}

function credential(name: keyof typeof TOKENS, row: Partial<CredentialRow> = {}): CredentialRow {
  return sampleCredential(`cred_${name}`, {
    partnerId: 'acme',
    tokenHash: hashToken(TOKENS[name]),
    scopes: ALL_SCOPE_NAMES,
    quota: 1_000_000,
    ...row,
  });
}

function operatorToken(name: keyof typeof TOKENS, row: Partial<OperatorTokenRow> = {}): OperatorTokenRow {
  return sampleOperatorToken(`ot_${name}`, {
    name,
    tokenHash: hashToken(TOKENS[name]),
    scopes: OPERATOR_SCOPE_NAMES,
    ...row,
  });
}

/** Partner `acme` lists KNOWN_ORIGIN, partner `bits` lists OTHER_ORIGIN, partner `gone` is disabled. */
export function accessRows(full: Partial<CredentialRow> = {}): AccessRows {
  return {
    partners: [
      partner('acme', { origins: [KNOWN_ORIGIN] }),
      partner('bits', { origins: [OTHER_ORIGIN] }),
      partner('gone', { disabled: true }),
    ],
    credentials: [
      credential('full', full),
      credential('propertiesOnly', { scopes: ['properties:read'] }),
      credential('revoked', { revokedAtMs: 1 }),
      credential('expired', { expiresAtMs: NOW_MS - 1 }),
      credential('disabled', { partnerId: 'gone' }),
      credential('otherPartner', { partnerId: 'bits' }),
    ],
    handoffKeys: [],
    siteSettings: [],
    operatorTokens: [
      operatorToken('operator'),
      operatorToken('operatorSupplyOnly', { scopes: ['supply:read', 'supply:write'] }),
      operatorToken('operatorExpired', { expiresAtMs: NOW_MS }),
      operatorToken('operatorRevoked', { revokedAtMs: 1 }),
    ],
  };
}

const SUMMARY = {
  propertyId: 'hotel-ponte',
  name: 'Hotel Ponte',
  description: null,
  propertyType: 'hotel',
  location: { city: 'Venezia', country: 'IT', area: null },
  capacity: { guests: 2, bathrooms: 1.5 },
  amenities: ['wifi'],
  rating: { score: 4.6, count: 212 },
  startingPrice: '120.00',
  currency: 'EUR',
  timezone: 'Europe/Rome',
};

const CONTENT = {
  images: [],
  checkIn: null,
  checkOut: null,
  cancellation: null,
  payment: null,
  houseRules: null,
  registrationNumber: null,
  seller: null,
  timezone: 'Europe/Rome',
  currency: 'EUR',
};

const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-02', nights: 1, guests: 2, timezone: 'Europe/Rome' };

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** The catalogue's form of this text. */
export function byteTextOf(text: string): ByteText {
  const bytes = Buffer.from(text);
  return readByteText(bytes, 0, bytes.length);
}

const FOUND: Found = {
  total: 1,
  askedName: 'Venezia',
  cityName: 'VENEZIA',
  markets: [],
  isKnownElsewhere: false,
};

/** Knows the property `hotel-ponte` and nothing else. */
export const CATALOGUE: ReadModel = {
  search: ({ page, pageSize }, send) =>
    void send(bytesOf({ items: [SUMMARY], pagination: { page, pageSize, total: 1, hasMore: false } }), FOUND),
  findSummary: (propertyId) =>
    propertyId === 'hotel-ponte' ? byteTextOf(JSON.stringify(SUMMARY)) : undefined,
  findAvailability: ({ propertyId }) =>
    propertyId === 'hotel-ponte'
      ? byteTextOf(
          JSON.stringify({
            propertyId,
            stay: STAY,
            available: true,
            days: [{ date: '2026-12-01', available: true }],
          }),
        )
      : undefined,
  isVisible: (propertyId) => propertyId === 'hotel-ponte',
  findPage: () => ({ propertyIds: ['hotel-ponte'], found: FOUND }),
};

/** Quotes `hotel-ponte`; refuses `full-house` and `not-quoting` each with its own refusal. */
export const createQuoteStub: CreateQuote = async ({ propertyId }) => {
  if (propertyId === 'full-house') return { refusal: 'STAY_UNAVAILABLE' };
  if (propertyId === 'not-quoting') return { refusal: 'QUOTE_UNAVAILABLE' };
  if (propertyId !== 'hotel-ponte') return { refusal: 'PROPERTY_NOT_FOUND' };
  const quote = {
    quoteId: 'qt_1',
    propertyId,
    stay: STAY,
    pricing: {
      mode: 'indicative' as const,
      accommodation: '120.00',
      cleaningFee: '0.00',
      taxes: '0.00',
      total: '120.00',
      pricePreservedInHandoff: false as const,
    },
    currency: 'EUR',
    expiresAt: '2026-11-20T12:30:00.000Z',
    handoffUrl: 'https://book.example/handoff?handoff=abc',
  };
  return { quote, body: JSON.stringify(quote) };
};

/** No token of these fixtures is a test token. */
const refuseSandbox = (): never => {
  throw new Error('a live token met the sandbox');
};
const unusedSandbox: SandboxBackend = { today: refuseSandbox, on: refuseSandbox };
const emptyFeed: ChangeFeed = {
  ask: async () => ({ changes: [], next: 'next', hasMore: false, version: 0 }),
  version: () => 0,
};

export const QUOTE_REQUEST = {
  propertyId: 'hotel-ponte',
  stay: { checkIn: '2026-12-01', checkOut: '2026-12-02', guests: 2 },
  locale: 'it-IT',
} as const;

export const SETTINGS: PartnerServerSettings = {
  publicUrl: 'http://127.0.0.1:8080',
  supportContact: undefined,
  problemsBaseUrl: 'http://127.0.0.1:8080/problems',
  handoffBaseUrl: 'https://localhost:8443/handoff',
  ingressLimit: 0,
  partnerQuota: 120,
  quoteTtlSeconds: 1800,
  partnerReasons: true,
  quotesPerDay: 0,
  horizonNights: 730,
  bodyLimitBytes: 16_384,
  trustedProxies: [],
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  writeTimeoutMs: 30_000,
  connectionsMax: 1_000,
  connectionsPerAddressMax: 0,
  maxConnectionsPerAddress: 0,
};

/** Out of the way unless a test is about it. */
const WAITING_BYTES = 256 * 1024 * 1024;

export const OPERATOR_SETTINGS: OperatorServerSettings = {
  ...SETTINGS,
  supplyBodyLimitBytes: 10_485_760,
  allowedHosts: [],
};

/** A process at rest. */
export function metricSources(overrides: Partial<MetricSources> = {}): MetricSources {
  return {
    meter: createRequestMeter(),
    outcomes: createOutcomeMeter(),
    accounts: { reads: {}, calls: () => 0, state: () => ({ counts: {}, ageSeconds: null }) },
    feeds: {
      polls: {},
      state: () => ({ counts: { new: 0, ok: 0, held: 0, failing: 0 }, confirmationDueMs: null }),
    },
    webhooks: {
      tries: { delivered: 0, failed: 0 },
      state: () => ({ counts: { ok: 0, failing: 0, disabled: 0, stopped: 0 }, oldestUntriedMs: null }),
    },
    longPolls: { count: 0 },
    webMeter: createWebMeter(),
    doors: { meters: {}, heldBytes: () => 0, maxBytes: 0 },
    activity: { rowsWritten: 0, rowsDropped: 0 },
    acts: {},
    losses: {},
    readiness: () => 'ready',
    eventLoop: { isOverloaded: () => false, delay: () => ({ p50Ms: 0, p99Ms: 0, maxMs: 0 }) },
    freshness: () => ({
      access: { ageMs: 0 },
      catalogue: { ageMs: 0 },
      lagRevisions: 0,
      lagMs: 0,
    }),
    catalogueSize: () => ({ properties: 0, inventoryTypes: 0, markets: 0 }),
    supplyFreshness: () => ({ closedProperties: 0, sources: new Map() }),
    clock: () => 0,
    ...overrides,
  };
}

export type Overrides = Omit<Partial<PartnerServerDeps>, 'settings'> & {
  readonly settings?: Partial<PartnerServerSettings>;
};

export interface RunningServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
  /** With the token `full` unless told otherwise. Every answer is held against the OpenAPI document. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** Listens on a free port. `overrides` replace dependencies, never how the server is built. */
export async function startPartnerServer(
  { settings, ...deps }: Overrides = {},
  listenPort = 0,
): Promise<RunningServer> {
  const directory = buildAccessDirectory(accessRows());
  const empty = new Catalogue({ clock: () => NOW_MS, horizonNights: 730 });
  const server = buildPartnerServer({
    readModel: CATALOGUE,
    sandbox: unusedSandbox,
    access: () => directory,
    createQuote: createQuoteStub,
    findOffer: async () => ({ refusal: 'PROPERTY_NOT_FOUND' }),
    changes: emptyFeed,
    longPolls: new LongPolls(() => performance.now()),
    prices: empty.prices,
    ask: (kind, about) => empty.questions.answer(kind, about),
    readContent: async (propertyIds) => propertyIds.map((propertyId) => ({ ...CONTENT, propertyId })),
    ...createOwnLimits(),
    clock: () => NOW_MS,
    quotesOf: () => 0,
    readiness: () => 'ready',
    meter: createRequestMeter(),
    budget: createWaitingBudget(WAITING_BYTES),
    isOverloaded: () => false,
    logger: pino({ level: 'silent' }),
    ...deps,
    settings: { ...SETTINGS, ...settings },
  });
  const { port } = await server.listen(listenPort, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  return {
    port,
    url,
    close: () => server.close(),
    fetch: async (path, init = {}) => {
      const authorization = `Bearer ${TOKENS.full}`;
      const headers = { authorization, ...(init.headers as Record<string, string>) };
      const response = await fetch(url + path, { ...init, headers });
      await assertConforms(init.method ?? 'GET', path, response.clone());
      return response;
    },
  };
}

/** Answer of `POST /handoff/resolve` to the value `ours`; any other value is invalid. */
export const RESOLVED = { outcome: 'unchanged', quoteId: 'qt_1' };

const unasked = (): Promise<never> => Promise.reject(new Error('this test asks nothing of supply'));

/** Supply is tried on the real thing, in `test/e2e`: here is nothing, and what is sent is never read. */
export const SUPPLY_STUB: SupplyContext = {
  storage: {
    applySupply: () => Promise.resolve({ kind: 'key-reused' }),
    findLayers: () => Promise.resolve(undefined),
    findProperty: () => Promise.resolve(undefined),
    listSupplyMessages: () => Promise.resolve([]),
  } as Partial<SupplyContext['storage']> as SupplyContext['storage'],
  parser: {
    readEmpty: unasked,
    readCalendars: unasked,
    readAri: unasked,
    readProperty: unasked,
    readLine: unasked,
    close: () => Promise.resolve(),
  },
  clock: () => 0,
  newMessageId: () => 'm',
  horizonNights: 1,
  bookingOrigins: [],
  publicUrl: 'http://127.0.0.1',
  readRevision: () =>
    Promise.resolve({ revision: 1, databaseRevision: 1, historyLostAtMs: undefined, isLost: false }),
};

const noRows = () => Promise.resolve([]);

/** As supply: an installation without anything. */
export const ACTS_STUB = {
  storage: {
    listConfirmations: noRows,
    listLayerSources: noRows,
    listProperties: noRows,
    pageSupplyMappings: noRows,
    pageFeeds: noRows,
    findFeed: () => Promise.resolve(undefined),
    listPublishedCalendars: noRows,
  },
} as unknown as ActPorts;

/** Listens on a free port; `fetch` sends the operator token. */
export async function startOperatorServer(deps: Partial<OperatorServerDeps> = {}): Promise<RunningServer> {
  const directory = buildAccessDirectory(accessRows());
  const server = buildOperatorServer({
    clock: () => NOW_MS,
    access: () => directory,
    resolveHandoff: async (value) =>
      value === 'ours' ? (RESOLVED as never) : { refusal: 'HANDOFF_INVALID' },
    conversions: { recordConversion: unasked },
    supply: SUPPLY_STUB,
    acts: ACTS_STUB,
    pages: { has: () => false, answer: () => void unasked() },
    readiness: () => 'ready',
    metrics: () => buildMetrics(metricSources()).metrics(),
    logger: pino({ level: 'silent' }),
    meter: createRequestMeter(),
    budget: createWaitingBudget(WAITING_BYTES),
    settings: OPERATOR_SETTINGS,
    ...deps,
  });
  const { port } = await server.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  return {
    port,
    url,
    close: () => server.close(),
    fetch: (path, init = {}) => {
      const authorization = `Bearer ${TOKENS.operator}`;
      return fetch(url + path, {
        ...init,
        headers: { authorization, ...(init.headers as Record<string, string>) },
      });
    },
  };
}

const matchOperation = buildRouter(ALL_OPERATIONS);

async function assertConforms(method: string, path: string, response: Response): Promise<void> {
  if (response.ok && !path.startsWith('/v1/')) return; // a page
  const match = matchOperation(method, path.split('?', 1)[0] ?? '');
  const operationId = match.found === 'operation' ? match.operation.operationId : null;
  const { status, headers } = response;
  const violations = checkAnswer({ operationId, status, headers, body: await response.bytes() });
  assert.deepEqual(violations, [], `${method} ${path} ${status}`);
}
