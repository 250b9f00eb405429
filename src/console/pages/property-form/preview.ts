/** The traveller's page for a stay at a property as typed, with the stored nights. */
import { encodeNights, encodeRates } from '../../../domain/calendar-codec.ts';
import { EMPTY_CALENDAR } from '../../../domain/calendar.ts';
import { parseLocalDate } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import { readPriceTerms } from '../../../domain/price-terms.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../domain/property.ts';
import { decideStored } from '../../../domain/quote-decision.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../../../domain/stay-limits.ts';
import { explainReview, type HandoffReview, nightsAround } from '../../../partner/quotes/check-handoff.ts';
import type { StoredProperty } from '../../../storage/catalogue/store.ts';
import type { ReadDocument } from '../../../supply/native/property-document.ts';
import type { FormFields } from './fields.ts';

/** Fields of the previewed stay, in the same form. */
export const PREVIEW_FIELDS = {
  checkIn: 'preview.checkIn',
  checkOut: 'preview.checkOut',
  guests: 'preview.guests',
  locale: 'preview.locale',
} as const;

/** Undefined unless it is a stay that a partner could ask for. */
export function readPreviewStay(fields: FormFields) {
  const textOf = (name: keyof typeof PREVIEW_FIELDS): string => fields.get(PREVIEW_FIELDS[name]) ?? '';
  const checkIn = parseLocalDate(textOf('checkIn'));
  const checkOut = parseLocalDate(textOf('checkOut'));
  const guests = Number(textOf('guests'));
  if (checkIn === undefined || checkOut === undefined || !Number.isInteger(guests)) return undefined;
  const isWithin = (count: number, max: number): boolean => count >= 1 && count <= max;
  if (!isWithin(checkOut - checkIn, STAY_NIGHTS_MAX) || !isWithin(guests, STAY_GUESTS_MAX)) return undefined;
  const locale = LOCALES.find((one) => one === textOf('locale')) ?? DEFAULT_LOCALE;
  return { checkIn, checkOut, guests, locale };
}

interface PreviewMoment {
  readonly nowMs: number;
  readonly horizonNights: number;
}

/** A review without a quote. `stored`: the stored property; undefined if it is new. */
export async function previewReview(
  { property, details }: Pick<ReadDocument, 'property' | 'details'>,
  stored: StoredProperty | undefined,
  stay: NonNullable<ReturnType<typeof readPreviewStay>>,
  moment: PreviewMoment,
): Promise<HandoffReview> {
  const shown: StoredProperty = {
    source: '',
    revision: 0,
    lowestRates: new Uint8Array(),
    ...stored,
    property,
    changedAtMs: moment.nowMs,
    terms: readPriceTerms(property),
    calendars: property.inventoryTypes.map(
      ({ inventoryTypeId }) =>
        stored?.calendars.find((calendar) => calendar.inventoryTypeId === inventoryTypeId) ?? {
          inventoryTypeId,
          nights: encodeNights(EMPTY_CALENDAR),
          rates: encodeRates(EMPTY_CALENDAR),
        },
    ),
  };
  const { decision, calendars, offered } = decideStored(shown, stay, moment);
  const offer = decision.outcome === 'priced' ? decision : undefined;
  const [reason, otherStays] =
    offer === undefined ? await explainReview({ priced: shown, calendars, offered }, stay) : [undefined, []];
  const ids = { quoteId: 'qt_preview', propertyId: property.propertyId, partnerId: '' };
  const expiresAtMs = moment.nowMs;
  const total = formatMoney(offer?.price.total ?? 0n);
  return {
    outcome: offer === undefined ? 'unavailable' : 'unchanged',
    handoff: { ...ids, ...stay, total, currency: property.currency, expiresAtMs },
    quote: {
      ...ids,
      credentialId: '',
      inventoryTypeId: offer?.type.inventoryTypeId ?? '',
      locale: stay.locale,
      createdAtMs: moment.nowMs,
      expiresAtMs,
      answer: '{}',
      breakdown: '{}',
      isTest: true,
    },
    stored: shown,
    offer,
    quotedRoom: undefined,
    reason,
    otherStays,
    nights: nightsAround(property, calendars, stay, offered),
    details,
    today: offered.first,
  };
}
