/** The client: the four operations of the contract, a walk over all pages of a search, and what stands beside them. */
import { type CallOptions, checkCallOptions, type HookOptions } from './call-options.ts';
import { checkFields, checkStay, checkText, refuse } from './check-arguments.ts';
import { Changes } from './changes.ts';
import { Content } from './content.ts';
import { eachProperty } from './each.ts';
import { UsageError } from './errors.ts';
import { Limiter } from './limiter.ts';
import { Places } from './places.ts';
import { Prices } from './prices.ts';
import { isRecord } from './read-response.ts';
import { isListOf, isProperty, jsonOf, pathOf, queryOf, read } from './request-parts.ts';
import { send, type TransportOptions } from './transport.ts';
import type {
  Availability,
  AvailabilityParameters,
  Locale,
  PropertyList,
  PropertySummary,
  Quote,
  QuoteRequest,
  Result,
  SearchParameters,
} from './types.ts';

export interface StayportOptions extends HookOptions {
  /** The partner token. Keep it on your server. */
  token: string;
  /** Where the operator's API is, such as `https://partners.example.com`. */
  baseUrl: string;
  /** Milliseconds that one try may take, its wait for the limiter included. Default 10,000 after that wait. */
  timeout?: number | undefined;
  /** Milliseconds that a whole call may take: all its tries and waits. Default: as long as those take. */
  deadline?: number | undefined;
  /** Further tries after the first one, where trying again is safe. Default 2. */
  maxRetries?: number | undefined;
  /** Wait for the next window instead of meeting a 429. Needs the credential for this client alone. Default false. */
  limiter?: boolean | undefined;
  /** Another `fetch`, for a proxy or a test. */
  fetch?: typeof fetch | undefined;
}

export class Stayport {
  readonly properties: Properties;
  readonly quotes: Quotes;
  readonly content: Content;
  readonly prices: Prices;
  readonly places: Places;
  readonly changes: Changes;

  /** Throws a `UsageError` in a browser, or when an option is wrong. */
  constructor(options: StayportOptions) {
    refuseBrowser();
    checkFields(options, 'options');
    const { timeout, deadline, maxRetries, onRequest, onResponse } = options;
    checkCallOptions({ timeout, deadline, maxRetries });
    for (const name of ['fetch', 'onRequest', 'onResponse'] as const) {
      if (!['undefined', 'function'].includes(typeof options[name])) refuse(name, 'is not a function');
    }
    const transport: TransportOptions = {
      baseUrl: baseUrlOf(options.baseUrl),
      token: tokenOf(options.token),
      fetch: options.fetch ?? globalThis.fetch,
      timeoutMs: timeout,
      deadlineMs: deadline,
      maxRetries,
      limiter: options.limiter === true ? new Limiter() : undefined,
      onRequest,
      onResponse,
    };
    this.properties = new Properties(transport);
    this.quotes = new Quotes(transport);
    this.content = new Content(transport);
    this.prices = new Prices(transport);
    this.places = new Places(transport);
    this.changes = new Changes(transport);
  }
}

class Properties {
  readonly #transport: TransportOptions;

  constructor(transport: TransportOptions) {
    this.#transport = transport;
  }

  /** One page. With dates: only what is available for the whole stay. */
  async search(parameters: SearchParameters, options: CallOptions = {}): Promise<Result<PropertyList>> {
    checkFields(parameters, 'parameters');
    const { city, checkIn, checkOut } = parameters;
    checkText(city, 'city');
    if (checkIn !== undefined || checkOut !== undefined) checkStay(checkIn, checkOut);
    return read(this.#transport, `/v1/properties${queryOf(parameters)}`, isListOf(isProperty), options);
  }

  /** Every property of a search: `for await (const property of client.properties.each({ city: 'Venezia' }))`. */
  each(
    parameters: SearchParameters,
    options: CallOptions = {},
  ): AsyncGenerator<PropertySummary, void, undefined> {
    return eachProperty((page) => this.search(page, options), parameters);
  }

  async get(
    propertyId: string,
    options: CallOptions & { locale?: Locale | undefined } = {},
  ): Promise<Result<PropertySummary>> {
    checkFields(options, 'options');
    const path = `${pathOf('/v1', propertyId)}${queryOf({ locale: options.locale })}`;
    return read(this.#transport, path, isProperty, options);
  }

  /** Whether one inventory type takes the guests for the whole stay. */
  async availability(
    propertyId: string,
    parameters: AvailabilityParameters,
    options: CallOptions = {},
  ): Promise<Result<Availability>> {
    checkFields(parameters, 'parameters');
    const { checkIn, checkOut, guests } = parameters;
    checkStay(checkIn, checkOut);
    const path = `${pathOf('/v1', propertyId)}/availability${queryOf({ checkIn, checkOut, guests })}`;
    return read(this.#transport, path, isAvailability, options);
  }
}

class Quotes {
  readonly #transport: TransportOptions;

  constructor(transport: TransportOptions) {
    this.#transport = transport;
  }

  /**
   * An indicative price and the link for the traveller; of the family where the stay has `childAges`. Tried again only
   * where no quote can have been made.
   */
  async create(request: QuoteRequest, options: CallOptions = {}): Promise<Result<Quote>> {
    checkFields(request, 'request');
    checkFields(request.stay, 'stay');
    const { checkIn, checkOut, childAges } = request.stay;
    checkText(request.propertyId, 'propertyId');
    checkStay(checkIn, checkOut, 'stay.');
    checkCallOptions(options);
    const call = {
      method: 'POST',
      path: childAges === undefined ? '/v1/quotes' : '/prices/v1/quotes',
      body: jsonOf(request),
      isBody: isQuote,
      options,
    } as const;
    return send(call, this.#transport);
  }
}

function isAvailability(body: unknown): boolean {
  return isRecord(body) && typeof body['available'] === 'boolean' && Array.isArray(body['days']);
}

function isQuote(body: unknown): boolean {
  return isRecord(body) && typeof body['handoffUrl'] === 'string' && isRecord(body['pricing']);
}

/** Without the slash at its end. */
function baseUrlOf(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return refuse('baseUrl', `${JSON.stringify(text)} is not a URL like https://partners.example.com`);
  }
  // The value stays out of the message: it may hold a password.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    refuse('baseUrl', 'has a user, a query or a fragment; give the address alone');
  }
  const address = url.href.replace(/(?<!\/)\/+$/, '');
  if (address.endsWith('/v1')) refuse('baseUrl', 'ends in /v1, which the client adds itself; leave it out');
  return address;
}

/** Without the blanks and the line end that a file or an environment leaves around it. */
function tokenOf(given: unknown): string {
  const token = typeof given === 'string' ? given.trim() : '';
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  // The value itself stays out of the message: it may be a secret with a line break behind it.
  return refuse('token', 'is missing, or has a blank or a line break in it');
}

function refuseBrowser(): void {
  const { window, document } = globalThis as { window?: unknown; document?: unknown };
  if (window === undefined || document === undefined) return;
  throw new UsageError(
    'BROWSER_NOT_SUPPORTED',
    'a partner token must not reach a browser, where every visitor can read it: call Stayport from your server',
  );
}
