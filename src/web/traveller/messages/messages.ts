/**
 * Every sentence of the traveller's page, as each locale says it. A message takes values that are formatted already and
 * puts them where the language wants them; plural forms are chosen by `Intl.PluralRules`, in the locale's own file.
 */
import type { Locale } from '../../../domain/property.ts';

/** Amounts, dates and instants are texts in the same locale. */
export interface Messages {
  readonly locale: Locale;
  readonly skipToStay: string;

  readonly title: Readonly<Record<PageTitle, string>>;
  /** Of a page about a stay: `Bridge Hotel: Friday 4 to Monday 7 December 2026`. */
  readonly stayTitle: (propertyName: string, dates: string) => string;
  readonly yourStay: string;

  readonly notice: {
    readonly unchanged: Notice;
    readonly more: (quoted: string, now: string, difference: string) => Notice;
    readonly less: (quoted: string, now: string, difference: string) => Notice;
    /** The operator changed the currency: there is no difference to name. */
    readonly otherCurrency: (quoted: string, now: string) => Notice;
    readonly unavailable: Notice;
    readonly expired: (until: string) => Notice;
    readonly expiredAndUnavailable: (until: string) => Notice;
    readonly unchecked: Notice;
    readonly invalid: Notice;
    readonly notFound: Notice;
    readonly tooMany: Notice;
    readonly tryLater: Notice;
  };

  readonly checkIn: string;
  readonly checkOut: string;
  readonly lengthOfStay: string;
  readonly travellers: string;
  readonly room: string;
  readonly nights: (count: number) => string;
  readonly guests: (count: number) => string;
  readonly nightsAndGuests: (nights: string, guests: string) => string;

  readonly price: string;
  readonly quotedPrice: string;
  readonly accommodation: (nights: string) => string;
  readonly cleaningFee: string;
  readonly taxName: (code: string) => string | undefined;
  readonly cityTax: string;
  readonly total: string;
  readonly quotedTotal: string;
  readonly totalNow: string;
  readonly included: (names: string) => string;
  readonly includedTax: (name: string, amount: string) => string;
  readonly pricePerNight: string;
  readonly night: string;
  readonly indicative: string;

  readonly continue: string;
  readonly chooseDates: string;
  /** Behind the former, for those who listen: there are several such buttons. */
  readonly chosenDates: (dates: string) => string;
  readonly contactToBook: string;
  readonly contactForOtherDates: string;
  readonly contactForHelp: string;
  readonly goBack: string;

  readonly otherDates: string;
  readonly otherDatesIntro: (nights: string, guests: string) => string;
  readonly noOtherDates: string;

  readonly calendar: string;
  readonly calendarCaption: string;
  readonly week: string;
  readonly open: string;
  readonly closed: string;
  readonly yours: string;
  readonly yoursClosed: string;

  readonly about: string;
  readonly amenities: string;
  readonly amenityName: (code: string) => string | undefined;
  readonly propertyType: (code: string) => string | undefined;
  readonly place: (area: string, city: string) => string;
  readonly rating: (score: string, count: number) => string;

  readonly contact: string;
  readonly reference: (quoteId: string) => string;
}

export type PageTitle = 'invalid' | 'notFound' | 'tooMany' | 'tryLater';

/** What became of the stay: what it is, and what the traveller can do now. */
export interface Notice {
  readonly heading: string;
  readonly text: string;
}
