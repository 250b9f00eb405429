/**
 * The thread that reads large bodies: parsing and checking 10 MB takes some hundred milliseconds, which nobody else
 * should wait for.
 */
import { hash } from 'node:crypto';
import { lowerThisThread } from '../../runtime/background-threads.ts';
import { type Answer, serveJobs } from '../../runtime/job-thread.ts';
import { packChanges } from '../../storage/layers/property-change.ts';
import { type AriValues, mapAriValues, readAriValues } from './ari-message.ts';
import { readCalendarMessage, type ReadMessage } from './calendar-message.ts';
import { readImportLine } from './import-line.ts';
import type { ParseRequest } from './parse-requests.ts';
import { readPropertyMessage } from './property-message.ts';

/** Between the two steps of a message with names to look up. */
const waiting = new Map<number, AriValues>();

lowerThisThread();
serveJobs<ParseRequest>({ answer });

function answer(request: ParseRequest): Answer {
  switch (request.kind) {
    case 'hash':
      return { result: hash('sha256', request.body, 'hex') };
    case 'calendars':
      return handOver(readCalendarMessage(request.body));
    case 'property':
      return { result: readPropertyMessage(request.body, request.wish) };
    case 'line':
      return { result: readImportLine(request.wish) };
    case 'ari': {
      const values = readAriValues(request.body);
      waiting.set(request.message, values);
      return { result: values.externalKeys };
    }
    case 'ari-mapped': {
      const values = waiting.get(request.message);
      waiting.delete(request.message);
      if (values === undefined) throw new Error('the values of this message are not here');
      return handOver(mapAriValues(values, request.mappings));
    }
    case 'ari-given-up':
      return { result: waiting.delete(request.message) };
  }
}

/** Not copied: the other side has no turn to spare for megabytes. */
function handOver<Read extends ReadMessage>(read: Read): Answer {
  const { changes, memory } = packChanges(read.changes);
  return { result: { ...read, changes }, transfer: [memory] };
}
