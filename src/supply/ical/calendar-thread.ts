/** The thread that reads a calendar. */
import { serveJobs } from '../../runtime/job-thread.ts';
import { type CalendarReadOptions, readCalendar } from './read-calendar.ts';

export interface CalendarRequest {
  readonly bytes: Uint8Array;
  readonly reading: CalendarReadOptions;
}

serveJobs<CalendarRequest>({ answer: ({ bytes, reading }) => ({ result: readCalendar(bytes, reading) }) });
