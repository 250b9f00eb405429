/** The client: four operations, and a walk over all pages of a search. */
import { checkPresent, checkStay } from './check-stay.ts';
import { eachProperty } from './each.ts';
import { UsageError } from './errors.ts';
import { Limiter } from './limiter.ts';
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

export interface StayportOptions {
  /** The partner token. Keep it on your server. */
  token: string;
  /** Where the operator's API is, such as `https://partners.example.com`. */
  baseUrl: string;
  /** Milliseconds that one try may take. Default 10,000. */
  timeout?: number;
  /** Further tries after the first one, where trying again is safe. Default 2. */
  maxRetries?: number;
  /** Wait for the next window instead of meeting a 429. Needs the credential for this client alone. Default false. */
  limiter?: boolean;
  /** Another `fetch`, for a proxy or a test. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, its waits and its retries. */
  signal?: AbortSignal;
}

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

export class Stayport {
  readonly properties: Properties;
  readonly quotes: Quotes;

  /** Throws a `UsageError` in a browser, or when an option is wrong. */
  constructor(options: StayportOptions) {
    refuseBrowser();
    const transport: TransportOptions = {
      baseUrl: baseUrlOf(options.baseUrl),
      token: tokenOf(options.token),
      fetch: options.fetch ?? globalThis.fetch,
      timeoutMs: options.timeout ?? TIMEOUT_MS,
      maxRetries: options.maxRetries ?? RETRIES,
      limiter: options.limiter === true ? new Limiter() : undefined,
    };
    this.properties = new Properties(transport);
    this.quotes = new Quotes(transport);
  }
}

class Properties {
  readonly #transport: TransportOptions;

  constructor(transport: TransportOptions) {
    this.#transport = transport;
  }

  /** One page. With dates: only what is available for the whole stay. */
  async search(parameters: SearchParameters, { signal }: CallOptions = {}): Promise<Result<PropertyList>> {
    const { city, checkIn, checkOut } = parameters;
    checkPresent(city, 'city');
    if (checkIn !== undefined || checkOut !== undefined) checkStay(checkIn ?? '', checkOut ?? '');
    return send({ method: 'GET', path: `/v1/properties${queryOf(parameters)}`, signal }, this.#transport);
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
    { locale, signal }: CallOptions & { locale?: Locale } = {},
  ): Promise<Result<PropertySummary>> {
    return send(
      { method: 'GET', path: `${pathOf(propertyId)}${queryOf({ locale })}`, signal },
      this.#transport,
    );
  }

  /** Whether one inventory type takes the guests for the whole stay. */
  async availability(
    propertyId: string,
    parameters: AvailabilityParameters,
    { signal }: CallOptions = {},
  ): Promise<Result<Availability>> {
    const { checkIn, checkOut, guests } = parameters;
    checkStay(checkIn, checkOut);
    const path = `${pathOf(propertyId)}/availability${queryOf({ checkIn, checkOut, guests })}`;
    return send({ method: 'GET', path, signal }, this.#transport);
  }
}

class Quotes {
  readonly #transport: TransportOptions;

  constructor(transport: TransportOptions) {
    this.#transport = transport;
  }

  /** An indicative price and the link for the traveller. Tried again only where no quote can have been made. */
  async create(request: QuoteRequest, { signal }: CallOptions = {}): Promise<Result<Quote>> {
    const { checkIn, checkOut } = request.stay;
    checkPresent(request.propertyId, 'propertyId');
    checkStay(checkIn, checkOut, 'stay.');
    return send({ method: 'POST', path: '/v1/quotes', body: request, signal }, this.#transport);
  }
}

function pathOf(propertyId: string): string {
  checkPresent(propertyId, 'propertyId');
  // As a path, "." and ".." would name another one.
  if (propertyId === '.' || propertyId === '..') {
    throw new UsageError('INVALID_ARGUMENT', `propertyId: "${propertyId}" can't be asked for`, 'propertyId');
  }
  return `/v1/properties/${encodeURIComponent(propertyId)}`;
}

function queryOf(parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function baseUrlOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError(
      'INVALID_ARGUMENT',
      `baseUrl: "${text}" is not a URL like https://partners.example.com`,
      'baseUrl',
    );
  }
  return text.replace(/\/+$/, '');
}

function tokenOf(token: string): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  // The value itself stays out of the message: it may be a secret with a line break behind it.
  throw new UsageError(
    'INVALID_ARGUMENT',
    'token: is missing, or has a blank or a line break in it',
    'token',
  );
}

function refuseBrowser(): void {
  const { window, document } = globalThis as { window?: unknown; document?: unknown };
  if (window === undefined || document === undefined) return;
  throw new UsageError(
    'BROWSER_NOT_SUPPORTED',
    'a partner token must not reach a browser, where every visitor can read it: call Stayport from your server',
  );
}
