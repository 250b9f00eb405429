/**
 * Bodies of requests: allowed forms, when the client may send them, and reading them within bounds of size and time,
 * inflated if compressed, after every check that needs no body.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import type { GuardedResponse } from '../answers/guarded-response.ts';
import { presentIssues } from '../answers/present-problem.ts';
import { type Exchange, type Hook, NO_BODY } from './exchange.ts';
import type { PipelineRules } from './pipelining.ts';
import { Deadlines } from '../../runtime/deadlines.ts';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';

const ENCODING_ISSUE: ValidationIssue = {
  field: 'header.content-encoding',
  code: 'NOT_ALLOWED',
  detail: 'Bodies must be sent without a content encoding.',
};

const GZIP_ISSUE: ValidationIssue = { ...ENCODING_ISSUE, detail: 'Must be gzip or identity.' };
const GZIP_ENCODINGS = new Set(['gzip', 'x-gzip']);

export type PresentIssues = (response: GuardedResponse, issues: readonly ValidationIssue[]) => void;

interface MediaTypeOptions {
  readonly present?: PresentIssues;
  readonly takesGzip?: boolean;
}

/** Checks the form of a body before reading it: a media type of the operation or none, compressed if allowed. */
export function mediaTypeHook(
  mediaTypes: readonly string[],
  { present = presentIssues, takesGzip = false }: MediaTypeOptions = {},
): Hook {
  const mediaTypeIssue: ValidationIssue = {
    field: 'header.content-type',
    code: 'NOT_ALLOWED',
    detail: `Must be ${mediaTypes.join(' or ')}, in UTF-8.`,
  };
  return ({ request, response }) => {
    const { 'content-type': mediaType, 'content-encoding': encoding } = request.headers;
    const issues: ValidationIssue[] = [];
    if (mediaType !== undefined && !isOneOf(mediaTypes, mediaType)) issues.push(mediaTypeIssue);
    const coding = encoding?.trim().toLowerCase() ?? 'identity';
    const isTaken = coding === 'identity' || (takesGzip && GZIP_ENCODINGS.has(coding));
    if (!isTaken) issues.push(takesGzip ? GZIP_ISSUE : ENCODING_ISSUE);
    if (issues.length > 0) present(response, issues);
  };
}

/** JSON has no charset parameter (RFC 8259 11), but many clients send one; only UTF-8 is right. */
function isOneOf(mediaTypes: readonly string[], mediaType: string): boolean {
  const [essence = '', ...parameters] = mediaType.toLowerCase().split(';');
  if (!mediaTypes.includes(essence.trim())) return false;
  return parameters.every((parameter) => {
    const [name, value] = parameter.split('=', 2);
    return name?.trim() !== 'charset' || /^\s*"?utf-?8"?\s*$/.test(value ?? '');
  });
}

const waitingToSend = new WeakMap<IncomingMessage, ServerResponse>();

/** `Expect: 100-continue`: the client sends its body only after `100 Continue`, which follows the checks. */
export function awaitContinue(request: IncomingMessage, response: ServerResponse): void {
  waitingToSend.set(request, response);
}

/** Requests the body if the client waits for that. Otherwise node ends the connection after the answer. */
export function sendContinue(request: IncomingMessage): void {
  waitingToSend.get(request)?.writeContinue();
}

export interface BodyLimits<E extends Exchange = Exchange> {
  /** A body of exactly this size is accepted. */
  readonly limitBytes: number;
  /** Answers; if it does not, the body counts as empty. */
  readonly onTooLarge: (exchange: E) => void;
  /** Reserves memory for arrived bytes; false, and answered, when the budget is used up. */
  readonly reserveMemory?: (exchange: E, bytes: number) => boolean;
  /** From now until the last byte. */
  readonly timeoutMs: number;
  /** Counts arrived bytes until the body is complete; absent where `reserveMemory` bounds them. */
  readonly rules?: PipelineRules;
}

const TOO_SLOW: ValidationIssue = {
  field: 'request',
  code: 'OUT_OF_RANGE',
  detail: 'The request took too long to arrive.',
};

/** `client-errors.ts` answers a request that breaks off, and the hook never ends. */
export function bodyHook<E extends Exchange = Exchange>({
  limitBytes,
  onTooLarge,
  reserveMemory = () => true,
  timeoutMs,
  rules,
}: BodyLimits<E>): Hook<E> {
  const deadlines = new Deadlines(timeoutMs);
  return (exchange) => {
    const { request, response } = exchange;
    const announcedBytes = Number(request.headers['content-length'] ?? 0);
    if (announcedBytes > limitBytes) return onTooLarge(exchange);
    sendContinue(request);
    // Without a body it has ended already, and says nothing more (`optimizeEmptyRequests`).
    if (request.readableEnded) return;
    return new Promise((resolve) => {
      const { socket } = request;
      const body = new GrowingBody(announcedBytes);
      let sizeBytes = 0;
      let isStopped = false;
      const deadline = deadlines.start(() => {
        stop();
        presentIssues(response, [TOO_SLOW], ['Connection', 'close']);
        resolve();
      });
      function take(chunk: Uint8Array): void {
        if (isStopped) return;
        sizeBytes += chunk.length;
        const isTooLarge = sizeBytes > limitBytes;
        if (!isTooLarge && reserveMemory(exchange, chunk.length)) {
          body.append(chunk);
          rules?.budget.hold(socket, chunk.length, rules.meter);
          return;
        }
        stop();
        if (isTooLarge) onTooLarge(exchange);
        resolve();
      }
      function finish(): void {
        if (isStopped) return;
        stop();
        exchange.body = body.bytes();
        resolve();
      }
      // A flag, because taking the listeners off costs more than reading a small body.
      function stop(): void {
        if (isStopped) return;
        isStopped = true;
        deadlines.end(deadline);
        rules?.budget.release(socket, body.sizeBytes);
      }
      request.on('data', take).on('end', finish).on('close', stop);
      // A body whose coding is broken is answered elsewhere, and its request never closes.
      response.on('close', stop);
      request.on('error', ignore);
    });
  };
}

/** Memory of a body with an announced size, relative to its arrived bytes. */
const ANNOUNCED_GROWTH = 8;

/**
 * One piece of memory, however the body was cut: kept chunks of one byte would cost a hundred times their content. At
 * most twice the arrived bytes, or eight times with an announced size: untouched pages cost nothing, but each copy of
 * megabytes stops this thread for long.
 */
export class GrowingBody {
  readonly #announcedBytes: number;
  #memory: Uint8Array = NO_BODY;
  /** Memory of `#memory`, unless it is still the first chunk, which may share its memory. */
  #own: ArrayBuffer | undefined;
  #sizeBytes = 0;

  /** `announcedBytes`: the request's `Content-Length`, 0 without one. */
  constructor(announcedBytes = 0) {
    this.#announcedBytes = announcedBytes;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  append(chunk: Uint8Array): void {
    const sizeBytes = this.#sizeBytes + chunk.length;
    if (this.#sizeBytes === 0) this.#memory = chunk;
    else if (sizeBytes > this.#memory.length) this.#grow(sizeBytes);
    if (this.#memory !== chunk) this.#memory.set(chunk, this.#sizeBytes);
    this.#sizeBytes = sizeBytes;
  }

  #grow(sizeBytes: number): void {
    const mayBeTrue =
      sizeBytes <= this.#announcedBytes && this.#announcedBytes <= ANNOUNCED_GROWTH * sizeBytes;
    const wantedBytes = mayBeTrue ? this.#announcedBytes : 2 * this.#memory.length;
    const larger = Buffer.allocUnsafeSlow(Math.max(sizeBytes, wantedBytes));
    larger.set(this.#memory.subarray(0, this.#sizeBytes));
    this.#memory = larger;
    this.#own = larger.buffer;
  }

  /**
   * The arrived bytes. Own memory is cut to its length, so that another thread can take it over: a copy of megabytes
   * makes this thread collect garbage for a tenth of a second.
   */
  bytes(): Uint8Array {
    if (this.#own !== undefined && this.#own.byteLength > this.#sizeBytes) {
      this.#own = this.#own.transfer(this.#sizeBytes);
      this.#memory = new Uint8Array(this.#own);
    }
    return this.#memory.subarray(0, this.#sizeBytes);
  }

  /** The arrived bytes in memory that nothing else uses: another thread can take its buffer over, without a copy. */
  ownBytes(): Uint8Array<ArrayBuffer> {
    if (this.#own === undefined) return new Uint8Array(this.#memory);
    return new Uint8Array(this.#own, 0, this.#sizeBytes);
  }
}

/** The connection broke: nobody can be answered. */
function ignore(): void {}

/** Without `stream` it keeps nothing between texts. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a body of JSON, a byte-order mark included, which no parser takes; undefined: not UTF-8. */
export function decodeJsonText(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Reads JSON from the bytes of a body. `ok: false` is INVALID_JSON: empty, not UTF-8, with a byte-order mark, or not
 * JSON (RFC 8259). Any JSON value is `ok`; `validateBody` checks its type. `text`: what was parsed.
 */
export function parseJsonBody(bytes: Uint8Array): { ok: true; value: unknown; text: string } | { ok: false } {
  const text = decodeJsonText(bytes);
  if (text === undefined) return { ok: false };
  try {
    return { ok: true, value: JSON.parse(text), text };
  } catch {
    return { ok: false };
  }
}

// Bodies with `Content-Encoding: gzip`. What they inflate to is bounded as a plain body is, and reserves memory as a
// plain body does: a small body may stand for very many bytes.

const inflate = promisify(gunzip);

export function isGzip({ headers }: IncomingMessage): boolean {
  return GZIP_ENCODINGS.has(headers['content-encoding']?.trim().toLowerCase() ?? '');
}

interface InflateLimits<E extends Exchange> {
  readonly limitBytes: number;
  readonly onTooLarge: (exchange: E) => void;
  /** Answers a body that is not a whole gzip stream. */
  readonly onBroken: (exchange: E) => void;
  /** As `BodyLimits.reserveMemory`; a negative number gives memory back. */
  readonly reserveMemory: (exchange: E, bytes: number) => boolean;
}

/** Behind the hook that reads the body, which has reserved memory for the bytes that were sent. */
export function inflateHook<E extends Exchange>({
  limitBytes,
  onTooLarge,
  onBroken,
  reserveMemory,
}: InflateLimits<E>): Hook<E> {
  return async (exchange) => {
    const { request, body } = exchange;
    if (!isGzip(request)) return;
    if (!reserveMemory(exchange, limitBytes - body.byteLength)) return;
    try {
      exchange.body = await inflate(body, { maxOutputLength: limitBytes });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ERR_BUFFER_TOO_LARGE') return onTooLarge(exchange);
      return onBroken(exchange);
    }
    reserveMemory(exchange, exchange.body.byteLength - limitBytes);
  };
}

/** The same for a streamed body: inflates only as much as its reader takes. */
export async function* inflateChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const stream = createGunzip();
  const feeding = (async (): Promise<void> => {
    for await (const chunk of chunks) {
      if (stream.destroyed) return;
      if (!stream.write(chunk))
        await new Promise((resolve) => stream.once('drain', resolve).once('close', resolve));
    }
    stream.end();
  })().catch((error: unknown) => void stream.destroy(error as Error));
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } finally {
    stream.destroy();
    await feeding;
  }
}
