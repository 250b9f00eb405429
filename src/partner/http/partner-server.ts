/**
 * The partner listener, wired: its requests and their handlers; `gates.ts` has the checks before them. Production and
 * every test build it here.
 */
import {
  createPartnerQuote,
  getPartnerProperty,
  getPartnerPropertyAvailability,
  listPartnerProperties,
  type OperationId,
} from '../../contract/partner/operations.ts';
import { ALL_OPERATIONS, createStayQuote } from '../../contract/partner/extra-operations.ts';
import { parseJsonBody } from '../../http/listener/request-body.ts';
import { validateBody, validatePath, validateQuery } from '../../contract/reading/validation.ts';
import type { CreatedQuote } from '../quotes/create-quote.ts';
import { OUT_OF_RANGE_DETAILS } from '../quotes/decide-visible.ts';
import {
  buildListener,
  type ListenerDeps,
  type ListenerSettings,
  type ListeningServer,
  PARTNER_CODES,
  runHooks,
  tracedWork,
  withinDeadline,
} from '../../http/listener/listener.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';
import type { LongPolls } from '../changes/long-polls.ts';
import { buildRouter } from '../../contract/reading/router.ts';
import type { PageSettings } from '../../portal/frame/page-settings.ts';
import { buildPages } from '../../portal/pages.ts';
import { presentFailure, presentIssues, presentProblem } from '../../http/answers/present-problem.ts';
import { findRepeatedKey } from '../../supply/native/json-text.ts';
import { rawPathOf, rawQueryOf } from '../../http/listener/request-head.ts';
import { NO_BODY } from '../../http/listener/exchange.ts';
import {
  buildGates,
  type GateDeps,
  type GateSettings,
  getBackend,
  getCredential,
  isOperation,
} from './gates.ts';
import {
  issuesOf,
  type PageRow,
  type PartnerHook,
  type PartnerRow,
  rawSegmentsOf,
} from './partner-exchange.ts';
import { presentInvalid, repeatedKeyIssue } from './present-invalid.ts';
import { listChangesHandler } from './change-handler.ts';
import { getContentHandler, listContentHandler } from './content-handlers.ts';
import { stayOfferHandler } from './offer-handler.ts';
import { suggestCitiesHandler } from './place-handlers.ts';
import {
  priceCalendarHandler,
  priceDaysHandler,
  priceStaysHandler,
  readStay,
  type Reasons,
  searchFlexibleHandler,
  searchPricesHandler,
} from './price-handlers.ts';
import { pageHandler, pagesOfToday, slashHandler, withSlash } from '../../http/pages/page-handler.ts';

export interface PartnerServerSettings extends ListenerSettings, GateSettings, PageSettings {
  /** Whether partners are told why a stay can't be had. */
  readonly partnerReasons: boolean;
}

export interface PartnerServerDeps
  extends GateDeps, Pick<ListenerDeps, 'budget' | 'tracing' | 'activity' | 'logger'> {
  readonly longPolls: LongPolls;
  readonly settings: PartnerServerSettings;
}

/** The partner listener; it does not listen yet. */
export function buildPartnerServer(deps: PartnerServerDeps): ListeningServer {
  const { settings } = deps;
  const pages = pagesOfToday(
    (today) => buildPages(settings, today),
    deps.clock,
    // Settings of the site.
    () => `${settings.handoffBaseUrl} ${settings.quoteTtlSeconds}`,
  );
  const pageRows = [...pages().keys()].map((path): PageRow => ({ method: 'GET', path }));
  const slashRows = withSlash(pages().values()).map((path): PageRow => ({ method: 'GET', path: `${path}/` }));
  const findRoute = buildRouter<PartnerRow>([...ALL_OPERATIONS, ...pageRows, ...slashRows]);
  const isKnownOrigin = (origin: string): boolean => deps.access().isKnownOrigin(origin);

  const gates = buildGates(deps);
  const reasons = { partnerReasons: () => settings.partnerReasons };
  const handlers = operationHandlers(deps.longPolls, gates.authenticate, reasons);
  const hooksByRow = new Map<PartnerRow, readonly PartnerHook[]>([
    ...ALL_OPERATIONS.map((row) => [row, [...gates.ofOperation(row), handlers[row.operationId]]] as const),
    ...pageRows.map((row) => [row, [...gates.ofAll, pageHandler(pages, row.path)]] as const),
    ...slashRows.map((row) => [row, [...gates.ofAll, slashHandler(row.path.slice(0, -1))]] as const),
  ]);

  return buildListener({ ...deps, isKnownOrigin, codes: PARTNER_CODES }, (request, response) => {
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

// The four operations: the request is read, the backend computes, and its answer is sent (SPEC 4).

/** The handler of each operation, after its gates. */
function operationHandlers(
  longPolls: LongPolls,
  authenticate: PartnerHook,
  reasons: Reasons,
): Readonly<Record<OperationId, PartnerHook>> {
  return {
    listPartnerProperties: listPropertiesHandler(),
    getPartnerProperty: getPropertyHandler(),
    getPartnerPropertyAvailability: getAvailabilityHandler(),
    createPartnerQuote: createQuoteHandler(createPartnerQuote),
    searchStayPrices: searchPricesHandler(authenticate),
    searchFlexibleStays: searchFlexibleHandler(authenticate),
    listPriceDays: priceDaysHandler(authenticate),
    priceStays: priceStaysHandler(authenticate, reasons),
    getPriceCalendar: priceCalendarHandler(authenticate),
    getStayOffer: stayOfferHandler(reasons),
    createStayQuote: createQuoteHandler(createStayQuote),
    suggestCities: suggestCitiesHandler(authenticate),
    listPropertyContent: listContentHandler(),
    getPropertyContent: getContentHandler(),
    listChanges: listChangesHandler(longPolls, authenticate),
  };
}

/** GET /v1/properties (SPEC 4.1). */
function listPropertiesHandler(): PartnerHook {
  const { cacheControl, successStatus: status } = listPartnerProperties;
  return (exchange) => {
    const { request, response } = exchange;
    const query = validateQuery(listPartnerProperties, rawQueryOf(request.url ?? ''));
    if (!query.ok) return presentInvalid(exchange, listPartnerProperties, query.issues);
    const { partnerId } = getCredential(exchange);
    const { readModel } = getBackend(exchange);
    const { city, country, stay, guests, page } = query.value;
    readModel.search({ ...query.value, partnerId }, (body, found) => {
      response.subject = { city, country, stay, guests, page, found };
      response.answer({ status, mediaType: JSON_TYPE, cacheControl, body });
      return response.isFlushed;
    });
  };
}

/** GET /v1/properties/{propertyId} (SPEC 4.2). */
function getPropertyHandler(): PartnerHook {
  const { cacheControl, successStatus: status } = getPartnerProperty;
  return (exchange) => {
    const { request, response } = exchange;
    const path = validatePath(getPartnerProperty, rawSegmentsOf(exchange));
    const query = validateQuery(getPartnerProperty, rawQueryOf(request.url ?? ''));
    if (!path.ok || !query.ok) return presentInvalid(exchange, getPartnerProperty, issuesOf(path, query));
    const { partnerId } = getCredential(exchange);
    response.subject = path.value;
    const body = getBackend(exchange).readModel.findSummary(
      path.value.propertyId,
      query.value.locale,
      partnerId,
    );
    if (body === undefined) presentProblem(response, 'PROPERTY_NOT_FOUND');
    else response.answer({ status, mediaType: JSON_TYPE, cacheControl, body, encoding: 'latin1' });
  };
}

/** GET /v1/properties/{propertyId}/availability (SPEC 4.3). */
function getAvailabilityHandler(): PartnerHook {
  const { cacheControl, successStatus: status } = getPartnerPropertyAvailability;
  return (exchange) => {
    const { request, response } = exchange;
    const path = validatePath(getPartnerPropertyAvailability, rawSegmentsOf(exchange));
    const query = validateQuery(getPartnerPropertyAvailability, rawQueryOf(request.url ?? ''));
    if (!path.ok || !query.ok)
      return presentInvalid(exchange, getPartnerPropertyAvailability, issuesOf(path, query));
    const { propertyId } = path.value;
    const { stay, guests } = query.value;
    response.subject = { propertyId, stay, guests };
    const body = getBackend(exchange).readModel.findAvailability({
      propertyId,
      checkIn: stay.checkIn,
      checkOut: stay.checkOut,
      guests,
      partnerId: getCredential(exchange).partnerId,
    });
    if (body === undefined) presentProblem(response, 'PROPERTY_NOT_FOUND');
    else response.answer({ status, mediaType: JSON_TYPE, cacheControl, body, encoding: 'latin1' });
  };
}

/** POST /v1/quotes (SPEC 4.4) and POST /prices/v1/quotes, which knows the ages of children. */
function createQuoteHandler(operation: typeof createPartnerQuote | typeof createStayQuote): PartnerHook {
  const { cacheControl, successStatus: status } = operation;
  const tellsAges = operation === createStayQuote;
  return async (exchange) => {
    const { response } = exchange;
    const json = parseJsonBody(exchange.body);
    if (!json.ok) return presentProblem(response, 'INVALID_JSON');
    const repeated = findRepeatedKey(json.text);
    if (repeated !== undefined) return presentIssues(response, [repeatedKeyIssue(repeated)]);
    const query = validateQuery(operation, rawQueryOf(exchange.request.url ?? ''));
    const valid = validateBody(operation, json.value);
    if (!query.ok || !valid.ok)
      return presentInvalid(exchange, operation, issuesOf(query, valid), json.value);

    const { propertyId, locale } = valid.value;
    const stay = readStay(valid.value.stay);
    const { partnerId, credentialId } = getCredential(exchange);
    response.subject = { propertyId, stay, guests: stay.guests, childAges: stay.childAges };
    const create = (): Promise<CreatedQuote> =>
      getBackend(exchange).createQuote({ propertyId, ...stay, locale, partnerId, credentialId, tellsAges });
    const created = await withinDeadline(tracedWork(response.trace, create));
    if (created.refusal !== undefined) {
      const detail = created.reason === undefined ? undefined : OUT_OF_RANGE_DETAILS[created.reason];
      return presentProblem(response, created.refusal, { detail });
    }
    response.subject = { ...response.subject, quoteId: created.quote.quoteId };
    const headers = ['Location', created.quote.handoffUrl];
    response.answer({ status, mediaType: JSON_TYPE, cacheControl, body: created.body, headers });
  };
}
