/**
 * The partner listener, wired: which requests there are, and what answers them. What comes before is in `gates.ts`.
 * Production and every test build it here.
 */
import type { Logger } from 'pino';
import type { Activity } from '../../activity/activity.ts';
import { OPERATIONS } from '../../contract/partner/operations.ts';
import { buildRouter } from '../../contract/reading/router.ts';
import type { Tracing } from '../../observability/tracing.ts';
import { buildPages } from '../../web/docs/pages.ts';
import { presentFailure } from '../answers/present-problem.ts';
import { rawPathOf } from '../listener/request-head.ts';
import { NO_BODY, runHooks } from '../listener/exchange.ts';
import { buildListener, type ListenerSettings, type ListeningServer } from '../listener/listener.ts';
import type { WaitingBudget } from '../listener/pipelining.ts';
import { buildGates, type GateDeps, type GateSettings } from './gates.ts';
import { operationHandlers } from './operations.ts';
import { pageHandler, pagesOfToday, slashHandler, withSlash } from './page-handler.ts';
import { isOperation, type PageRow, type PartnerHook, type PartnerRow } from './partner-exchange.ts';

export interface PartnerServerSettings extends ListenerSettings, GateSettings {
  /** Contact for partners: a `mailto:`, `tel:` or `https:` URL; shown in the documentation. */
  readonly supportContact: string | undefined;
  /** What a credential gets unless it was issued with another quota; shown in the documentation. */
  readonly partnerQuota: number;
  readonly quoteTtlSeconds: number;
  readonly horizonNights: number;
}

export interface PartnerServerDeps extends GateDeps {
  readonly budget: WaitingBudget;
  readonly tracing?: Tracing | undefined;
  readonly activity?: Pick<Activity, 'answered'> | undefined;
  readonly logger: Logger;
  readonly settings: PartnerServerSettings;
}

/** Of the listener itself; every other code is in the table of operations. */
const CODES = {
  operationNotFound: 'PARTNER_OPERATION_NOT_FOUND',
  unavailable: 'PARTNER_API_UNAVAILABLE',
} as const;

/** The partner listener, not yet listening. */
export function buildPartnerServer(deps: PartnerServerDeps): ListeningServer {
  const pages = pagesOfToday((today) => buildPages(deps.settings, today), deps.clock);
  const pageRows = [...pages().keys()].map((path): PageRow => ({ method: 'GET', path }));
  const slashRows = withSlash(pages().values()).map((path): PageRow => ({ method: 'GET', path: `${path}/` }));
  const findRoute = buildRouter<PartnerRow>([...OPERATIONS, ...pageRows, ...slashRows]);
  const isKnownOrigin = (origin: string): boolean => deps.access().isKnownOrigin(origin);

  const gates = buildGates(deps);
  const handlers = operationHandlers();
  const hooksByRow = new Map<PartnerRow, readonly PartnerHook[]>([
    ...OPERATIONS.map((row) => [row, [...gates.ofOperation(row), handlers[row.operationId]]] as const),
    ...pageRows.map((row) => [row, [...gates.ofAll, pageHandler(pages, row.path)]] as const),
    ...slashRows.map((row) => [row, [...gates.ofAll, slashHandler(row.path.slice(0, -1))]] as const),
  ]);

  return buildListener({ ...deps, isKnownOrigin, codes: CODES }, (request, response) => {
    const route = findRoute(request.method ?? '', rawPathOf(request.url ?? ''));
    const exchange = {
      request,
      response,
      route,
      body: NO_BODY,
      presentFailure,
      credential: null,
      backend: null,
      quotaHit: null,
    };
    if (route.found !== 'operation') return runHooks(gates.ofAll, exchange);
    if (isOperation(route.operation)) response.operationName = route.operation.operationId;
    runHooks(hooksByRow.get(route.operation) ?? gates.ofAll, exchange);
  });
}
