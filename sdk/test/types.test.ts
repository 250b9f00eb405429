/** The types are written for people. The compiler holds them equal to the contract's; this file fails to compile when they differ. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type {
  PropertyChangeSchema,
  PropertyChangesSchema,
} from '../../src/contract/partner/change-schemas.ts';
import type { CityListSchema } from '../../src/contract/partner/city-schemas.ts';
import type {
  PropertyContent as ContractContent,
  PropertyContentList as ContractContentList,
} from '../../src/contract/partner/content-schemas.ts';
import type { StayOffer as ContractOffer } from '../../src/contract/partner/offer-schemas.ts';
import type {
  PriceCalendar as ContractCalendar,
  FlexibleStayList as ContractFlexible,
  PriceCalendarOfLengthsSchema,
  PriceDays as ContractDays,
  PriceStaysRequestSchema,
  StayPriceList as ContractPriceList,
  StayPrices as ContractPrices,
} from '../../src/contract/partner/price-schemas.ts';
import type { StayConflictProblem } from '../../src/contract/partner/problem-schemas.ts';
import type { ProblemCode as ContractCode, PROBLEMS } from '../../src/contract/partner/problems.ts';
import type {
  PartnerPropertyList,
  PartnerPropertySummary,
} from '../../src/contract/partner/property-schemas.ts';
import type { CreatePartnerQuoteRequest, PartnerQuote } from '../../src/contract/partner/quote-schemas.ts';
import type { PartnerAvailability } from '../../src/contract/partner/stay-schemas.ts';
import type {
  AuthenticationCode,
  Availability,
  ConnectionCode,
  NotFoundCode,
  PermissionCode,
  CityList,
  FlexibleStayList,
  PriceCalendar,
  PriceCalendarOfLengths,
  PriceDays,
  PriceStaysRequest,
  Problem,
  ProblemCode,
  PropertyChange,
  PropertyChanges,
  PropertyContent,
  PropertyContentList,
  PropertyList,
  PropertySummary,
  Quote,
  QuoteConflictCode,
  QuoteRequest,
  RateLimitError,
  RequestCode,
  ServerCode,
  StayportError,
  StayOffer,
  StayPriceList,
  StayPrices,
  UsageCode,
} from '../src/index.ts';
import { PAGE_SIZE_MAX } from '../src/each.ts';
import type { Static } from 'typebox';

/** The codes that the service answers with one of these statuses. */
type CodeWith<Status extends number> = {
  [Code in ContractCode]: (typeof PROBLEMS)[Code]['status'] extends Status ? Code : never;
}[ContractCode];

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

const SAME: [
  Same<PropertySummary, PartnerPropertySummary>,
  Same<PropertyList, PartnerPropertyList>,
  Same<Availability, PartnerAvailability>,
  Same<QuoteRequest, CreatePartnerQuoteRequest>,
  Same<Quote, PartnerQuote>,
  Same<PropertyContent, ContractContent>,
  Same<PropertyContentList, ContractContentList>,
  Same<StayPriceList, ContractPriceList>,
  Same<PriceStaysRequest, Static<typeof PriceStaysRequestSchema>>,
  Same<StayPrices, ContractPrices>,
  Same<StayOffer, ContractOffer>,
  Same<PriceCalendar, ContractCalendar>,
  Same<FlexibleStayList, ContractFlexible>,
  Same<PriceDays, ContractDays>,
  Same<PriceCalendarOfLengths, Static<typeof PriceCalendarOfLengthsSchema>>,
  Same<CityList, Static<typeof CityListSchema>>,
  Same<Required<Pick<Problem, 'reasons' | 'instead'>>, Pick<StayConflictProblem, 'reasons' | 'instead'>>,
  Same<PropertyChange, Static<typeof PropertyChangeSchema>>,
  Same<PropertyChanges, Static<typeof PropertyChangesSchema>>,
  Same<Exclude<StayportError['code'], ConnectionCode | UsageCode>, ContractCode>,
  Same<ProblemCode, ContractCode>,
  Same<RequestCode, CodeWith<400 | 410 | 413>>,
  Same<AuthenticationCode, CodeWith<401>>,
  Same<PermissionCode, CodeWith<403>>,
  Same<NotFoundCode, CodeWith<404>>,
  Same<QuoteConflictCode, CodeWith<409>>,
  Same<RateLimitError['code'], CodeWith<429>>,
  Same<ServerCode, CodeWith<500 | 503>>,
] = [
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
];

describe('the types of the SDK', () => {
  it('types of answers and codes of errors equal those of the contract', () => {
    assert.ok(SAME.every(Boolean));
  });
});

describe('the one limit that the SDK knows', () => {
  it('is the one of openapi.json', () => {
    const { paths } = JSON.parse(
      readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
    ) as OpenApi;
    const { parameters } = paths['/v1/properties'].get;
    assert.equal(parameters.find(({ name }) => name === 'pageSize')?.schema.maximum, PAGE_SIZE_MAX);
  });
});

interface OpenApi {
  readonly paths: {
    readonly '/v1/properties': {
      readonly get: {
        readonly parameters: { readonly name: string; readonly schema: { readonly maximum?: number } }[];
      };
    };
  };
}
