/** What a client can do with an answer next, as OpenAPI links. */
import type { Operation, OperationId } from '../partner/operations.ts';

interface Link {
  readonly operationId: OperationId;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly requestBody?: object;
}

const FIRST_ITEM = '$response.body#/items/0/propertyId';
const PROPERTY = '$response.body#/propertyId';

const LINKS: { readonly [Id in OperationId]?: Readonly<Record<string, Link>> } = {
  listPartnerProperties: {
    readProperty: {
      operationId: 'getPartnerProperty',
      description: 'Read a property of the page.',
      parameters: { propertyId: FIRST_ITEM },
    },
    checkAvailability: {
      operationId: 'getPartnerPropertyAvailability',
      description: 'Check a stay at a property of the page.',
      parameters: { propertyId: FIRST_ITEM },
    },
  },
  getPartnerProperty: {
    checkAvailability: {
      operationId: 'getPartnerPropertyAvailability',
      description: 'Check a stay at this property.',
      parameters: { propertyId: PROPERTY },
    },
  },
  getPartnerPropertyAvailability: {
    createQuote: {
      operationId: 'createPartnerQuote',
      description: 'Quote the stay that was checked. `locale` is yours to choose.',
      requestBody: {
        propertyId: PROPERTY,
        stay: {
          checkIn: '$response.body#/stay/checkIn',
          checkOut: '$response.body#/stay/checkOut',
          guests: '$response.body#/stay/guests',
        },
        locale: 'it-IT',
      },
    },
  },
};

/** `links` of a success; undefined where nothing follows. */
export function buildLinks({ operationId }: Operation): Readonly<Record<string, Link>> | undefined {
  return LINKS[operationId];
}
