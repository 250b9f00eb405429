/** Reads one calendar, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CalendarWish, readCalendar } from './read-calendar.ts';

const { bytes, wish } = workerData as { readonly bytes: Uint8Array; readonly wish: CalendarWish };
parentPort?.postMessage(readCalendar(bytes, wish), []);
