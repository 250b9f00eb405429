/** Pictures, times and terms of properties, beside the contract: the token needs the scope `content:read`. */
import type { CallOptions } from './call-options.ts';
import { checkFields, checkText } from './check-arguments.ts';
import { isRecord } from './read-response.ts';
import { isListOf, pathOf, queryOf, read } from './request-parts.ts';
import type { TransportOptions } from './transport.ts';
import type { ContentListParameters, Locale, PropertyContent, PropertyContentList, Result } from './types.ts';

export class Content {
  readonly #transport: TransportOptions;

  constructor(transport: TransportOptions) {
    this.#transport = transport;
  }

  /** Of one property. */
  async get(
    propertyId: string,
    options: CallOptions & { locale?: Locale | undefined } = {},
  ): Promise<Result<PropertyContent>> {
    checkFields(options, 'options');
    const path = `${pathOf('/content/v1', propertyId)}${queryOf({ locale: options.locale })}`;
    return read(this.#transport, path, isContent, options);
  }

  /** Of the properties of a city: one page, in the order of a search without dates. */
  async list(
    parameters: ContentListParameters,
    options: CallOptions = {},
  ): Promise<Result<PropertyContentList>> {
    checkFields(parameters, 'parameters');
    checkText(parameters.city, 'city');
    const path = `/content/v1/properties${queryOf(parameters)}`;
    return read(this.#transport, path, isListOf(isContent), options);
  }
}

function isContent(body: unknown): boolean {
  return isRecord(body) && typeof body['propertyId'] === 'string' && Array.isArray(body['images']);
}
