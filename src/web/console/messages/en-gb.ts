/**
 * Every sentence of the console in British English, page by page, and what every other language has to say: `Messages`
 * is the type of this table. Words that head columns and fields are there once, for every page. Ids, codes, commands and
 * field names of JSON stay as they are in every language.
 */
import type { ActName } from '../../../console/paths.ts';
import type { TodayKind } from '../../../console/today.ts';
import type { AnyField } from '../../../domain/calendar-fields.ts';
import type { EligibilityRule } from '../../../domain/eligibility.ts';
import type { NightState } from '../../../domain/night-state.ts';
import type { OperationId } from '../../../contract/partner/operations.ts';
import type { Locale } from '../../../domain/property.ts';
import { makeCounted, makeDecimal } from '../../kit/formats.ts';
import { type Content, type Html, html as say } from '../../kit/html.ts';

export type Messages = typeof EN_GB;

type Says = Readonly<Record<TodayKind, (subject: Content, values: Readonly<Record<string, Content>>) => Html>>;

const counted = makeCounted('en-GB');
const decimal = makeDecimal('en-GB');
const nights = (count: number) => counted(count, 'night', 'nights');
const guests = (count: number) => counted(count, 'guest', 'guests');

export const EN_GB = {
  locale: 'en-GB' as Locale,
  nights,
  guests,
  /** `1,250.00` of an amount or a count, as the language writes it. */
  decimal,

  /** What columns and fields are called; those of JSON by their names there, without the end `Id` or `At`. */
  words: {
    partner: 'Partner',
    name: 'Name',
    origins: 'Browser origins',
    state: 'State',
    yes: 'yes',
    no: 'no',
    // Credentials.
    credential: 'Credential',
    quota: 'Requests per minute',
    scopes: 'Scopes',
    use: 'The last hour',
    used: 'Last use',
    created: 'Created',
    expires: 'Expires',
    expiresAsked: 'Expires (empty: never)',
    overlap: 'Old token works for',
    sandbox: 'Sandbox',
    // How a partner does.
    lastCall: 'Last call',
    requests: 'Requests',
    refused: 'Refused',
    tokenEnds: 'Last token ends',
    // Requests, and what is searched for.
    at: 'When',
    operation: 'Operation',
    answer: 'Answer',
    asked: 'Asked for',
    found: 'Found',
    duration: 'Took',
    code: 'Code',
    count: 'Answers',
    correlation: 'Correlation id',
    quote: 'Quote',
    before: 'Then',
    status: 'Answer',
    since: 'Not older than',
    search: 'Words of a name, or an id',
    sort: 'Sort by',
    nextNight: 'Next free night',
    nightPrice: 'Price that night',
    openShare: 'Nights open',
    lastChange: 'Last change',
    // Properties, types and stays.
    property: 'Property',
    city: 'City',
    country: 'Country',
    inventoryType: 'Room type',
    stay: 'Stay',
    checkIn: 'Check-in',
    checkOut: 'Check-out',
    guests: 'Guests',
    nights: 'Nights',
    date: 'Night',
    dateFrom: 'First night',
    dateTo: 'Last night',
    changes: 'Change',
    rule: 'Rule',
    // What a source sets for a night, and what else may be against a stay.
    availability: 'Units left',
    rate: 'Rate',
    ratesByGuests: 'Rates by guests',
    stopSell: 'Stop-sell',
    closedToArrival: 'Closed to arrival',
    closedToDeparture: 'Closed to departure',
    maxStay: 'Maximum stay',
    minStayArrival: 'Minimum stay on arrival',
    minStayThrough: 'Minimum stay through',
    guestsMax: 'Guests at most',
    today: 'First night offered',
    horizon: 'Last night offered',
    minAdvanceDays: 'Days ahead at least',
    maxAdvanceDays: 'Days ahead at most',
    field: 'Field',
    value: 'Value',
    message: 'Message',
    decides: 'Decides',
    open: 'Open',
    limit: 'Limit',
    // Prices and taxes.
    accommodation: 'Accommodation',
    cleaningFee: 'Cleaning fee',
    taxes: 'Taxes and fees',
    amount: 'Added',
    total: 'Total',
    discount: 'Discount',
    extraGuests: 'Extra guests',
    price: 'Price',
    kind: 'Kind',
    logic: 'Logic',
    inclusive: 'In the rates',
    included: 'Included',
    locale: 'Language',
    // What comes in.
    source: 'Source',
    properties: 'Properties',
    newestConfirmed: 'Last confirmed',
    ageHours: 'Hours ago',
    oldestConfirmed: 'Oldest confirmation',
    confirmed: 'Confirmed',
    published: 'Published',
    host: 'Host',
    received: 'Received',
    verdict: 'Verdict',
    changed: 'Changed',
    errors: 'Errors',
    warnings: 'Warnings',
    feed: 'Feed',
    nextPoll: 'Next fetch',
    wouldOpen: 'Would open',
    wouldClose: 'Would close',
    // Reports.
    from: 'From',
    to: 'To',
    day: 'Day',
    searches: 'Searches',
    looks: 'Looks',
    quotes: 'Quotes',
    opened: 'Opened',
    priceChanged: 'Price changed',
    continued: 'Continued',
    converted: 'Booked',
    lookToBook: 'Look to book',
    age: 'Age',
    compared: 'Compared',
    share: 'Share',
    average: 'Average change',
    text: 'Place',
    causes: 'Why (properties)',
    nearest: 'Nearest opening',
    reason: 'Reason',
    setBy: 'Set by source',
    person: 'Who',
    role: 'Role',
    act: 'Did',
    on: 'On',
  } satisfies Readonly<Record<AnyField | EligibilityRule, string>> & Readonly<Record<string, string>>,

  frame: {
    console: 'Stayport console',
    skip: 'Skip to the content',
    asOf: (time: Content) => say`As of ${time}.`,
    pages: 'Pages',
    back: 'Back',
    again: 'Try again',
    all: 'All',
    sameAs: 'The same on the command line:',
    next: 'More',
    show: 'Show',
    thereAreMore: 'There are more:',
    none: 'None.',
    noneYet: 'Nothing is here yet. This makes a start:',
    unread: (names: string) => `Left out, because it cannot be used: ${names}.`,
    leftOut: (count: number) => `and ${count} more`,
  },

  /** Pages in the bar, by `data-page`; also their titles. */
  bar: {
    today: 'Today',
    partners: 'Partners',
    requests: 'Requests',
    properties: 'Properties',
    supply: 'Supply',
    funnel: 'Funnel',
    demand: 'Demand',
    audit: 'Audit',
  },

  /** Buttons of the forms that change something, by `data-act`. */
  acts: {
    issue: 'Issue a credential',
    rotate: 'Rotate',
    revoke: 'Revoke for good',
    accept: 'Accept',
    close: 'Close nights',
    open: 'Open nights',
    'ask-again': 'Ask again as this partner, now',
    'sign-in': 'Sign in',
    'sign-out': 'Sign out',
  } satisfies Readonly<Record<ActName, string>>,

  signIn: {
    howTo: 'You sign in with a link that works once. It is made on the server; roles are viewer, operator and admin:',
    open: 'Already signed in? Open the console',
    useLink: 'The link works once: the button signs you in with it.',
  },

  /** Titles of what is answered instead of a page, or of the outcome of a form. */
  refused: {
    linkInvalid: 'This link was used, has expired, or is not complete',
    tooMany: 'Too many wrong links or sessions from your address: wait a minute',
    role: 'Your role does not include this. Links with another role are made on the server',
    stale: 'Administrators must have signed in within 5 minutes. Please sign in again; nothing was changed',
    form: 'The form is not of a page of this session. Open the page again; nothing was changed',
    notFound: 'There is no such page',
    unavailable: 'The database does not answer, or too many pages are being made: try again in a moment',
    failed: 'A fault of Stayport: the log has the reason. See whether your change is there before you try again',
    act: 'Nothing was changed',
  },

  today: {
    allWell: 'All is well: partners are served, and nothing waits for you.',
    numbers: 'Last 7 days (UTC, today included)',
    needed: 'What needs a person',
    requests: 'Requests',
    value: 'Booking value',
    p99: 'Slowest 1% (p99)',
    refused: 'Refused',
    before: (text: string) => `${text} the week before`,
    line: (label: string, first: string, high: string, last: string) =>
      `${label}, 14 days: first ${first}, highest ${high}, last ${last}`,
    kinds: {
      notReady: 'Service',
      noProperties: 'Properties',
      heldFeed: 'Calendars held back',
      failingFeed: 'Calendars that fail',
      silentSource: 'Silent sources',
      expiringCredential: 'Credentials that end',
      errorsRose: 'More refusals than before',
      unmetDemand: 'Searches in vain',
    },
    /** What it is, of whom, with the values of its row; the whole leads to where it is done. */
    says: {
      notReady: (_nobody, { reason }) => say`Partners are not served now: ${reason}`,
      noProperties: () => say`There are no properties yet: partners find nothing.`,
      heldFeed: (property, { type }) =>
        say`A calendar of ${property} (${type}) is held back: it would open many nights.`,
      failingFeed: (property, { type, reason }) => say`A calendar of ${property} (${type}) cannot be read: ${reason}.`,
      silentSource: (source, { since }) => say`Source ${source} has confirmed nothing since ${since}.`,
      expiringCredential: (credential, { partner, until }) =>
        say`Credential ${credential} of ${partner} ends on ${until}. All credentials of this partner end soon.`,
      errorsRose: (partner, { code, count, before }) =>
        say`Partner ${partner} got ${count} × ${code} in the last hour, and ${before} in the hour before.`,
      unmetDemand: (place, { checkIn, nights: stay, guests: people, count }) =>
        say`${place}, ${checkIn}, ${stay}, ${people}: ${counted(Number(count), 'search', 'searches')} found nothing.`,
    } satisfies Says as Says,
  },

  partners: {
    enabled: 'enabled',
    disabled: 'disabled: all its credentials are refused',
    noOrigins: 'none: only servers may call',
    credentials: 'Credentials',
    inForce: 'active',
    revoked: 'revoked',
    revokeAsk: 'Revoke…',
    lastUse: 'last use',
    expired: 'expired',
    never: 'never',
    peak: (peak: number, quota: number) => `at most ${decimal(String(peak))} of ${decimal(String(quota))} in a minute`,
    codes: 'Refused in the last 24 hours, by code',
    noUse: 'What this partner did lately cannot be read now; the log has the reason.',
    week: 'Last 7 days (UTC, today included). Bookings are those that your booking system reported.',
    noTraffic: 'Calls of partners cannot be read now; the log has the reason.',
    unassigned: (count: string) => `${count} more requests are counted without their partner: memory had no room.`,
    notKnown: 'not known now',
    neverCalled: 'never',
    noneRecorded: 'none is recorded',
    notCounted: 'not counted yet',
    notSince: (date: string) => `none since ${date}; earlier ones are not kept`,
    noEnd: 'no end',
    noToken: 'no valid token',
    newToken: 'New token',
    keep: 'Copy the token now: it is not shown again.',
  },

  requests: {
    title: 'Request',
    any: 'any',
    filter: 'Filter',
    verbs: {
      listPartnerProperties: 'searched',
      getPartnerProperty: 'read a property',
      getPartnerPropertyAvailability: 'checked a stay',
      createPartnerQuote: 'quoted',
      searchStayPrices: 'searched with totals',
      priceStays: 'priced a list',
      getPriceCalendar: 'read a price calendar',
      listPropertyContent: 'read texts of a city',
      getPropertyContent: 'read texts of a property',
    } satisfies Readonly<Record<OperationId, string>>,
    statuses: { '2xx': 'answered (2xx)', '4xx': 'refused (4xx)', '5xx': 'not served (5xx)' },
    ages: { '15m': '15 minutes', '1h': 'an hour', '24h': 'a day', '7d': 'a week' },
    next: 'Older requests',
    why: 'Why',
    about: 'In memory are the last 4,096 answers of each thread; stored are refusals, quotes, and 1% of the rest.',
    now: 'Judged by what is open now, not by what was when it was asked.',
    says: {
      noSuchProperty: 'There is no property with this id.',
      hiddenProperty: 'The property exists, but its document does not make it visible to this partner.',
      unknownPlace: 'No property answers to this city. Names that were asked for three times are under Demand.',
      undated: 'The search had no dates: the partner sees no property of this city, or none hosts so many guests.',
    },
    judged: (judged: number, all: number) =>
      `Judged: ${judged} of ${counted(all, 'property', 'properties')} that the partner sees.`,
    passed: 'Its check-in has passed.',
    opens: 'By now at least one property can host it.',
    none: 'The partner sees no property of this city.',
    nearest: (opening: string) => `Nearest opening of the same length: ${opening}.`,
    againWhy: 'Uses no quota and stores nothing. Language, country and page size are not kept: it asks without them.',
    curl: 'The request as a shell command, with the partner’s token in TOKEN:',
    same: 'The answer is the same as then.',
    sameCount: 'As many properties as then. Which ones they were is not kept, so they are not compared.',
    sameStatus: 'The status is the same as then. What the answer said is not kept, so it is not compared.',
    other: 'The answer differs from the one then.',
    thenNow: (before: number, now: number) => `then ${before}, now ${now}`,
    body: 'The answer as JSON',
  },

  properties: {
    count: (count: number, text: string) => `${text} ${count === 1 ? 'property' : 'properties'}.`,
    about: (nightCount: number) =>
      `Nights open: share of the next ${nightCount} nights that some type sells. The price is the lowest of that night.`,
    tooMany: 'There are 10,000 properties or more: search for a name. They are not counted, and not sorted but by id.',
    noNight: 'none',
    byId: 'Id',
    byMatch: 'What matches',
    rising: 'ascending',
    falling: 'descending',
  },

  property: {
    place: (city: string, country: string, today: string, timezone: string, source: string) =>
      `${city}, ${country}. It is now ${today} (${timezone}). Its document is from the source “${source}”.`,
    explain: 'Explain a stay',
    allTypes: 'All types',
    did: { close: 'Closed', open: 'Opened' },
    undo: 'Undo',
    unchanged: 'nothing was changed',
    closed: 'Closed manually',
    sources: 'Sources',
    published: 'Published calendars',
    caption: 'Nights for sale by room type; each night leads to who set what.',
    hint: 'Arrows go from night to night, Enter opens one. Space or Shift+click chooses the first and the last night.',
    tapHint: 'Tap the first night, then the last one.',
    showInCells: 'In the cells',
    figures: { state: 'State', price: 'Price', units: 'Units left' },
    figureNote: {
      price: (currency: string) => `Price per night in ${currency}, rounded up; by guests, the lowest.`,
      units: (_currency: string) => 'Units left to sell.',
    },
    chosen: 'Change nights or ask for a price',
    openNight: 'Open the night',
    priceAndExplain: 'Price and explain',
    otherSource: (sources: string) => `Still closed by ${sources}: only that source can open these nights.`,
  },

  night: {
    /** In a cell of the heat-map; each another one. */
    letters: {
      past: '–',
      closed: 'C',
      sold: 'S',
      unpriced: 'P',
      restricted: 'R',
      open: 'O',
    } satisfies Readonly<Record<NightState, string>>,
    states: {
      past: 'past',
      closed: 'closed (stop-sell)',
      sold: 'sold out (no unit left)',
      unpriced: 'without a price',
      restricted: 'restricted (arrival, departure or length of stay)',
      open: 'open',
    } satisfies Readonly<Record<NightState, string>>,
    setBy: 'Who set what',
    ifGone: 'Without this source',
    why: 'The strictest source decides. Where none has set units, there are none; “manual” is a person, whom Audit names.',
    before: 'The night before',
    after: 'The night after',
  },

  explain: {
    title: 'Stay explained',
    ask: (stayMax: number, guestsMax: number) =>
      `Choose a check-in, a check-out at most ${nights(stayMax)} later, and up to ${guests(guestsMax)}.`,
    outcomes: {
      priced: 'A quote would be made.',
      STAY_UNAVAILABLE: 'No room type can host this stay (STAY_UNAVAILABLE).',
      QUOTE_UNAVAILABLE: 'The stay is possible, but there is no price for it (QUOTE_UNAVAILABLE).',
    },
    about: (nightCount: number, guestCount: number, first: string, last: string) =>
      `${nights(nightCount)}, ${guests(guestCount)}. Nights from ${first} to ${last} can be sold.`,
    notQuoting: 'Quoting is switched off in the property’s document.',
    eligible: 'can host it',
    notEligible: 'cannot host it',
    isQuoted: 'the quote would be for this type',
    refusals: 'What is against it',
    folded: 'Its price and nights',
    noPrice: 'A night has no rate, so the stay has no price.',
  },

  supply: {
    held: 'Calendars held back',
    heldWhy: 'They would open half or more of the nights that they closed. The same calendar, sent again, is accepted.',
    failing: 'Calendars that cannot be read',
    feeds: 'Subscribed calendars',
    messages: 'Newest messages',
    sources: 'Sources, the longest silent first',
    freshness: 'Freshness by property, the oldest first',
    ofSource: (properties: number) => counted(properties, 'property', 'properties'),
    verdicts: { applied: 'applied', partial: 'applied in part', refused: 'refused' },
    states: { new: 'not fetched yet', ok: 'in order', held: 'held back', failing: 'failing' },
  },

  funnel: {
    byDay: 'By day (UTC)',
    table: 'The numbers by day, newest first',
    value: 'Booking value',
    lastDays: (count: number) => `Last ${count} days`,
    share: (percent: string, before: string) => `${percent} of ${before.toLowerCase()}`,
    byPartner: 'By partner',
    noBooking: 'no booking yet',
    ratio: (looks: string) => `${looks} looks to a booking`,
    about: 'Looks are availability answers and quotes. Quotes, and what became of them, count on the day of the quote.',
    drift: 'Prices that had changed, by the age of the quote when it was first opened',
    ages: {
      '0-1h': 'up to an hour',
      '1-24h': '1 to 24 hours',
      '1-3d': '1 to 3 days',
      '3-7d': '3 to 7 days',
      '7d+': 'a week and more',
    },
    driftWhy: 'Compared are prices that could be computed again then. The average is of those that changed; +: dearer.',
  },

  demand: {
    map: 'Share of searches that found nothing, by city and week of arrival',
    of: (empty: string, searches: string) => `${empty} of ${searches}`,
    all: 'All weeks',
    otherStays: 'other stays',
    unmet: 'Stays that found nothing, most asked first',
    unmetWhy: 'Of all days and partners, judged by what is open now. A property counts once, under its first reason.',
    nearest: (date: string, properties: number) => `${date}, at ${counted(properties, 'property', 'properties')}`,
    unknown: 'Places that nobody offers here',
  },

  /** Why searches found nothing. */
  unmet: {
    sold_out: 'sold out',
    stop_sell: 'sale stopped',
    closed_to_arrival: 'closed to arrival',
    closed_to_departure: 'closed to departure',
    min_stay: 'minimum stay is longer',
    max_stay: 'maximum stay is shorter',
    advance: 'too soon or too far ahead',
    guests: 'too small for the guests',
    beyond_horizon: 'not offered yet, or past',
  },

  audit: { done: 'done', failed: 'failed', nothing: 'none' },
};
