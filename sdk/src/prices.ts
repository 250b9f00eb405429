/** Prices of stays, beside the contract: the token needs the scope `prices:read`. No quote is made. */
import { type CallOptions, checkCallOptions } from './call-options.ts';
import { checkDate, checkFields, checkStay, checkText, refuse } from './check-arguments.ts';
import { isRecord } from './read-response.ts';
import { isListOf, isProperty, jsonOf, pathOf, queryOf, read } from './request-parts.ts';
import { send, type TransportOptions } from './transport.ts';
import type {
  ExplainedStayPrices,
  FlexibleParameters,
  FlexibleStayList,
  LengthsParameters,
  OfferParameters,
  PriceCalendar,
  PriceCalendarOfLengths,
  PriceCalendarParameters,
  PriceDays,
  PriceDaysParameters,
  PriceSearchParameters,
  PriceStaysRequest,
  Result,
  StayOffer,
  StayPriceList,
  StayPrices,
} from './types.ts';

export class Prices {
  readonly #transport: TransportOptions;

  constructor(transport: TransportOptions) {
    this.#transport = transport;
  }

  /** One page of what is available for the whole stay, with prices; `sort: 'total'` puts the cheapest first. */
  async search(parameters: PriceSearchParameters, options: CallOptions = {}): Promise<Result<StayPriceList>> {
    checkFields(parameters, 'parameters');
    checkText(parameters.city, 'city');
    checkStay(parameters.checkIn, parameters.checkOut);
    return read(this.#transport, `/prices/v1/stays${queryOf(parameters)}`, isListOf(isPriced), options);
  }

  /** Each property once, with the best of its stays in a window of check-in dates: the cheapest first. */
  async flexible(
    parameters: FlexibleParameters,
    options: CallOptions = {},
  ): Promise<Result<FlexibleStayList>> {
    checkFields(parameters, 'parameters');
    checkText(parameters.city, 'city');
    checkDate(parameters.checkInFrom, 'checkInFrom');
    const path = `/prices/v1/flexible-stays${queryOf(parameters)}`;
    return read(this.#transport, path, isListOf(isPriced), options);
  }

  /** For each check-in date, how many properties of a city are open, and the lowest totals. */
  async days(parameters: PriceDaysParameters, options: CallOptions = {}): Promise<Result<PriceDays>> {
    checkFields(parameters, 'parameters');
    checkText(parameters.city, 'city');
    return read(this.#transport, `/prices/v1/days${queryOf(parameters)}`, areDays, options);
  }

  /**
   * One stay at up to 100 properties, in the order asked; with `why: true` also the reasons of those without a price, and
   * other stays. Asking changes nothing, so it is tried again as a GET is.
   */
  forProperties(
    request: PriceStaysRequest & { why: true },
    options?: CallOptions,
  ): Promise<Result<ExplainedStayPrices>>;
  forProperties(request: PriceStaysRequest, options?: CallOptions): Promise<Result<StayPrices>>;
  async forProperties(request: PriceStaysRequest, options: CallOptions = {}): Promise<Result<StayPrices>> {
    checkFields(request, 'request');
    checkFields(request.stay, 'stay');
    if (!Array.isArray(request.propertyIds)) refuse('propertyIds', 'is not a list');
    checkStay(request.stay.checkIn, request.stay.checkOut, 'stay.');
    checkCallOptions(options);
    const call = {
      method: 'POST',
      path: '/prices/v1/stays',
      body: jsonOf(request),
      isRepeatable: true,
      isBody: areStayPrices,
      options,
    } as const;
    return send(call, this.#transport);
  }

  /** For each check-in date, whether a stay of so many nights is available, and its total; of each length up to `maxNights`. */
  calendar(
    propertyId: string,
    parameters: LengthsParameters,
    options?: CallOptions,
  ): Promise<Result<PriceCalendarOfLengths>>;
  calendar(
    propertyId: string,
    parameters?: PriceCalendarParameters,
    options?: CallOptions,
  ): Promise<Result<PriceCalendar>>;
  async calendar(
    propertyId: string,
    parameters: PriceCalendarParameters & { maxNights?: number } = {},
    options: CallOptions = {},
  ): Promise<Result<PriceCalendar | PriceCalendarOfLengths>> {
    checkFields(parameters, 'parameters');
    const { from, until, nights, maxNights, guests, childAges } = parameters;
    for (const [name, date] of Object.entries({ from, until })) {
      if (date !== undefined) checkDate(date, name);
    }
    const query = queryOf({ from, until, nights, maxNights, guests, childAges });
    const path = `${pathOf('/prices/v1', propertyId)}/calendar${query}`;
    return read(this.#transport, path, isCalendar, options);
  }

  /** One stay whole: each night, taxes and fees, refunds and payments as dates and amounts. Needs `content:read`, too. */
  async offer(
    propertyId: string,
    parameters: OfferParameters,
    options: CallOptions = {},
  ): Promise<Result<StayOffer>> {
    checkFields(parameters, 'parameters');
    const { checkIn, checkOut, guests, childAges, locale } = parameters;
    checkStay(checkIn, checkOut);
    const query = queryOf({ checkIn, checkOut, guests, childAges, locale });
    const path = `${pathOf('/prices/v1', propertyId)}/offer${query}`;
    return read(this.#transport, path, isOffer, options);
  }
}

/** A property with a price, or null where no quote can be made. */
function isPriced(item: unknown): boolean {
  if (!isRecord(item) || !isProperty(item)) return false;
  const { pricing } = item;
  return pricing === null || (isRecord(pricing) && typeof pricing['total'] === 'string');
}

function areStayPrices(body: unknown): boolean {
  return isRecord(body) && Array.isArray(body['items']) && body['items'].every(isPriced);
}

function areDays(body: unknown): boolean {
  return isRecord(body) && Array.isArray(body['days']);
}

function isOffer(body: unknown): boolean {
  return isPriced(body) && Array.isArray((body as { nights?: unknown }).nights);
}

function isCalendar(body: unknown): boolean {
  return isProperty(body) && areDays(body);
}
