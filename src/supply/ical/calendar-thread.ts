/** The thread that reads a calendar. */
import { serveJobs } from '../../runtime/job-thread.ts';
import { type CalendarWish, readCalendar } from './read-calendar.ts';

export interface CalendarRequest {
  readonly bytes: Uint8Array;
  readonly wish: CalendarWish;
}

serveJobs<CalendarRequest>({ answer: ({ bytes, wish }) => ({ result: readCalendar(bytes, wish) }) });
