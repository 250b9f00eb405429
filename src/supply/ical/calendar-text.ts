/**
 * Cuts the text of a calendar into events before a parser sees it. It keeps only the lines that decide which nights an
 * event closes. Summaries and descriptions, which nobody reads here, are full of input that breaks parsers: unescaped
 * line breaks, letters of other encodings.
 */
import { Wrong } from '../../domain/wrong.ts';
import { EVENT_LINE_NAMES, isDoubtful, isLooseText, isNamed } from './event-lines.ts';

export const CALENDAR_MB_MAX = 5;
export const CALENDAR_BYTES_MAX = CALENDAR_MB_MAX * 1024 * 1024;
export const EVENTS_MAX = 20_000;
/** After unfolding; the longest legitimate lines are lists of dates. */
const LINE_LENGTH_MAX = 200_000;
/** Nesting of components. */
const DEPTH_MAX = 10;
/** Names in an answer; more tell a person nothing. */
export const LEFT_OUT_MAX = 20;
const LEFT_OUT_LENGTH_MAX = 40;

/** Lines that decide: of busy times, and of a timezone with its parts. */
const BUSY_LINES = new Set(['UID', 'FREEBUSY']);
const ZONE_LINES = new Set(['TZID', 'TZOFFSETFROM', 'TZOFFSETTO', 'DTSTART', 'RRULE', 'RDATE']);
const KEPT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['VEVENT', EVENT_LINE_NAMES],
  ['VFREEBUSY', BUSY_LINES],
  ['VTIMEZONE', ZONE_LINES],
  ['STANDARD', ZONE_LINES],
  ['DAYLIGHT', ZONE_LINES],
]);
/** The time that busy times were asked for. */
const BUSY_WINDOW_LINES = new Set(['DTSTART', 'DTEND', 'DURATION']);
const NAMED_IN: ReadonlySet<string> = new Set(['VCALENDAR', 'VEVENT', 'VFREEBUSY']);
const ZONE_PARTS = new Set(['STANDARD', 'DAYLIGHT']);
const PROPERTY_NAME = /^[A-Za-z0-9-]+/;
const COMPONENT_NAME = /^[A-Z0-9-]{1,20}$/;

/** A VTIMEZONE of the file. */
export interface FileZone {
  /** Its X-LIC-LOCATION. */
  readonly location: string | undefined;
  /** Lines that decide its offsets, from BEGIN to END. */
  readonly lines: readonly string[];
}

export interface CalendarText {
  /** Events and busy times, each from BEGIN to END. */
  readonly events: readonly string[];
  /** Timezones that the calendar defines. */
  readonly zones: ReadonlyMap<string, FileZone>;
  /** Names of components and lines that may mean something and are not read, in their order, each once. */
  readonly leftOut: readonly string[];
}

/** Thrown by everything that reads a calendar: why it can't be used. */
export class CalendarProblem extends Error {
  override readonly name = 'CalendarProblem';
  readonly wrong: Wrong;

  constructor(wrong: Wrong) {
    super(wrong.code);
    this.wrong = wrong;
  }
}

/** Throws `CalendarProblem` unless the text is one or more complete calendars. */
export function cutCalendar(text: string): CalendarText {
  const cutter = new Cutter();
  // Blanks before its first line would make it a continuation.
  for (const line of unfoldedLines(text.trimStart())) cutter.take(line);
  return cutter.finish();
}

class Cutter {
  readonly #events: string[] = [];
  readonly #zones = new Map<string, FileZone>();
  /** Names of the open components, outermost first. */
  readonly #open: string[] = [];
  #calendarCount = 0;
  /** Lines of the open event, busy times or timezone. */
  #lines: string[] = [];
  /** Whether the open event has lines of a text that was not escaped. */
  #isLoose = false;
  /** Names of lines of the open event that are not read; in a text that was not escaped they are words. */
  #unread: string[] = [];
  readonly #leftOut = new Set<string>();
  #zone: { id?: string; location?: string } = {};
  /** The first component that is neither an event nor a timezone. */
  #other: string | undefined;

  take(line: string): void {
    if (line.trim() === '') return;
    const name = propertyOf(line);
    const value = line.slice(line.indexOf(':') + 1).trim();
    if (name === 'BEGIN') this.#begin(value.toUpperCase());
    else if (this.#open.length === 0) this.#takeOutside(name, line);
    else if (name === 'END') this.#end(value.toUpperCase());
    else this.#keep(name, value, line);
  }

  /** Servers write comments and marks of caches behind a calendar; a line of an event there means that it is broken. */
  #takeOutside(name: string, line: string): void {
    if (this.#calendarCount === 0) throw noCalendar(line);
    if (name === 'END' || EVENT_LINE_NAMES.has(name) || BUSY_LINES.has(name)) throw trailing();
  }

  finish(): CalendarText {
    if (this.#calendarCount === 0 && this.#open.length === 0)
      throw new CalendarProblem(new Wrong('calendarEmpty'));
    if (this.#open.length > 0) {
      throw new CalendarProblem(new Wrong('calendarCutOff', { name: nameOf(this.#open.at(-1)) }));
    }
    if (this.#events.length === 0 && this.#other !== undefined) {
      throw new CalendarProblem(new Wrong('noEvents', { name: nameOf(this.#other) }));
    }
    return { events: this.#events, zones: this.#zones, leftOut: [...this.#leftOut] };
  }

  #begin(component: string): void {
    if (this.#open.length === 0) {
      if (component !== 'VCALENDAR') throw noCalendar(`BEGIN:${component}`);
      this.#calendarCount += 1;
    }
    if (this.#open.length >= DEPTH_MAX) throw new CalendarProblem(new Wrong('nestedDeep'));
    if (component === 'VAVAILABILITY')
      throw new CalendarProblem(new Wrong('lineUnread', { name: component }));
    if (this.#open.length === 1 && !KEPT.has(component)) {
      this.#other ??= component;
      this.#leaveOut(nameOf(component));
    }
    this.#open.push(component);
    if (!KEPT.has(component)) return;
    if (!ZONE_PARTS.has(component)) {
      [this.#lines, this.#zone, this.#unread] = [[], {}, []];
      this.#isLoose = false;
    }
    this.#lines.push(`BEGIN:${component}`);
  }

  #end(component: string): void {
    const open = this.#open.pop();
    if (open !== component) {
      throw new CalendarProblem(new Wrong('calendarBroken', { found: nameOf(component), due: nameOf(open) }));
    }
    if (!KEPT.has(component)) return;
    this.#lines.push(`END:${component}`);
    if (component === 'VTIMEZONE') this.#addZone();
    else if (!ZONE_PARTS.has(component)) this.#addEvent();
  }

  #addEvent(): void {
    if (this.#events.length >= EVENTS_MAX)
      throw new CalendarProblem(new Wrong('eventsMany', { max: EVENTS_MAX }));
    const lines = this.#lines.filter((line) => {
      const name = propertyOf(line);
      if (!isDoubtful(name, line, this.#isLoose)) return true;
      this.#leaveOut(name);
      return false;
    });
    if (!this.#isLoose) for (const name of this.#unread) this.#leaveOut(name);
    this.#events.push(lines.join('\r\n'));
  }

  #leaveOut(name: string): void {
    if (this.#leftOut.size < LEFT_OUT_MAX) this.#leftOut.add(name);
  }

  #addZone(): void {
    const { id, location } = this.#zone;
    if (id !== undefined) this.#zones.set(id, { location, lines: this.#lines });
  }

  #keep(name: string, value: string, line: string): void {
    const component = this.#open.at(-1)!;
    if (component === 'VCALENDAR') refuseCalendar(name, value);
    if (component === 'VEVENT' && isLooseText(line)) this.#isLoose = true;
    if (KEPT.get(component)?.has(name) === true) this.#lines.push(line);
    else if (NAMED_IN.has(component) && isNamed(name, line)) this.#skip(component, name);
    if (component !== 'VTIMEZONE') return;
    if (name === 'TZID') this.#zone.id = value;
    if (name === 'X-LIC-LOCATION') this.#zone.location = value;
  }

  #skip(component: string, name: string): void {
    if (name.length > LEFT_OUT_LENGTH_MAX) return;
    if (component === 'VFREEBUSY' && BUSY_WINDOW_LINES.has(name)) return;
    if (component === 'VCALENDAR') this.#leaveOut(name);
    else if (this.#unread.length < LEFT_OUT_MAX) this.#unread.push(name);
  }
}

/** In upper case; empty for a line without a name. */
export function propertyOf(line: string): string {
  return (PROPERTY_NAME.exec(line)?.[0] ?? '').toUpperCase();
}

/** Names a component in a problem. Text that is not a valid name could be anything and is left out. */
function nameOf(component = ''): string {
  return COMPONENT_NAME.test(component) ? component : '…';
}

/** Lines of the calendar that change what its events mean. */
function refuseCalendar(name: string, value: string): void {
  const text = value.toUpperCase();
  if (name === 'CALSCALE' && text !== 'GREGORIAN') throw new CalendarProblem(new Wrong('notGregorian'));
  if (name === 'METHOD' && text === 'CANCEL') {
    throw new CalendarProblem(new Wrong('takesBack'));
  }
}

function noCalendar(line: string): CalendarProblem {
  const isPage = /^\s*<(!doctype|html|head|body|\?xml|script)/i.test(line);
  return new CalendarProblem(new Wrong(isPage ? 'webPage' : 'noCalendar'));
}

function trailing(): CalendarProblem {
  return new CalendarProblem(new Wrong('behindEnd'));
}

/** RFC 5545 3.1: a line that starts with a blank continues the previous one. */
function* unfoldedLines(text: string): Generator<string, void> {
  let pieces: string[] = [];
  let length = 0;
  for (const physical of physicalLines(text)) {
    const isContinued = (physical.startsWith(' ') || physical.startsWith('\t')) && pieces.length > 0;
    if (!isContinued) {
      if (pieces.length > 0) yield pieces.join('');
      pieces = [];
      length = 0;
    }
    length += physical.length;
    if (length > LINE_LENGTH_MAX) throw new CalendarProblem(new Wrong('calendarLine'));
    pieces.push(isContinued ? physical.slice(1) : physical);
  }
  if (pieces.length > 0) yield pieces.join('');
}

function* physicalLines(text: string): Generator<string, void> {
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    yield text.slice(start, text.charCodeAt(end - 1) === 0x0d && end > start ? end - 1 : end);
    start = end + 1;
  }
}
