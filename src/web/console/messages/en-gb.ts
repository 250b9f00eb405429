/**
 * Every sentence of the console in British English, page by page, and what every other language has to say: `Messages`
 * is the type of this table. What belongs to a table stands together: its caption, its heads in their order, and what is
 * said when it has no rows. Ids, codes, commands and field names of JSON stay as they are in every language.
 */
import type { AnyField } from '../../../domain/calendar-fields.ts';
import type { EligibilityRule } from '../../../domain/eligibility.ts';
import type { NightState } from '../../../domain/night-state.ts';
import type { Locale } from '../../../domain/property.ts';
import { makeCounted } from '../../kit/formats.ts';
import { type Content, html as say } from '../../kit/html.ts';

export type Messages = typeof EN_GB;

const counted = makeCounted('en-GB');
const nights = (count: number) => counted(count, 'night', 'nights');
const guests = (count: number) => counted(count, 'guest', 'guests');
const days = (count: number) => counted(count, 'day', 'days');

export const EN_GB = {
  locale: 'en-GB' as Locale,
  nights,
  guests,

  frame: {
    console: 'Stayport console',
    skip: 'Skip to the content',
    pages: 'Pages',
    signOut: 'Sign out',
    sameAs: 'The same on the command line:',
    next: 'More',
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

  signIn: {
    title: 'Sign in',
    howTo:
      'You sign in with a link that works once. The operator of Stayport makes one on the server; roles are viewer, operator and admin:',
    open: 'Already signed in? Open the console',
    useLink: 'This link signs you in once. Press the button to use it.',
    button: 'Sign in',
  },

  refused: {
    back: 'To the console',
    linkInvalid: {
      title: 'This link does not work',
      text: 'It was used, has expired, or is not complete. Make a new one:',
    },
    tooMany: {
      title: 'Too many attempts',
      text: 'Too many wrong links or sessions came from your address. Wait a minute, then try again.',
    },
    role: { title: 'You may not do this', text: 'Your role does not include it. A link with another role is made so:' },
    stale: {
      title: 'Please sign in again',
      text: 'What only an administrator may do needs a sign-in of the last 5 minutes. Nothing was changed. Make a new link:',
    },
    form: {
      title: 'The form was not accepted',
      text: 'It did not come from a page of this session. Nothing was changed: open the page again.',
    },
    notFound: { title: 'There is no such page', text: 'The address is wrong, or what it names is not here.' },
    unavailable: {
      title: 'Not available now',
      text: 'The database does not answer. Try again in a moment; the log has the reason.',
    },
    failed: {
      title: 'This did not work',
      text: 'A fault of Stayport: the log has the reason. What you changed may not be there; look before you try again.',
    },
    act: { title: 'Nothing was changed' },
  },

  today: {
    allWell: 'All is well: partners are served, and nothing waits for you.',
    /** What it is. */
    says: {
      notReady: (reason: Content) => say`Partners are not served now: ${reason}`,
      heldFeed: (property: Content) => say`A calendar of ${property} is held back: it would open many nights.`,
      failingFeed: (property: Content, reason: Content) => say`A calendar of ${property} cannot be read: ${reason}`,
      silentSource: (source: Content, since: Content) => say`Source ${source} has confirmed nothing since ${since}.`,
      expiringCredential: (credential: Content, until: Content) =>
        say`Credential ${credential} ends on ${until}, and its partner has none that lasts longer.`,
      errorsRose: (partner: Content, code: Content, count: number, before: number) =>
        say`${partner} got ${count} × ${code} in the last hour, and ${before} in the hour before.`,
      unmetDemand: (place: Content, checkIn: string, stay: string, count: number) =>
        say`${place}, ${checkIn}, ${stay}: ${counted(count, 'search', 'searches')} found nothing.`,
    },
    /** What leads to where it is done. */
    acts: {
      notReady: 'Requests that failed',
      heldFeed: 'Look and accept',
      failingFeed: 'Look at the feed',
      silentSource: 'Look at the sources',
      expiringCredential: 'Rotate it',
      errorsRose: 'Look at the requests',
      unmetDemand: 'See why',
    },
  },

  partners: {
    heads: { partner: 'Partner', name: 'Name', origins: 'Browser origins', state: 'State' },
    enabled: 'enabled',
    disabled: 'disabled',
    empty: 'There are no partners yet. This makes one:',
  },

  partner: {
    fields: { name: 'Name', state: 'State', origins: 'Browser origins' },
    noOrigins: 'none: only servers may call',
    enabled: 'enabled',
    disabled: 'disabled: all its credentials are refused',
    credentials: {
      caption: 'Credentials',
      heads: {
        credential: 'Credential',
        quota: 'Quota',
        use: 'The last hour',
        lastUse: 'Last use',
        created: 'Created',
        expires: 'Expires',
        state: 'State',
        scopes: 'Scopes',
      },
    },
    noCredentials: 'This partner has no credentials yet, so it can not call. An administrator issues one below, or:',
    changes: 'Change',
    inForce: 'in force',
    revoked: 'revoked',
    expired: 'expired',
    never: 'never',
    test: 'sandbox',
    peak: (peak: number, quota: number) => `at most ${peak} of ${quota} in a minute`,
    leftOut: (count: number) =>
      `${counted(count, 'credential is', 'credentials are')} left out here. The command lists all.`,
    codes: {
      caption: 'Refused in the last 24 hours, by code',
      heads: { code: 'Code', answers: 'Answers' },
      empty: 'Nothing was refused in the last 24 hours.',
    },
    noUse: 'What this partner did lately can not be read now; the log has the reason.',
    rotate: 'Rotate',
    overlap: 'Old token works for',
    revoke: 'Revoke for good',
    issue: 'Issue a credential',
    quota: 'Requests in 60 s',
    expires: 'Expires (empty: never)',
    asTest: 'For the sandbox',
    issued: { title: 'New token', keep: 'Copy the token now: it is not shown again.', back: 'Back to the partner' },
  },

  quote: {
    title: 'Quote',
    fields: {
      partner: 'Partner',
      property: 'Property',
      type: 'Inventory type',
      stay: 'Stay',
      created: 'Created',
      expires: 'Expires',
      locale: 'Language',
      test: 'Test',
    },
    stay: (checkIn: string, checkOut: string, guestCount: number) => `${checkIn} to ${checkOut}, ${guests(guestCount)}`,
    sandbox: 'of the sandbox',
    price: 'Price',
    parts: {
      accommodation: 'Accommodation',
      cleaningFee: 'Cleaning fee',
      taxes: 'Taxes and fees',
      total: 'Total',
      discount: 'Discount',
    },
    nights: {
      caption: 'Nights',
      heads: { date: 'Night', rate: 'Rate', extraGuests: 'Extra guests', discount: 'Discount', price: 'Price' },
      empty: '–',
    },
    taxes: {
      caption: 'Taxes and fees',
      heads: {
        code: 'Code',
        kind: 'Kind',
        logic: 'Logic',
        nights: 'Nights',
        inclusive: 'In the rates',
        amount: 'Added',
        included: 'Included',
      },
      empty: 'The property has no tax rules.',
    },
  },

  requests: {
    heads: {
      at: 'When',
      partner: 'Partner',
      operation: 'Operation',
      answer: 'Answer',
      asked: 'Asked for',
      total: 'Found',
      duration: 'Took',
      correlation: 'Correlation id',
    },
    fields: {
      partner: 'Partner',
      status: 'Status (404 or 4xx)',
      code: 'Code',
      operation: 'Operation',
      since: 'Since (such as 1h)',
      correlation: 'Correlation id',
    },
    any: 'any',
    button: 'Show',
    all: 'All requests',
    next: 'Older requests',
    empty: 'No partner has asked anything yet. Issue a token, and let the partner search:',
    nothing:
      'No such request. Try with fewer conditions; the correlation id is the header X-Correlation-ID of an answer.',
    about:
      'The last 4,096 answers of each thread of this machine are in memory. Stored are refusals (but those of limits), quotes, and 1 % of the rest.',
  },

  request: {
    title: 'Request',
    back: 'All requests',
    fields: {
      at: 'When',
      partner: 'Partner',
      operation: 'Operation',
      answer: 'Answer',
      asked: 'Asked for',
      total: 'Found',
      duration: 'Took',
      quote: 'Quote',
      credential: 'Credential',
    },
    why: 'Why',
    now: 'Judged by what is open now, not by what was when it was asked.',
    says: {
      noSuchProperty: 'There is no property with this id.',
      hiddenProperty: 'The property exists, but its document does not make it visible to this partner.',
      unknownPlace:
        'No property answers to this city. Names are listed under Demand once they were asked for three times.',
      undated:
        'The search had no dates: no property of this city is visible to the partner, or none hosts so many guests.',
    },
    someJudged: (judged: number, all: number) =>
      `${judged} of ${counted(all, 'property', 'properties')} that the partner sees`,
    passed: 'Its check-in has passed.',
    opens: 'By now at least one property can host it.',
    none: 'The partner sees no property of this city.',
    nearest: (date: string, properties: number) =>
      `Nearest opening of the same length: ${date}, at ${counted(properties, 'property', 'properties')}.`,
    explain: 'All rules, nights and prices of this stay',
    again: 'Ask again as this partner, now',
    againWhy: 'Uses no quota and stores nothing. Language, country and page size are not kept: it asks without them.',
    curl: 'The same for a shell, with the partner’s token in TOKEN:',
    askedAgain: 'Asked again',
    same: 'The answer is the same as then.',
    other: 'The answer differs from the one then.',
    before: 'Then',
    cut: 'The rest of the answer is left out.',
  },

  properties: {
    heads: { property: 'Property', name: 'Name', city: 'City' },
    label: 'Id or name begins with',
    button: 'Search',
    first: 'All properties',
    empty: 'There are no properties yet. This reads them from a file:',
    nothing: 'No property has an id or a name that begins so. Try fewer letters.',
  },

  property: {
    place: (city: string, country: string, today: string, timezone: string) =>
      `${city}, ${country}. Today there is ${today} (${timezone}).`,
    source: (name: string) => `The document is from the source “${name}”.`,
    nights: 'Nights',
    stay: 'Why is a stay possible, or not?',
    fields: {
      checkIn: 'Check-in',
      checkOut: 'Check-out',
      guests: 'Guests',
      type: 'Inventory type',
      from: 'First night',
      to: 'Last night',
    },
    explain: 'Explain',
    allTypes: 'All types',
    acts: { close: 'Close nights', open: 'Open nights' },
    did: { close: 'Closed manually:', open: 'No longer closed manually:' },
    unchanged: {
      close: 'These nights were closed manually already.',
      open: 'None of these nights was closed manually. A night that stays closed says which source closes it.',
    },
    undo: 'Undo',
    closed: {
      caption: 'Closed manually',
      heads: { type: 'Inventory type', nights: 'Nights' },
      empty: 'No night from today on is closed manually.',
    },
    takeBack: 'Take back',
    confirmed: {
      caption: 'Sources',
      heads: { source: 'Source', at: 'Last confirmed the calendar' },
      empty: 'No source has confirmed the calendar yet.',
    },
    published: { caption: 'Published calendars', heads: { type: 'Inventory type', at: 'Published' } },
    notPublished: 'No calendar of this property is published. This makes a URL for other platforms:',
  },

  heatMap: {
    caption: 'Nights for sale by inventory type; each night leads to who set what',
    hint: 'Arrows move from night to night, Enter opens one. Space or Shift+click chooses the first and last night for the forms.',
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
    whys: {
      past: 'It is before today at the property.',
      closed: 'A source has stop-sell for it: one is enough.',
      sold: 'Of all sources the lowest number of units counts. Where none was ever set, there is none.',
      unpriced: 'It could be sold, but its price source has set no rate.',
      restricted: 'It is sold, but not to every stay.',
      open: 'It is sold to any stay that the type can host.',
    } satisfies Readonly<Record<NightState, string>>,
    fields: {
      availability: 'Units left',
      rate: 'Rate',
      ratesByGuests: 'Rates by guests',
      stopSell: 'Stop-sell',
      closedToArrival: 'Closed to arrival',
      closedToDeparture: 'Closed to departure',
      minStayArrival: 'Minimum stay on arrival',
      minStayThrough: 'Minimum stay through',
      maxStay: 'Maximum stay',
    } satisfies Readonly<Record<AnyField, string>>,
    is: 'This night is',
    settings: {
      caption: 'Who set what',
      heads: { field: 'Field', value: 'Value', source: 'Source', at: 'Since', message: 'Message', decides: 'Decides' },
      empty: 'No source has set anything for this night, so it has no unit to sell.',
    },
    decides: 'yes',
    stricter: 'no, another source is stricter',
    byHand: 'Source “manual” is a person: the audit says who.',
    ifGone: {
      caption: 'If a source had said nothing',
      heads: { source: 'Without', state: 'The night would be', changes: 'What would change' },
    },
    noChange: 'nothing',
    notSet: 'not set',
    yes: 'yes',
    no: 'no',
    before: 'The night before',
    after: 'The night after',
    stay: 'Explain a stay of this night',
  },

  explain: {
    title: 'Stay explained',
    back: 'To the property',
    ask: (stayMax: number, guestsMax: number) =>
      `Choose a check-in, a check-out at most ${nights(stayMax)} later, and up to ${guests(guestsMax)}.`,
    outcomes: {
      priced: 'A quote would be made.',
      STAY_UNAVAILABLE: 'No inventory type can host this stay (STAY_UNAVAILABLE).',
      QUOTE_UNAVAILABLE: 'The stay is possible, but there is no price for it (QUOTE_UNAVAILABLE).',
    },
    about: (nightCount: number, guestCount: number, first: string, last: string) =>
      `${nights(nightCount)}, ${guests(guestCount)}. Nights from ${first} to ${last} can be sold.`,
    notQuoting: 'Quoting is switched off in the property’s document.',
    eligible: 'can host it',
    notEligible: 'cannot host it',
    isQuoted: 'the quote would be for this type',
    refusals: { caption: 'What is against it', heads: { rule: 'Rule', night: 'Night' } },
    /** Why a stay is refused; `value` is the limit. */
    rules: {
      guestsMax: (value: string) => `hosts at most ${guests(Number(value))}`,
      today: (value: string) => `before today, ${value}, at the property`,
      horizon: (value: string) => `beyond the last night offered, ${value}`,
      minAdvanceDays: (value: string) => `arrival takes at least ${days(Number(value))} ahead`,
      maxAdvanceDays: (value: string) => `arrival takes at most ${days(Number(value))} ahead`,
      availability: () => 'no unit left',
      stopSell: () => 'sale is stopped',
      closedToArrival: () => 'closed to arrival',
      closedToDeparture: () => 'closed to departure',
      minStayArrival: (value: string) => `arrival takes at least ${nights(Number(value))}`,
      minStayThrough: (value: string) => `staying takes at least ${nights(Number(value))}`,
      maxStay: (value: string) => `arrival allows at most ${nights(Number(value))}`,
    } satisfies Readonly<Record<EligibilityRule, (value: string) => string>>,
    price: {
      caption: 'Price',
      heads: { part: 'Part', amount: 'Amount' },
      empty: 'A night has no rate, so the stay has no price.',
    },
    parts: { accommodation: 'Accommodation', cleaningFee: 'Cleaning fee', taxes: 'Taxes', total: 'Total' },
    discount: (code: string, percent: string) => `Discount ${code}, ${percent} %, taken off already`,
    nights: { caption: 'Nights', heads: { night: 'Night', open: 'Open', units: 'Units left', rate: 'Rate' } },
    open: 'yes',
    notOpen: 'no',
  },

  supply: {
    held: 'Calendars held back',
    heldWhy:
      'They would open half or more of the nights that they have closed. Accept one if that is right; the same calendar a second time is accepted by itself.',
    opens: 'Would open',
    closes: 'Would close',
    leftOut: (count: number) => `and ${count} more`,
    accept: 'Accept',
    failing: 'Calendars that cannot be read',
    sources: {
      caption: 'Sources, the longest silent first',
      heads: { source: 'Source', newest: 'Last confirmed', oldest: 'Oldest confirmation', properties: 'Properties' },
    },
    noSources: 'No source has confirmed anything yet. This reads a file:',
    messages: {
      caption: 'Newest messages',
      heads: {
        at: 'Received',
        source: 'Source',
        kind: 'Kind',
        verdict: 'Verdict',
        changed: 'Changed',
        errors: 'Errors',
        warnings: 'Warnings',
        message: 'Message',
      },
    },
    verdicts: { applied: 'applied', partial: 'applied in part', refused: 'refused' },
    noMessages: 'No message has arrived. Systems send them to the operator listener:',
    moreFeeds: 'There are more:',
    freshness: {
      caption: 'Freshness by property',
      heads: { property: 'Property', source: 'Source', at: 'Confirmed', hours: 'Hours ago' },
    },
    moreFreshness: 'There are more; the oldest are listed by',
  },

  feeds: {
    caption: 'Subscribed calendars',
    heads: {
      feed: 'Feed',
      property: 'Property',
      type: 'Inventory type',
      from: 'From',
      state: 'State',
      nights: 'Closed nights',
      confirmed: 'Confirmed',
      next: 'Next fetch',
    },
    states: { new: 'not fetched yet', ok: 'in order', held: 'held back', failing: 'failing' },
    empty: 'No calendar is subscribed. This subscribes one:',
  },

  /** The form of a report. */
  days: { fields: { from: 'From', to: 'To', city: 'City', country: 'Country', partner: 'Partner' }, button: 'Show' },

  funnel: {
    columns: {
      searches: 'Searches',
      looks: 'Looks',
      quotes: 'Quotes',
      opened: 'Opened',
      priceChanged: 'Price changed',
      continued: 'Continued',
      converted: 'Booked',
    },
    byDay: 'By day (UTC)',
    byPartner: 'By partner',
    day: 'Day',
    partner: 'Partner',
    total: 'Total',
    lookToBook: 'Look to book',
    ratio: (looks: string) => `${looks} looks to a booking`,
    noBooking: 'no booking yet',
    drift: {
      caption: 'Prices that had changed, by the age of the quote when it was first opened',
      heads: {
        age: 'Age',
        compared: 'Compared',
        priceChanged: 'Price changed',
        share: 'Share',
        average: 'Average change',
      },
      ages: {
        '0-1h': 'up to an hour',
        '1-24h': '1 to 24 hours',
        '1-3d': '1 to 3 days',
        '3-7d': '3 to 7 days',
        '7d+': 'a week and more',
      },
      about:
        'Compared are quotes whose price could be computed again at that moment. The average is of those that changed; with a plus they became dearer.',
    },
    about:
      'Searches have dates; looks are availability answers and quotes. Quotes, and what became of them, count on the day of the quote.',
    empty: 'Nothing was asked in these days. Choose other days, or issue a token:',
    more: 'There are more partners; the command lists them all.',
  },

  demand: {
    map: 'Share of searches that found nothing, by city and week of arrival',
    mapWhy: 'Percent, and below it how many of how many searches. The darker, the more was not met.',
    city: 'City',
    of: (empty: number, searches: number) => `${empty} of ${searches}`,
    all: 'All weeks',
    leftOut: (cities: number, weeks: number) =>
      `Left out: ${counted(cities, 'city', 'cities')} and ${counted(weeks, 'week', 'weeks')}. The command lists all.`,
    noSearches: 'Nobody searched with dates in these days. Choose other days, or let a partner search.',
    unmet: {
      caption: 'Stays that found nothing, most asked first',
      heads: {
        city: 'City',
        arrival: 'Arrival',
        stay: 'Stay',
        searches: 'Searches',
        causes: 'Why (properties)',
        nearest: 'Nearest opening',
      },
      empty: 'No stay to come was searched in vain, or none is judged yet: that takes up to half a minute.',
    },
    unmetWhy: 'Judged by what is open now. A property counts once, under its first reason.',
    nearest: (date: string, properties: number) => `${date}, at ${counted(properties, 'property', 'properties')}`,
    otherStays: 'other stays',
    moreUnmet: 'There are more:',
    unknown: {
      caption: 'Places that nobody offers here',
      heads: { place: 'Place', searches: 'Searches' },
      empty: 'No unknown place was searched three times in these days.',
    },
  },

  /** Why searches found nothing. */
  unmet: {
    heads: { rule: 'Reason', source: 'Set by source', properties: 'Properties' },
    rules: {
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
  },

  audit: {
    heads: { at: 'When', person: 'Who', role: 'Role', act: 'Did', on: 'On', from: 'From', to: 'To' },
    done: 'done',
    failed: 'failed',
    empty: 'Nothing was changed in these days. What people and commands change appears here.',
  },
};
