/**
 * The response class of all listeners, and the guard of what leaves them.
 *
 * Answers are written by `answer` alone. Whatever else tries to write one (a library, a
 * mistake) is replaced by a problem, so that no answer leaves without its correlation id and our form.
 */
import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type AnyProblemCode, formatProblem } from '../../contract/problems/problem-body.ts';
import type { RequestTrace } from '../../observability/tracing/tracing.ts';
import { newCorrelationId } from './correlation.ts';
import { headersOf } from './answer-headers.ts';
import type { Caller } from '../../observability/caller.ts';
import { hasUnreadBody, lingerOver } from './linger.ts';
import { PROBLEM_TYPE } from './media-types.ts';
import type { RateLimitState } from './rate-limit-headers.ts';
import type { RecordAnswer } from './record-answer.ts';
import { NO_PROBLEM } from '../../observability/metrics/request-meter.ts';

/** What every answer of one listener depends on. */
export interface AnswerContext {
  readonly problemsBaseUrl: string;
  readonly codes: ListenerCodes;
  /** While true, every answer says that its connection ends. */
  readonly isClosing: () => boolean;
  /** Whether scripts of this origin may read answers. */
  readonly isKnownOrigin: (origin: string) => boolean;
  /** Runs when an answer was given, whether or not the client has taken it. */
  readonly onAnswered: RecordAnswer;
}

/** The codes that each listener has of its own for what is common to all. */
export interface ListenerCodes {
  /** 404, or 405 where the path is known. */
  readonly operationNotFound: AnyProblemCode;
  /** 503 */
  readonly unavailable: AnyProblemCode;
}

export interface Answer {
  readonly status: number;
  /** Of the problem, when it is one. */
  readonly code?: AnyProblemCode;
  readonly mediaType?: string;
  readonly cacheControl: string;
  readonly body?: string | Uint8Array;
  /** Of a string whose characters are its bytes: it is sent in one piece with the headers. UTF-8 unless given. */
  readonly encoding?: 'latin1';
  /** Flat list of names and values. */
  readonly headers?: readonly string[];
}

/** What the metrics call an answer that no operation gave. */
export const NO_OPERATION = 'none';

/** Why a request failed, for the log. */
export interface FailureCause {
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
  /** What X-RateLimit-* describe; undefined until a limit has been asked. */
  rateLimit: RateLimitState | undefined = undefined;
  /** Set when the Origin is known, but is not this partner's. */
  isOriginRefused = false;
  /** When its turn came on the connection; 0 before that. */
  startedAtMs = 0;
  /** Set by the code that answers with status 500 and above. */
  failureCause: FailureCause | undefined = undefined;
  /** Whose request it is, once a token said so. */
  caller: Caller | undefined = undefined;
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
    if (hasUnreadBody(this.req)) lingerOver(this.req);
    this.context.onAnswered(this, status, answer.code ?? NO_PROBLEM);
  }

  /**
   * Whether the operating system has all of an answer that was just given, so that nothing refers to its bytes any
   * more. False while some wait here: behind an earlier answer on the connection, or for a reader that is slow.
   */
  get isHandedOver(): boolean {
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
    this.failureCause ??= { reason: `an answer with status ${statusCode} that was not written as one` };
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

/** The class for one listener: node makes the instances, so what they need is on the prototype. */
export function responseClassFor(context: AnswerContext): typeof GuardedResponse {
  class ListenerResponse extends GuardedResponse {}
  Object.defineProperty(ListenerResponse.prototype, 'context', { value: context });
  return ListenerResponse;
}
