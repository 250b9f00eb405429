/**
 * Every sentence of the console in British English, page by page, and what every other language has to say: `Messages`
 * is the type of this table. Words that head columns and fields are there once, for every page. Ids, codes, commands and
 * field names of JSON stay as they are in every language.
 */
import type { TodayKind } from '../../../console/today.ts';
import type { AnyField } from '../../../domain/calendar-fields.ts';
import type { EligibilityRule } from '../../../domain/eligibility.ts';
import type { NightState } from '../../../domain/night-state.ts';
import type { Locale } from '../../../domain/property.ts';
import { makeCounted } from '../../kit/formats.ts';
import { type Content, type Html, html as say } from '../../kit/html.ts';

export type Messages = typeof EN_GB;

type Says = Readonly<Record<TodayKind, (subject: Content, values: Readonly<Record<string, Content>>) => Html>>;

const counted = makeCounted('en-GB');
const nights = (count: number) => counted(count, 'night', 'nights');
const guests = (count: number) => counted(count, 'guest', 'guests');
const days = (count: number) => counted(count, 'day', 'days');

export const EN_GB = {
  locale: 'en-GB' as Locale,
  nights,
  guests,
  /** An amount of the contract, `1250.00`, with the sign that the language has before its cents. */
  decimal: (text: string) => text,

  /** What columns, fields and parts of pages are called, by what they belong to. */
  words: {
    ...{ partner: 'Partner', name: 'Name', origins: 'Browser origins', state: 'State', yes: 'yes', no: 'no' },
    // Credentials.
    ...{ credential: 'Credential', quota: 'Quota', scopes: 'Scopes', use: 'The last hour', lastUse: 'Last use' },
    ...{ issued: 'Created', expires: 'Expires', changes: 'Change', overlap: 'Old token works for' },
    ...{ quotaAsked: 'Requests in 60 s', expiresAsked: 'Expires (empty: never)', asTest: 'For the sandbox' },
    // Requests, and what is searched for.
    ...{ at: 'When', operation: 'Operation', answer: 'Answer', asked: 'Asked for', found: 'Found', duration: 'Took' },
    ...{ code: 'Code', answers: 'Answers', correlation: 'Correlation id', quote: 'Quote', before: 'Then' },
    ...{ status: 'Status (404 or 4xx)', since: 'Since (such as 1h)', search: 'Id or name begins with' },
    // Properties, types and stays.
    ...{ property: 'Property', city: 'City', country: 'Country', type: 'Inventory type' },
    ...{ stay: 'Stay', checkIn: 'Check-in', checkOut: 'Check-out', guests: 'Guests', arrival: 'Arrival' },
    ...{ night: 'Night', nights: 'Nights', firstNight: 'First night', lastNight: 'Last night', takeBack: 'Take back' },
    // What a source sets for a night.
    ...{ availability: 'Units left', rate: 'Rate', ratesByGuests: 'Rates by guests', stopSell: 'Stop-sell' },
    ...{ closedToArrival: 'Closed to arrival', closedToDeparture: 'Closed to departure' },
    ...{ maxStay: 'Maximum stay', minStayArrival: 'Minimum stay on arrival', minStayThrough: 'Minimum stay through' },
    ...{ field: 'Field', value: 'Value', setAt: 'Since', message: 'Message', decides: 'Decides', open: 'Open' },
    ...{ without: 'Without', stateThen: 'The night would be', changesThen: 'What would change' },
    // Prices and taxes.
    ...{ accommodation: 'Accommodation', cleaningFee: 'Cleaning fee', taxes: 'Taxes and fees', total: 'Total' },
    ...{ discount: 'Discount', extraGuests: 'Extra guests', price: 'Price', part: 'Part', amount: 'Amount' },
    ...{ kind: 'Kind', logic: 'Logic', inclusive: 'In the rates', added: 'Added', included: 'Included' },
    ...{ quoted: 'Created', locale: 'Language', test: 'Test', rule: 'Rule' },
    // What comes in.
    ...{ source: 'Source', newest: 'Last confirmed', oldest: 'Oldest confirmation', properties: 'Properties' },
    ...{ received: 'Received', verdict: 'Verdict', changed: 'Changed', errors: 'Errors', warnings: 'Warnings' },
    ...{ confirmed: 'Confirmed', hours: 'Hours ago', calendarConfirmed: 'Last confirmed the calendar' },
    ...{ feed: 'Feed', from: 'From', closedNights: 'Closed nights', next: 'Next fetch', published: 'Published' },
    ...{ wouldOpen: 'Would open', wouldClose: 'Would close' },
    // Reports.
    ...{ fromDay: 'From', toDay: 'To', day: 'Day', searches: 'Searches', looks: 'Looks', quotes: 'Quotes' },
    ...{ opened: 'Opened', priceChanged: 'Price changed', continued: 'Continued', converted: 'Booked' },
    ...{ lookToBook: 'Look to book', age: 'Age', compared: 'Compared', share: 'Share', average: 'Average change' },
    ...{ causes: 'Why (properties)', nearest: 'Nearest opening', place: 'Place', reason: 'Reason' },
    ...{ setBy: 'Set by source', person: 'Who', role: 'Role', act: 'Did', on: 'On', to: 'To' },
  } satisfies Readonly<Record<AnyField, string>> & Readonly<Record<string, string>>,

  frame: {
    ...{ console: 'Stayport console', skip: 'Skip to the content', pages: 'Pages', signOut: 'Sign out' },
    ...{ sameAs: 'The same on the command line:', next: 'More', show: 'Show', thereAreMore: 'There are more:' },
  },

  /** Pages in the bar, by `data-page`; also their titles. */
  bar: {
    ...{ today: 'Today', partners: 'Partners', requests: 'Requests', properties: 'Properties', supply: 'Supply' },
    ...{ funnel: 'Funnel', demand: 'Demand', audit: 'Audit' },
  },

  signIn: {
    title: 'Sign in',
    howTo:
      'You sign in with a link that works once. The operator of Stayport makes one on the server; roles are viewer, operator and admin:',
    open: 'Already signed in? Open the console',
    useLink: 'This link signs you in once. Press the button to use it.',
  },

  refused: {
    back: 'To the console',
    titles: {
      ...{ linkInvalid: 'This link does not work', tooMany: 'Too many attempts', role: 'You may not do this' },
      ...{ stale: 'Please sign in again', form: 'The form was not accepted', notFound: 'There is no such page' },
      ...{ unavailable: 'Not available now', failed: 'This did not work', act: 'Nothing was changed' },
    },
    texts: {
      linkInvalid: 'It was used, has expired, or is not complete. Make a new one:',
      tooMany: 'Too many wrong links or sessions came from your address. Wait a minute, then try again.',
      role: 'Your role does not include it. A link with another role is made so:',
      stale:
        'What only an administrator may do needs a sign-in of the last 5 minutes. Nothing was changed. Make a new link:',
      form: 'It did not come from a page of this session. Nothing was changed: open the page again.',
      notFound: 'The address is wrong, or what it names is not here.',
      unavailable: 'The database does not answer. Try again in a moment; the log has the reason.',
      failed:
        'A fault of Stayport: the log has the reason. What you changed may not be there; look before you try again.',
    },
  },

  today: {
    allWell: 'All is well: partners are served, and nothing waits for you.',
    /** What it is, of whom, with the values of its row. */
    says: {
      notReady: (_nobody, { reason }) => say`Partners are not served now: ${reason}`,
      noProperties: () => say`There are no properties yet: partners find nothing.`,
      heldFeed: (property) => say`A calendar of ${property} is held back: it would open many nights.`,
      failingFeed: (property, { reason }) => say`A calendar of ${property} cannot be read: ${reason}.`,
      silentSource: (source, { since }) => say`Source ${source} has confirmed nothing since ${since}.`,
      expiringCredential: (credential, { until }) =>
        say`Credential ${credential} ends on ${until}, and its partner has none that lasts longer.`,
      errorsRose: (partner, { code, count, before }) =>
        say`${partner} got ${count} × ${code} in the last hour, and ${before} in the hour before.`,
      unmetDemand: (place, { checkIn, nights: stay, guests: people, count }) =>
        say`${place}, ${checkIn}, ${stay}, ${people}: ${counted(Number(count), 'search', 'searches')} found nothing.`,
    } satisfies Says as Says,
    /** What leads to where it is done. */
    acts: {
      ...{ notReady: 'Requests that failed', noProperties: 'How to import them', heldFeed: 'Look and accept' },
      ...{ failingFeed: 'Look at the feed', silentSource: 'Look at the sources' },
      ...{ expiringCredential: 'Rotate it', errorsRose: 'Look at the requests' },
      unmetDemand: 'See why',
    },
  },

  partners: { enabled: 'enabled', disabled: 'disabled', empty: 'There are no partners yet. This makes one:' },

  partner: {
    noOrigins: 'none: only servers may call',
    disabled: 'disabled: all its credentials are refused',
    credentials: 'Credentials',
    noCredentials: 'This partner has no credentials yet, so it can not call. An administrator issues one below, or:',
    ...{ inForce: 'in force', revoked: 'revoked', expired: 'expired', never: 'never', test: 'sandbox' },
    peak: (peak: number, quota: number) => `at most ${peak} of ${quota} in a minute`,
    leftOut: (count: number) =>
      `${counted(count, 'credential is', 'credentials are')} left out here. The command lists all.`,
    codes: { caption: 'Refused in the last 24 hours, by code', empty: 'Nothing was refused in the last 24 hours.' },
    noUse: 'What this partner did lately can not be read now; the log has the reason.',
    ...{ rotate: 'Rotate', revoke: 'Revoke for good', issue: 'Issue a credential' },
    issued: { title: 'New token', keep: 'Copy the token now: it is not shown again.', back: 'Back to the partner' },
  },

  quote: {
    stay: (checkIn: string, checkOut: string, guestCount: number) => `${checkIn} to ${checkOut}, ${guests(guestCount)}`,
    ...{ sandbox: 'of the sandbox', noTaxes: 'The property has no tax rules.' },
  },

  requests: {
    ...{ any: 'any', all: 'All requests', next: 'Older requests' },
    unread: (names: string) => `Left out, because it could not be understood: ${names}.`,
    empty: 'No partner has asked anything yet. Issue a token, and let the partner search:',
    nothing:
      'No such request. Try with fewer conditions; the correlation id is the header X-Correlation-ID of an answer.',
    about:
      'The last 4,096 answers of each thread of this machine are in memory. Stored are refusals (but those of limits), quotes, and 1% of the rest.',
  },

  request: {
    ...{ title: 'Request', why: 'Why' },
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
    nearest: (opening: string) => `Nearest opening of the same length: ${opening}.`,
    explain: 'All rules, nights and prices of this stay',
    again: 'Ask again as this partner, now',
    againWhy: 'Uses no quota and stores nothing. Language, country and page size are not kept: it asks without them.',
    curl: 'The same for a shell, with the partner’s token in TOKEN:',
    ...{ askedAgain: 'Asked again', same: 'The answer is the same as then.' },
    other: 'The answer differs from the one then.',
    cut: 'The rest of the answer is left out.',
  },

  properties: {
    ...{ button: 'Search', first: 'All properties' },
    empty: 'There are no properties yet. This reads them from a file:',
    nothing: 'No property has an id or a name that begins so. Try fewer letters.',
  },

  property: {
    place: (city: string, country: string, today: string, timezone: string) =>
      `${city}, ${country}. Today there is ${today} (${timezone}).`,
    source: (name: string) => `The document is from the source “${name}”.`,
    ...{ stay: 'Why is a stay possible, or not?', explain: 'Explain', allTypes: 'All types' },
    acts: { close: 'Close nights', open: 'Open nights' },
    did: { close: 'Closed manually:', open: 'No longer closed manually:' },
    unchanged: {
      close: 'These nights were closed manually already.',
      open: 'None of these nights was closed manually. A night that stays closed says which source closes it.',
    },
    undo: 'Undo',
    closed: { caption: 'Closed manually', empty: 'No night from today on is closed manually.' },
    confirmed: { caption: 'Sources', empty: 'No source has confirmed the calendar yet.' },
    published: 'Published calendars',
    notPublished: 'No calendar of this property is published. This makes a URL for other platforms:',
  },

  heatMap: {
    caption: 'Nights for sale by inventory type; each night leads to who set what',
    hint: 'Arrows move from night to night, Enter opens one. Space or Shift+click chooses the first and last night for the forms.',
  },

  night: {
    /** In a cell of the heat-map; each another one. */
    letters: {
      ...{ past: '–', closed: 'C', sold: 'S', unpriced: 'P', restricted: 'R', open: 'O' },
    } satisfies Readonly<Record<NightState, string>>,
    states: {
      ...{ past: 'past', closed: 'closed (stop-sell)', sold: 'sold out (no unit left)', unpriced: 'without a price' },
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
    is: 'This night is',
    settings: {
      caption: 'Who set what',
      empty: 'No source has set anything for this night, so it has no unit to sell.',
    },
    stricter: 'no, another source is stricter',
    byHand: 'Source “manual” is a person: the audit says who.',
    ...{ ifGone: 'If a source had said nothing', noChange: 'nothing', notSet: 'not set', before: 'The night before' },
    ...{ after: 'The night after', stay: 'Explain a stay of this night' },
  },

  explain: {
    ...{ title: 'Stay explained', back: 'To the property' },
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
    ...{ eligible: 'can host it', notEligible: 'cannot host it' },
    isQuoted: 'the quote would be for this type',
    refusals: 'What is against it',
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
    noPrice: 'A night has no rate, so the stay has no price.',
    discount: (code: string, percent: string) => `Discount ${code}, ${percent}%, taken off already`,
  },

  supply: {
    held: 'Calendars held back',
    heldWhy:
      'They would open half or more of the nights that they have closed. Accept one if that is right; the same calendar a second time is accepted by itself.',
    leftOut: (count: number) => `and ${count} more`,
    ...{ accept: 'Accept', failing: 'Calendars that cannot be read' },
    sources: 'Sources, the longest silent first',
    noSources: 'No source has confirmed anything yet. This reads a file:',
    messages: 'Newest messages',
    verdicts: { applied: 'applied', partial: 'applied in part', refused: 'refused' },
    noMessages: 'No message has arrived. Systems send them to the operator listener:',
    freshness: 'Freshness by property',
    moreFreshness: 'There are more; the oldest are listed by',
  },

  feeds: {
    caption: 'Subscribed calendars',
    states: { new: 'not fetched yet', ok: 'in order', held: 'held back', failing: 'failing' },
    empty: 'No calendar is subscribed. This subscribes one:',
  },

  funnel: {
    ...{ byDay: 'By day (UTC)', byPartner: 'By partner' },
    ratio: (looks: string) => `${looks} looks to a booking`,
    noBooking: 'no booking yet',
    drift: {
      caption: 'Prices that had changed, by the age of the quote when it was first opened',
      ages: {
        ...{ '0-1h': 'up to an hour', '1-24h': '1 to 24 hours', '1-3d': '1 to 3 days', '3-7d': '3 to 7 days' },
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
    mapWhy: 'Percent, and below it how many of how many searches. The stronger the colour, the more was not met.',
    of: (empty: number, searches: number) => `${empty} of ${searches}`,
    all: 'All weeks',
    leftOut: (cities: number, weeks: number) =>
      `Left out: ${counted(cities, 'city', 'cities')} and ${counted(weeks, 'week', 'weeks')}. The command lists all.`,
    noSearches: 'Nobody searched with dates in these days. Choose other days, or let a partner search.',
    unmet: {
      caption: 'Stays that found nothing, most asked first',
      empty: 'No stay to come was searched in vain, or none is judged yet: that takes up to half a minute.',
    },
    unmetWhy: 'Judged by what is open now. A property counts once, under its first reason.',
    nearest: (date: string, properties: number) => `${date}, at ${counted(properties, 'property', 'properties')}`,
    otherStays: 'other stays',
    unknown: {
      caption: 'Places that nobody offers here',
      empty: 'No unknown place was searched three times in these days.',
    },
  },

  /** Why searches found nothing. */
  unmet: {
    ...{ sold_out: 'sold out', stop_sell: 'sale stopped', closed_to_arrival: 'closed to arrival' },
    closed_to_departure: 'closed to departure',
    ...{ min_stay: 'minimum stay is longer', max_stay: 'maximum stay is shorter' },
    ...{ advance: 'too soon or too far ahead', guests: 'too small for the guests' },
    beyond_horizon: 'not offered yet, or past',
  },

  audit: {
    ...{ done: 'done', failed: 'failed' },
    empty: 'Nothing was changed in these days. What people and commands change appears here.',
  },
};
