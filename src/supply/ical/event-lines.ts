/**
 * The lines of an event that decide which nights it closes, and how often each may stand. Other lines are left out: no
 * text of a booking closes or opens a night.
 */
import { Wrong } from '../../domain/wrong.ts';

/** RFC 5545 3.6.1. Of two RRULEs both count; so does each line of a list. */
const EVENT_LINES: ReadonlyMap<string, 'once' | 'often'> = new Map([
  ['DTSTART', 'once'],
  ['DTEND', 'once'],
  ['DURATION', 'once'],
  ['RECURRENCE-ID', 'once'],
  ['UID', 'once'],
  ['STATUS', 'once'],
  ['TRANSP', 'once'],
  ['X-MICROSOFT-CDO-ALLDAYEVENT', 'once'],
  ['RRULE', 'often'],
  ['RDATE', 'often'],
  ['EXDATE', 'often'],
]);
/** Lines of an event, a busy time or the calendar that say nothing of nights (RFC 5545, RFC 7986, and common others). */
const DESCRIBING_LINES: ReadonlySet<string> = new Set(
  [
    'SUMMARY DESCRIPTION LOCATION GEO CLASS PRIORITY CATEGORIES COMMENT CONTACT CREATED DTSTAMP LAST-MODIFIED',
    'SEQUENCE URL ATTACH RESOURCES RELATED-TO UID ORGANIZER ATTENDEE REQUEST-STATUS COLOR IMAGE CONFERENCE NAME',
    'SOURCE VERSION PRODID CALSCALE METHOD REFRESH-INTERVAL X-PUBLISHED-TTL X-WR-CALNAME X-WR-CALDESC X-ALT-DESC',
  ].flatMap((names) => names.split(' ')),
);
/** They take nights away again, in ways that nobody uses any more or that a published calendar can't mean. */
const REFUSED_LINES: ReadonlySet<string> = new Set(['EXRULE']);
/** Lines that open what an event closes. */
const OPENING_LINES: ReadonlySet<string> = new Set(['STATUS', 'TRANSP']);
const CONTENT_LINE = /^[A-Za-z0-9-]+[;:]/;
const VALUE_AFTER_BLANK = /^[A-Za-z-]+:\s/;

/** Names of the lines that are read. */
export const EVENT_LINE_NAMES: ReadonlySet<string> = new Set([...EVENT_LINES.keys(), ...REFUSED_LINES]);

/** Whether an answer names the line where it is left out: it may mean something that nobody reads here. */
export function isNamed(name: string, line: string): boolean {
  return name !== '' && !DESCRIBING_LINES.has(name) && !VALUE_AFTER_BLANK.test(line);
}

/** Whether the line is the rest of a text that was not escaped, rather than a line of a calendar. */
export function isLooseText(line: string): boolean {
  return !CONTENT_LINE.test(line);
}

/**
 * Whether the line may stand in a text that was not escaped, and would open nights if it did: then the event stays
 * closed. `isInLooseText`: other lines of the event are such text.
 */
export function isDoubtful(name: string, line: string, isInLooseText: boolean): boolean {
  return OPENING_LINES.has(name) && (isInLooseText || VALUE_AFTER_BLANK.test(line));
}

/** Why the lines of an event contradict each other; undefined if they don't. `lines` are spelled alike. */
export function contradictionIn(
  lines: readonly (readonly [name: string, line: string])[],
): Wrong | undefined {
  const seen = new Map<string, string>();
  for (const [name, line] of lines) {
    if (REFUSED_LINES.has(name)) return new Wrong('lineUnread', { name });
    if (EVENT_LINES.get(name) !== 'once') continue;
    const spelled = name === 'UID' ? line : line.toUpperCase().trimEnd();
    if ((seen.get(name) ?? spelled) !== spelled) return new Wrong('lineTwice', { name });
    seen.set(name, spelled);
  }
  return undefined;
}
