/**
 * Answers to partners, newest first: the rows of `requests`, and before they are stored those that the threads of this
 * machine have in memory.
 */
import { mergeRequests } from '../activity/recent-requests.ts';
import { parseStatuses, presentRequest, type RequestEntry } from '../activity/request-report.ts';
import { parseDuration } from '../access/parse-duration.ts';
import type { RequestFilter } from '../storage/activity/store.ts';
import { readName } from './asked-days.ts';
import { type PagePorts, firstPage, type PageQuestion, type ShownBy } from './console-page.ts';
import { withQuery } from './paths.ts';

export type { RequestEntry };
export const REQUESTS_PATH = '/console/requests';
export const REQUESTS_SHOWN = 50;

export const REQUEST_FILTERS = ['partner', 'status', 'code', 'operation', 'since', 'correlation'] as const;

/** What was asked for, as far as it could be read. */
export type RequestQuery = Readonly<Partial<Record<(typeof REQUEST_FILTERS)[number], string>>>;

export type RequestPorts = Pick<PagePorts, 'recentRequests' | 'storage'>;
export type RequestsShown = ShownBy<typeof readRequests>;

export async function readRequests(ports: PagePorts, { query }: PageQuestion) {
  const asked = readQuery(query);
  const found = await findRequests(ports, {
    ...filterOf(asked, ports.clock()),
    before: parsePlace(query.get('before') ?? ''),
    limit: REQUESTS_SHOWN + 1,
  });
  const { page, last } = firstPage(found, REQUESTS_SHOWN);
  const before = last && `${last.atMs}.${last.correlationId}`;
  return {
    rows: page.map(presentRequest),
    asked,
    unread: REQUEST_FILTERS.filter((name) => query.get(name)?.trim() && asked[name] === undefined),
    nextPath: before && withQuery(REQUESTS_PATH, { ...asked, before }),
  };
}

/** Of memory and of the database, each once. */
export async function findRequests({ recentRequests, storage }: RequestPorts, filter: RequestFilter) {
  const [recent, stored] = await Promise.all([recentRequests.find(filter), storage.readRequests(filter)]);
  const one = new Map([...stored, ...recent].map((row) => [`${row.atMs} ${row.correlationId}`, row]));
  return mergeRequests([[...one.values()]], filter.limit);
}

function readQuery(query: URLSearchParams): RequestQuery {
  const texts = REQUEST_FILTERS.map((name) => [name, readName(query, name)] as const);
  return Object.fromEntries(texts.filter(([name, text]) => text !== undefined && isReadable(name, text)));
}

function isReadable(name: keyof RequestQuery, text: string): boolean {
  if (name === 'status') return parseStatuses(text) !== undefined;
  return name !== 'since' || parseDuration(text) !== undefined;
}

function filterOf(asked: RequestQuery, nowMs: number): Omit<RequestFilter, 'limit'> {
  const { partner: partnerId, status, code, operation, since, correlation: correlationId } = asked;
  const sinceMs = since === undefined ? undefined : nowMs - parseDuration(since)!;
  const statuses = status === undefined ? undefined : parseStatuses(status);
  return { partnerId, statuses, code, operation, sinceMs, correlationId };
}

/** `1763800000000.CORRELATION_ID`; undefined for anything else. */
function parsePlace(text: string): RequestFilter['before'] {
  const [, at, correlationId] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(text) ?? [];
  return correlationId === undefined ? undefined : { atMs: Number(at), correlationId };
}
