/** Cities by the beginning of their name, beside the contract. */
import type { CallOptions } from './call-options.ts';
import { checkFields, checkText } from './check-arguments.ts';
import { isRecord } from './read-response.ts';
import { queryOf, read } from './request-parts.ts';
import type { TransportOptions } from './transport.ts';
import type { CityList, CityParameters, Result } from './types.ts';

export class Places {
  readonly #transport: TransportOptions;

  constructor(transport: TransportOptions) {
    this.#transport = transport;
  }

  /** Cities whose name has a word that begins with the text, the best first; a search takes `city` and `country`. */
  async cities(parameters: CityParameters, options: CallOptions = {}): Promise<Result<CityList>> {
    checkFields(parameters, 'parameters');
    checkText(parameters.text, 'text');
    return read(this.#transport, `/places/v1/cities${queryOf(parameters)}`, isCityList, options);
  }
}

function isCityList(body: unknown): boolean {
  return isRecord(body) && Array.isArray(body['items']) && body['items'].every(isCity);
}

function isCity(item: unknown): boolean {
  return isRecord(item) && typeof item['city'] === 'string' && typeof item['country'] === 'string';
}
