/**
 * The response class of all listeners, which guards everything they send.
 *
 * Only `answer` writes answers. If anything else tries to write one (a library, a bug), it is replaced by a problem, so
 * that no answer leaves without its correlation id and our format.
 */
import { randomBytes } from 'node:crypto';
import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Asker, Subject } from './answered-request.ts';
import { drainBody, hasUnreadBody } from './drain-body.ts';
import { type AnyProblemCode, formatProblem } from '../../contract/problem-body.ts';
import type { RequestTrace } from '../observability/tracing.ts';
import {
  type Answer,
  type HeaderContext,
  headersOf,
  PROBLEM_TYPE,
  type RateLimitState,
} from './answer-headers.ts';
import type { Caller } from '../observability/caller.ts';
import { NO_PROBLEM } from '../observability/metrics/request-meter.ts';

/** Settings shared by all answers of one listener. */
interface AnswerContext extends HeaderContext {
  readonly problemsBaseUrl: string;
  readonly codes: ListenerCodes;
  /** Runs after each answer, whether or not the client received it. */
  readonly onAnswered: OnAnswered;
}

export type OnAnswered = (response: GuardedResponse, status: number, code: string) => void;

/** Each listener's own problem codes for cases that all listeners share. */
export interface ListenerCodes {
  /** 404, or 405 if the path is known. */
  readonly operationNotFound: AnyProblemCode;
  /** 503 */
  readonly unavailable: AnyProblemCode;
}

/** The operation that metrics show for an answer without one. */
const NO_OPERATION = 'none';

/** Why a request failed, for the log. */
interface FailureCause {
  readonly reason?: string;
  /** Requested by a test token: nothing failed. */
  readonly isForced?: boolean;
  readonly err?: unknown;
}

export class GuardedResponse extends ServerResponse {
  /** On the prototype, set by `responseClassFor`, so that instances need no field for it. */
  declare readonly context: AnswerContext;

  readonly correlationId: string = newCorrelationId();
  /** The operation's name for log and metrics, once known. */
  operationName = NO_OPERATION;
  /** State for the X-RateLimit-* headers; undefined until a limit was checked. */
  rateLimit: RateLimitState | undefined = undefined;
  /** Set if the Origin is known but belongs to another partner. */
  isOriginRefused = false;
  /** When processing began, after earlier requests on the connection; 0 before that. */
  startedAtMs = 0;
  /** Set by the code that answers with status 500 and above. */
  failureCause: FailureCause | undefined = undefined;
  /** The caller, once its token was accepted. */
  caller: Caller | undefined = undefined;
  /** The caller, once a token outside the sandbox was accepted: its requests are counted. */
  liveAsker: Asker | undefined = undefined;
  /** The question and result of such a request, for counting. */
  subject: Subject | undefined = undefined;
  /** Set when requests are traced. */
  trace: RequestTrace | undefined = undefined;
  #replacement: string | undefined = undefined;

  /** Nothing more can be sent: an answer is on its way, or the client is gone. */
  get isAnswered(): boolean {
    return this.headersSent || this.destroyed;
  }

  /** Sends the whole answer. Does nothing after an earlier answer, such as one for a timeout. */
  answer(answer: Answer): void {
    if (this.isAnswered) return;
    const { status, body } = answer;
    super.writeHead(status, headersOf(this, answer));
    super.end(body, answer.encoding ?? 'utf8');
    if (hasUnreadBody(this.req)) drainBody(this.req);
    this.context.onAnswered(this, status, answer.code ?? NO_PROBLEM);
  }

  /**
   * Sends an answer that grows, such as a stream of events; resolves when all of it was sent or the client is gone. A
   * client that reads nothing for `writeTimeoutMs` loses the connection. Rejects when `pieces` do.
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
      // The part already sent cannot be withdrawn: closing the connection shows the client that it is incomplete.
      this.failureCause = { err: error };
      this.destroy();
    } finally {
      this.context.onAnswered(this, answer.status, answer.code ?? NO_PROBLEM);
    }
  }

  /**
   * Whether the operating system has taken all of the last answer, so that its bytes are free to reuse. False while
   * some wait here: after an earlier answer on the connection, or for a slow reader.
   */
  get isFlushed(): boolean {
    return this.socket !== null && this.writableLength === 0;
  }

  /** The guard: only `answer` may call this. */
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

  /** Drops pieces of a foreign answer; its replacement is sent at the end. */
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

/** Resolves when the client has read the pending bytes; ends the connection if that takes too long. */
export async function takenWithin(response: ServerResponse, limitMs: number): Promise<void> {
  if (response.destroyed) return;
  const timer = setTimeout(() => response.destroy(), limitMs);
  const taken = Promise.withResolvers<void>();
  response.on('drain', taken.resolve).on('close', taken.resolve);
  await taken.promise;
  // One that stayed for each piece would make node warn, and the answer hold them all.
  response.off('drain', taken.resolve).off('close', taken.resolve);
  clearTimeout(timer);
}

/** The class for one listener: Node creates the instances, so their dependencies are on the prototype. */
export function responseClassFor(context: AnswerContext): typeof GuardedResponse {
  class ListenerResponse extends GuardedResponse {}
  Object.defineProperty(ListenerResponse.prototype, 'context', { value: context });
  return ListenerResponse;
}

/** 96 random bits: no two requests share an id, and an id does not reveal the number of requests. */
const ID_BYTES = 12;
/** In base64url, four characters for three bytes, without padding. */
const ID_LENGTH = 16;
/** Ids are made in batches: for a single one, fetching and encoding random bytes costs more than the rest. */
const POOL_IDS = 512;

let pool = '';
let usedLength = 0;

/**
 * The id that identifies one request in logs and support (SPEC 4, X-Correlation-ID). Always our own: an id from the
 * client might not be unique.
 */
export function newCorrelationId(): string {
  if (usedLength === pool.length) {
    pool = randomBytes(ID_BYTES * POOL_IDS).toString('base64url');
    usedLength = 0;
  }
  usedLength += ID_LENGTH;
  return pool.slice(usedLength - ID_LENGTH, usedLength);
}
