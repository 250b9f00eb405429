/** Paths, queries and bodies of requests, and how a body that came back is known. */
import { type CallOptions, checkCallOptions } from './call-options.ts';
import { checkText, refuse } from './check-arguments.ts';
import { isRecord } from './read-response.ts';
import { send, type TransportOptions } from './transport.ts';
import type { Result } from './types.ts';

/** A GET. */
export function read<Body>(
  transport: TransportOptions,
  path: string,
  isBody: (body: unknown) => boolean,
  options: CallOptions,
): Promise<Result<Body>> {
  checkCallOptions(options);
  return send({ method: 'GET', path, isBody, options }, transport);
}

/** `family` is `/v1`, or what stands beside it. */
export function pathOf(family: string, propertyId: string): string {
  checkText(propertyId, 'propertyId');
  // As a path, "." and ".." would name another one.
  if (propertyId === '.' || propertyId === '..') refuse('propertyId', `"${propertyId}" can't be asked for`);
  return `${family}/properties/${encodeURIComponent(propertyId)}`;
}

/** Lists are sent with commas. */
export function queryOf(parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters) as [string, unknown][]) {
    const values: readonly unknown[] = value === undefined ? [] : [value].flat();
    if (values.length === 0) continue;
    for (const one of values) if (!['number', 'boolean'].includes(typeof one)) checkText(one, name);
    query.set(name, values.map(String).join(','));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

export function jsonOf(request: object): string {
  try {
    return JSON.stringify(request);
  } catch (error) {
    return refuse('request', (error as Error).message, error);
  }
}

/** What the fields of a body that this package relies on have to be; the service answers for the others. */
export function isListOf(isItem: (item: unknown) => boolean): (body: unknown) => boolean {
  return (body) => {
    if (!isRecord(body) || !Array.isArray(body['items']) || !isRecord(body['pagination'])) return false;
    const { total, hasMore } = body['pagination'];
    return body['items'].every(isItem) && typeof total === 'number' && typeof hasMore === 'boolean';
  };
}

export function isProperty(body: unknown): boolean {
  return isRecord(body) && typeof body['propertyId'] === 'string';
}
