/**
 * The response class of all listeners, and the guard of what leaves them.
 *
 * Answers are written by `answer` alone. Whatever else tries to write one (a library, a
 * mistake) is replaced by a problem, so that no answer leaves without its correlation id and our form.
 */
import { randomBytes } from 'node:crypto';
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { Asker, Subject } from '../../activity/answered-request.ts';
import { type AnyProblemCode, formatProblem } from '../../contract/problem-body.ts';
import type { RequestTrace } from '../../observability/tracing.ts';
import {
  type Answer,
  type HeaderContext,
  headersOf,
  PROBLEM_TYPE,
  type RateLimitState,
} from './answer-headers.ts';
import type { Caller } from '../../observability/caller.ts';
import { NO_PROBLEM } from '../../observability/metrics/request-meter.ts';
import type { Socket } from 'node:net';

/** What every answer of one listener depends on. */
interface AnswerContext extends HeaderContext {
  readonly problemsBaseUrl: string;
  readonly codes: ListenerCodes;
  /** Runs when an answer was given, whether or not the client has taken it. */
  readonly onAnswered: OnAnswered;
}

export type OnAnswered = (response: GuardedResponse, status: number, code: string) => void;

/** The codes that each listener has of its own for what is common to all. */
export interface ListenerCodes {
  /** 404, or 405 where the path is known. */
  readonly operationNotFound: AnyProblemCode;
  /** 503 */
  readonly unavailable: AnyProblemCode;
}

/** What the metrics call an answer that no operation gave. */
const NO_OPERATION = 'none';

/** Why a request failed, for the log. */
interface FailureCause {
  readonly reason?: string;
  /** Asked for by a test token: nothing failed. */
  readonly isForced?: boolean;
  readonly err?: unknown;
}

export class GuardedResponse extends ServerResponse {
  /** Set by `responseClassFor`; not a field, so that no instance pays for it. */
  declare readonly context: AnswerContext;

  readonly correlationId: string = newCorrelationId();
  /** The operation's name for the log and the metrics, once it is known. */
  operationName = NO_OPERATION;
  /** What X-RateLimit-* describe; undefined until a limit was checked. */
  rateLimit: RateLimitState | undefined = undefined;
  /** Set when the Origin is known, but is not this partner's. */
  isOriginRefused = false;
  /** When its turn came on the connection; 0 before that. */
  startedAtMs = 0;
  /** Set by the code that answers with status 500 and above. */
  failureCause: FailureCause | undefined = undefined;
  /** Whose request it is, once a token said so. */
  caller: Caller | undefined = undefined;
  /** The caller, once a token was accepted that is not one of the sandbox: its requests are counted. */
  liveAsker: Asker | undefined = undefined;
  /** What was asked and what came of it, of such a request. */
  subject: Subject | undefined = undefined;
  /** Set when requests are traced. */
  trace: RequestTrace | undefined = undefined;
  #replacement: string | undefined = undefined;

  /** Nothing can be sent any more: an answer is on its way, or nobody is there to take it. */
  get isAnswered(): boolean {
    return this.headersSent || this.destroyed;
  }

  /** Sends the whole answer. Does nothing when one was sent already, as after a timeout. */
  answer(answer: Answer): void {
    if (this.isAnswered) return;
    const { status, body } = answer;
    super.writeHead(status, headersOf(this, answer));
    super.end(body, answer.encoding ?? 'utf8');
    if (hasUnreadBody(this.req)) drainBody(this.req);
    this.context.onAnswered(this, status, answer.code ?? NO_PROBLEM);
  }

  /**
   * Sends an answer that grows, such as a stream of events; resolves when all of it was sent, or nobody takes it. A
   * client that takes nothing for `writeTimeoutMs` loses the connection. Rejects when `pieces` do.
   */
  async answerInPieces(
    answer: Omit<Answer, 'body' | 'encoding'> & { readonly mediaType: string },
    pieces: AsyncIterable<Uint8Array>,
    writeTimeoutMs: number,
  ): Promise<void> {
    if (this.isAnswered) return;
    const headers = ['Content-Type', answer.mediaType, ...(answer.headers ?? [])];
    super.writeHead(answer.status, headersOf(this, { ...answer, headers }));
    super.flushHeaders();
    try {
      for await (const piece of pieces) {
        if (this.destroyed) return;
        if (!super.write(piece)) await takenWithin(this, writeTimeoutMs);
      }
      super.end();
    } catch (error) {
      // What was sent can't be taken back: the client sees that it is not whole.
      this.failureCause = { err: error };
      this.destroy();
    } finally {
      this.context.onAnswered(this, answer.status, answer.code ?? NO_PROBLEM);
    }
  }

  /**
   * Whether the operating system has all of an answer that was just given, so that nothing refers to its bytes any
   * more. False while some wait here: behind an earlier answer on the connection, or for a reader that is slow.
   */
  get isFlushed(): boolean {
    return this.socket !== null && this.writableLength === 0;
  }

  /** The guard: nobody but `answer` comes here. */
  override writeHead(
    statusCode: number,
    _reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    _headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    if (this.headersSent) return super.writeHead(statusCode); // throws, as it should
    const { correlationId, context } = this;
    const code = statusCode === 503 ? context.codes.unavailable : 'INTERNAL_ERROR';
    const status = statusCode === 503 ? 503 : 500;
    this.failureCause ??= { reason: `response with status ${statusCode} bypassed GuardedResponse.answer` };
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    const body = formatProblem(code, { problemsBaseUrl: context.problemsBaseUrl, correlationId });
    this.#replacement = body;
    super.writeHead(
      status,
      headersOf(this, { status, mediaType: PROBLEM_TYPE, cacheControl: 'no-store', body }),
    );
    this.context.onAnswered(this, status, code);
    return this;
  }

  /** Pieces of somebody else's answer: dropped, its replacement is sent at the end. */
  override write(..._dropped: unknown[]): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode);
    return true;
  }

  override end(..._dropped: unknown[]): this {
    if (!this.headersSent) this.writeHead(this.statusCode);
    if (this.#replacement !== undefined && !this.writableEnded) super.end(this.#replacement);
    return this;
  }
}

/** Resolves when the client has taken what waits for it; ends the connection when it takes too long. */
async function takenWithin(response: ServerResponse, limitMs: number): Promise<void> {
  if (response.destroyed) return;
  const timer = setTimeout(() => response.destroy(), limitMs);
  await new Promise<void>((resolve) => {
    response.once('drain', resolve).once('close', resolve);
  });
  clearTimeout(timer);
}

/** The class for one listener: node makes the instances, so what they need is on the prototype. */
export function responseClassFor(context: AnswerContext): typeof GuardedResponse {
  class ListenerResponse extends GuardedResponse {}
  Object.defineProperty(ListenerResponse.prototype, 'context', { value: context });
  return ListenerResponse;
}

/** 96 random bits: no two requests share one, and an id does not reveal how many requests there were. */
const ID_BYTES = 12;
/** In base64url: four characters for three bytes, without a rest. */
const ID_LENGTH = 16;
/** Ids are written many at a time: for one alone, fetching random bytes and encoding them costs more than the rest. */
const POOL_IDS = 512;

let pool = '';
let usedLength = 0;

/**
 * The id by which one request is found again in logs and support (SPEC 4, X-Correlation-ID). Always our own: an id that
 * the client chose could not be trusted to name one request.
 */
export function newCorrelationId(): string {
  if (usedLength === pool.length) {
    pool = randomBytes(ID_BYTES * POOL_IDS).toString('base64url');
    usedLength = 0;
  }
  usedLength += ID_LENGTH;
  return pool.slice(usedLength - ID_LENGTH, usedLength);
}

// What a client still sends of a request that is answered already (OPERATOR: "Wire behaviour"). It is read and dropped
// for a while, as nginx lingers: a client that sends first and reads then would see a reset instead of its answer.

/** For so long at most, whatever its size. */
const DRAIN_SECONDS_MAX = 30;
/** And no longer than this without a byte. */
export const DRAIN_QUIET_SECONDS_MAX = 5;
const SECOND_MS = 1000;

/** Whether bytes may follow the headers; `complete` alone is true only after the request was handed over. */
export function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** To be called for a request with an unread body, when its answer is given. */
export function drainBody(request: IncomingMessage): void {
  const { socket } = request;
  // Where the connection ends behind the answer, node would close it whole: only our side ends.
  socket.destroySoon = endOurSide;
  request.on('error', ignoreBrokenBody).resume();
  let seenBytes = socket.bytesRead;
  let secondCount = 0;
  let quietSeconds = 0;
  const timer = setInterval(() => {
    secondCount += 1;
    quietSeconds = socket.bytesRead === seenBytes ? quietSeconds + 1 : 0;
    seenBytes = socket.bytesRead;
    const isOver = request.complete && socket.writableEnded;
    if (isOver || secondCount >= DRAIN_SECONDS_MAX || quietSeconds >= DRAIN_QUIET_SECONDS_MAX) {
      socket.destroy();
    }
    if (!request.complete && !socket.destroyed) return;
    clearInterval(timer);
    Reflect.deleteProperty(socket, 'destroySoon'); // node's own again
  }, SECOND_MS).unref();
}

function endOurSide(this: Socket): void {
  this.end();
}

/** Nobody waits for the body any more. */
function ignoreBrokenBody(): void {}
