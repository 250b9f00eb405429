/** Calendars of other platforms: why one can't be used, and why it could not be fetched. */
import { clause, row } from './refusal-row.ts';

export const FEED_ROWS = {
  // A calendar, behind `calendarUnusable`.
  ofEvent: clause('event {number}: {why}', 'evento {number}: {why}'),
  calendarLarge: clause('it is larger than {max} MB', 'è più grande di {max} MB'),
  calendarEmpty: clause('it is empty', 'è vuoto'),
  calendarCutOff: clause('it is cut off: END:{name} is missing', 'è troncato: manca END:{name}'),
  noEvents: clause('it has no events, only {name}', 'non ha eventi, solo {name}'),
  nestedDeep: clause(
    'its components are nested too deeply',
    'i suoi componenti sono annidati troppo a fondo',
  ),
  calendarBroken: clause(
    'it is broken: END:{found} where END:{due} belongs',
    'è danneggiato: c’è END:{found} dove va END:{due}',
  ),
  eventsMany: clause('it has more than {max} events', 'ha più di {max} eventi'),
  notGregorian: clause('its CALSCALE is not GREGORIAN', 'la sua CALSCALE non è GREGORIAN'),
  takesBack: clause(
    'it takes events back (METHOD:CANCEL), which is not read',
    'ritira eventi (METHOD:CANCEL), cosa che non viene letta',
  ),
  webPage: clause('it is a web page, not a calendar', 'è una pagina web, non un calendario'),
  noCalendar: clause('it is not a calendar', 'non è un calendario'),
  behindEnd: clause(
    'there are lines of an event after the end of the calendar',
    'ci sono righe di un evento dopo la fine del calendario',
  ),
  calendarLine: clause('a line of it is too long', 'una sua riga è troppo lunga'),
  unreadable: clause('it cannot be read', 'non si può leggere'),
  notRead: clause('it could not be read', 'non si è potuto leggere'),
  tookMemory: clause('reading it took too much memory', 'leggerlo richiede troppa memoria'),
  tookLong: clause('reading it took too long', 'leggerlo richiede troppo tempo'),
  stopping: clause('the service is being stopped', 'il servizio si sta fermando'),

  // A line of an event.
  lineUnread: clause('its {name} is not read', 'il suo {name} non viene letto'),
  lineUnreadable: clause('its {name} cannot be read', 'il suo {name} non si può leggere'),
  lineTwice: clause('it has {name} twice, and differently', 'ha due volte {name}, e in modo diverso'),
  noStart: clause('it has no DTSTART', 'non ha DTSTART'),
  endsDiffer: clause('its DTEND and its DURATION differ', 'il suo DTEND e la sua DURATION non concordano'),
  endsBefore: clause('its DTEND is before its DTSTART', 'il suo DTEND precede il suo DTSTART'),
  durationNegative: clause('its DURATION is negative', 'la sua DURATION è negativa'),
  periodTurned: clause(
    'a period of its {name} ends before it starts',
    'un periodo del suo {name} finisce prima di iniziare',
  ),

  // An event that repeats, or changes one that does.
  rangeUnread: clause(
    'the RANGE of its RECURRENCE-ID is not read',
    'il RANGE del suo RECURRENCE-ID non viene letto',
  ),
  dateRepeats: clause(
    'it changes a date of a series and repeats itself',
    'cambia una data di una serie e si ripete a sua volta',
  ),
  restRepeats: clause(
    'it changes the rest of a series and repeats itself',
    'cambia il resto di una serie e si ripete a sua volta',
  ),
  noSeries: clause(
    'it changes the rest of a series that is not in the calendar',
    'cambia il resto di una serie che nel calendario non c’è',
  ),
  repeatsMany: clause(
    'an event repeats more than {max} times within the horizon',
    'un evento si ripete più di {max} volte entro l’orizzonte',
  ),
  repeatsUncounted: clause(
    'its events repeat too often to be counted',
    'i suoi eventi si ripetono troppo spesso per essere contati',
  ),
  repeatsHourly: clause(
    'an event repeats hourly, and only daily or rarer rules are read',
    'un evento si ripete ogni ora, e si leggono solo regole giornaliere o più rare',
  ),
  repeatsMinutely: clause(
    'an event repeats minutely, and only daily or rarer rules are read',
    'un evento si ripete ogni minuto, e si leggono solo regole giornaliere o più rare',
  ),
  repeatsSecondly: clause(
    'an event repeats secondly, and only daily or rarer rules are read',
    'un evento si ripete ogni secondo, e si leggono solo regole giornaliere o più rare',
  ),
  rulePartUnread: clause(
    'its RRULE has a part that is not read',
    'la sua RRULE ha una parte che non viene letta',
  ),
  rulePartTwice: clause('its RRULE has {name} twice', 'la sua RRULE ha due volte {name}'),
  ruleScale: clause(
    'its RRULE counts in another calendar than the Gregorian one (RSCALE)',
    'la sua RRULE conta in un calendario diverso da quello gregoriano (RSCALE)',
  ),
  ruleSkips: clause(
    'its RRULE moves days that a month lacks (SKIP), which is not read',
    'la sua RRULE sposta i giorni che un mese non ha (SKIP), cosa che non viene letta',
  ),
  ruleForbidden: clause(
    'its RRULE has {what}, which RFC 5545 forbids',
    'la sua RRULE ha {what}, cosa che RFC 5545 vieta',
  ),
  ruleDoubtful: clause(
    'its RRULE has BYWEEKNO {what}, which can be read in two ways',
    'la sua RRULE ha BYWEEKNO {what}, cosa che si può leggere in due modi',
  ),
  partBeside: row('{name} beside {other}', '{name} accanto a {other}'),
  partOfWeekly: row('{name} in a weekly rule', '{name} in una regola settimanale'),
  partNotYearly: row('{name} in a rule that is not yearly', '{name} in una regola che non è annuale'),
  numberIn: row('a number in BYDAY of a {frequency} rule', 'un numero in BYDAY di una regola {frequency}'),
  numberBeside: row('a number in BYDAY beside {other}', 'un numero in BYDAY accanto a {other}'),
  partAlone: row('{name} alone', '{name} da solo'),
  withoutPart: row('without {name}', 'senza {name}'),
  withPart: row('with {name}', 'con {name}'),

  // Fetching it.
  calendarUnusable: clause('the calendar cannot be used: {why}', 'il calendario non si può usare: {why}'),
  calendarUnusableAs: clause(
    'the calendar cannot be used: {why} ({mediaType})',
    'il calendario non si può usare: {why} ({mediaType})',
  ),
  feedUnread: clause(
    'the feed {id} could not be read, and its nights stay as they are: {why}',
    'il feed {id} non si è potuto leggere, e le sue notti restano come sono: {why}',
  ),
  internalError: clause('internal error: {error}', 'errore interno: {error}'),
  calendarLate: clause(
    'the calendar did not arrive within {seconds} s',
    'il calendario non è arrivato entro {seconds} s',
  ),
  redirectsMany: clause('it redirects more than {max} times', 'rinvia più di {max} volte'),
  redirectsAway: clause(
    'it redirects to something that is not a web address',
    'rinvia a qualcosa che non è un indirizzo web',
  ),
  redirectsInsecure: clause('it redirects from https to http', 'rinvia da https a http'),
  notAskedFor: clause(
    'the server answered "not modified" to an unconditional request',
    'il server ha risposto "non modificato" a una richiesta senza condizioni',
  ),
  compressed: clause(
    'it is compressed, although that was not requested',
    'è compresso, benché non sia stato chiesto',
  ),
  answerLarge: clause('the calendar is larger than {max} MB', 'il calendario è più grande di {max} MB'),
  endedEarly: clause(
    'the connection ended before the calendar did',
    'la connessione è finita prima del calendario',
  ),

  // Any request to a server of somebody else.
  addressPrivate: clause(
    'it leads to a private address; {setting}=true allows these',
    'porta a un indirizzo privato; {setting}=true li permette',
  ),
  namedAddressPrivate: row(
    'leads to the private address {address}; {setting}=true allows these',
    'porta all’indirizzo privato {address}; {setting}=true li permette',
  ),
  serverLate: clause(
    'the server did not answer within {seconds} s',
    'il server non ha risposto entro {seconds} s',
  ),
  serverSilent: clause(
    'the server sent nothing for {seconds} s',
    'il server non ha inviato nulla per {seconds} s',
  ),
  serverStatus: clause(
    'the server answered with status {status}',
    'il server ha risposto con lo stato {status}',
  ),
  noAnswer: clause('the connection ended without an answer', 'la connessione è finita senza una risposta'),
  connectionFailed: clause('the connection failed', 'la connessione non è riuscita'),
  connectionFailedWith: clause('the connection failed ({code})', 'la connessione non è riuscita ({code})'),
};
