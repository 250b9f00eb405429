/**
 * The thread that reads large bodies: parsing and checking 10 MB takes some hundred milliseconds, which nobody else
 * should wait for.
 */
import { hash } from 'node:crypto';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { type AriValues, mapAriValues, readAriValues } from './ari-message.ts';
import { readCalendarMessage } from './calendar-message.ts';
import { lowerThisThread } from '../../runtime/background-threads.ts';
import { packChanges } from '../../storage/layers/property-change.ts';
import { readImportLine } from './import-line.ts';
import type { ParseReply, ParseRequest } from './parse-requests.ts';
import { readPropertyMessage } from './property-message.ts';

lowerThisThread();
if (parentPort === null) throw new Error('this file is run as a thread');
const port: MessagePort = parentPort;
/** Between the two steps of a message with names to look up. */
const waiting = new Map<number, AriValues>();

port.on('message', (request: ParseRequest) => {
  const reply = answer(request);
  const isMessage = 'result' in reply && typeof reply.result === 'object' && reply.result !== null;
  if (!isMessage || !('changes' in reply.result)) return port.postMessage(reply, []);
  // Handed over, not copied: the other side has no turn to spare for megabytes.
  const { changes, memory } = packChanges(reply.result.changes as readonly Uint8Array[]);
  return port.postMessage({ ...reply, result: { ...reply.result, changes } }, [memory]);
});

function answer(request: ParseRequest): ParseReply {
  const { job } = request;
  try {
    return { job, result: parse(request) };
  } catch (error) {
    waiting.delete(job);
    return { job, error: error instanceof Error ? error : new Error(String(error)) };
  }
}

function parse(request: ParseRequest): unknown {
  switch (request.kind) {
    case 'hash':
      return hash('sha256', request.body, 'hex');
    case 'calendars':
      return readCalendarMessage(request.body);
    case 'property':
      return readPropertyMessage(request.body, request.wish);
    case 'line':
      return readImportLine(request.wish);
    case 'ari': {
      const values = readAriValues(request.body);
      waiting.set(request.job, values);
      return values.externalKeys;
    }
    case 'ari-mapped': {
      const values = waiting.get(request.job);
      waiting.delete(request.job);
      if (values === undefined) throw new Error('the values of this message are not here');
      return mapAriValues(values, request.mappings);
    }
  }
}
