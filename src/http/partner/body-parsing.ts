/** Reads request bodies: bounded, and asked for only now that every check before them has passed. */
import type { IncomingMessage } from 'node:http';
import type { AppRequest } from '../listener/app.ts';
import { sendContinue } from '../listener/continue.ts';

/** After a refusal for size, this much is still taken, so that the client gets to read the answer. */
export const DRAIN_BYTES_MAX = 1_048_576;
/** And for this long. */
export const DRAIN_MS_MAX = 5_000;

export type RequestBody =
  | { readonly bytes: Uint8Array; readonly refusal?: undefined }
  | { readonly refusal: 'PAYLOAD_TOO_LARGE' };

type Done = (error: Error | null, body?: RequestBody) => void;
/** A content type parser as the framework takes it. */
export type BodyParser = (request: AppRequest, payload: IncomingMessage, done: Done) => void;

const TOO_LARGE: RequestBody = { refusal: 'PAYLOAD_TOO_LARGE' };

/** A body of exactly `limitBytes` is accepted. A request that breaks off is answered by `client-errors.ts`. */
export function bodyParser(limitBytes: number): BodyParser {
  return ({ headers }, payload, done) => {
    if (Number(headers['content-length']) > limitBytes) {
      drain(payload);
      done(null, TOO_LARGE);
      return;
    }
    sendContinue(payload);
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    const take = (chunk: Uint8Array): void => {
      sizeBytes += chunk.length;
      if (sizeBytes <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      payload.off('data', take).off('end', finish);
      drain(payload);
      done(null, TOO_LARGE);
    };
    const finish = (): void => done(null, { bytes: Buffer.concat(chunks, sizeBytes) });
    payload.on('data', take).once('end', finish);
    payload.on('error', ignore);
  };
}

/** Takes what still comes and drops it; ends the connection when that is too much or takes too long. */
function drain(payload: IncomingMessage): void {
  const { socket } = payload;
  const timer = setTimeout(() => socket.destroy(), DRAIN_MS_MAX);
  let sizeBytes = 0;
  payload.on('data', (chunk: Uint8Array) => {
    sizeBytes += chunk.length;
    if (sizeBytes > DRAIN_BYTES_MAX) socket.destroy();
  });
  payload.on('error', ignore);
  payload.once('close', () => clearTimeout(timer));
}

/** The connection broke: nobody is there to be answered. */
function ignore(): void {}
