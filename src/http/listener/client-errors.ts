/**
 * Answers input that never becomes a request: unparsable bytes, oversized headers, slow clients. Node's parser reports
 * them on the socket; the answer is a problem written by hand, and the connection ends.
 */
import type { Duplex } from 'node:stream';
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import { type AnyProblemCode, formatProblem, problemKindOf } from '../../contract/problem-body.ts';
import { newCorrelationId } from '../answers/guarded-response.ts';
import { PROBLEM_TYPE } from '../answers/answer-headers.ts';
import { presentIssues } from '../answers/present-problem.ts';
import { lastResponseOn } from './pipelining.ts';
import type { RequestMeter } from '../observability/metrics/request-meter.ts';

/**
 * Time in which a refused client's further bytes are read, so that it gets the answer instead of a reset connection.
 */
export const LINGER_MS = 1_000;

const REFUSED = Symbol('refused');

/** Operation in the metrics of input that never became a request; it has no duration. */
const UNPARSED = 'unparsed';

/** Input of answers without a response object. */
export interface SocketContext {
  readonly problemsBaseUrl: string;
  readonly meter: RequestMeter;
}

interface TrackedSocket extends Duplex {
  /** Bytes received on a socket of the network; on one with TLS, those that were decrypted. */
  readonly bytesRead?: number;
  [REFUSED]?: true;
}

/** The listener for `clientError`. */
export function answerClientError(
  context: SocketContext,
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  const tracked = socket as TrackedSocket;
  if (tracked[REFUSED] === true) return; // the parser reports each further chunk again
  tracked[REFUSED] = true;
  if (error.code === 'ECONNRESET' || !socket.writable || wasHeldReady(error, tracked)) {
    socket.destroy();
    return;
  }
  const response = lastResponseOn(socket);
  const issues = [ISSUES[error.code ?? ''] ?? MALFORMED];
  if (response === undefined || response.writableFinished) {
    const isOver = response !== undefined && !response.req.complete;
    if (isOver) endLingering(socket); // its request was answered before its body broke
    else writeProblem(socket, context, 'VALIDATION_ERROR', issues);
  } else if (!response.req.complete && !response.headersSent) {
    response.once('finish', () => endLingering(socket));
    presentIssues(response, issues, ['Connection', 'close']);
  } else {
    // Garbage behind a good request: the answer to that one comes first, else it would be taken for it.
    const isItsBody = !response.req.complete;
    response.once('close', () => {
      if (!socket.writable) return;
      if (isItsBody) endLingering(socket);
      else writeProblem(socket, context, 'VALIDATION_ERROR', issues);
    });
  }
}

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Browsers open connections before they need them. One that only ends is opened again without a word; an answer on it
 * is taken for the answer to the request that the browser was about to send.
 */
function wasHeldReady({ code }: NodeJS.ErrnoException, { bytesRead }: TrackedSocket): boolean {
  return code === LATE && bytesRead === 0;
}

/** Writes a problem on a socket that has no response object, and ends the connection. */
export function writeProblem(
  socket: Duplex,
  { problemsBaseUrl, meter }: SocketContext,
  code: AnyProblemCode,
  errors?: readonly ValidationIssue[],
): void {
  const correlationId = newCorrelationId();
  const { status } = problemKindOf(code);
  meter.count(UNPARSED, status, code, 0);
  const body = formatProblem(code, { problemsBaseUrl, correlationId, errors });
  socket.write(
    [
      `HTTP/1.1 ${status} ${status === 404 ? 'Not Found' : 'Bad Request'}`,
      `X-Correlation-ID: ${correlationId}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  endLingering(socket);
}

/** Ends our side at once, and the whole connection when the client ends its side or after LINGER_MS. */
function endLingering(socket: Duplex): void {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

const MALFORMED: ValidationIssue = {
  field: 'request',
  code: 'FORMAT_INVALID',
  detail: 'The request is not valid HTTP/1.1.',
};

/** By the codes of node and its parser; their messages may quote the request and are not repeated. */
const ISSUES: Readonly<Record<string, ValidationIssue>> = {
  HPE_HEADER_OVERFLOW: {
    field: 'request.headers',
    code: 'LENGTH_INVALID',
    detail: 'The header section is too large.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    field: 'request.body',
    code: 'LENGTH_INVALID',
    detail: 'The chunk extensions are too large.',
  },
  [LATE]: {
    field: 'request',
    code: 'OUT_OF_RANGE',
    detail: 'The request took too long to arrive.',
  },
};
