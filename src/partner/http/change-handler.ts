/** GET /feeds/v1/changes: what changed for this partner, now or as soon as something does. */
import type { FeedRefusal, ListedChanges } from '../changes/change-feed.ts';
import type { LongPolls } from '../changes/long-polls.ts';
import { listChanges } from '../../contract/partner/extra-operations.ts';
import type { ProblemCode } from '../../contract/partner/problems.ts';
import { validateQuery } from '../../contract/reading/validation.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';
import { presentProblem, presentUnavailable } from '../../http/answers/present-problem.ts';
import { withinDeadline } from '../../http/listener/listener.ts';
import { rawQueryOf } from '../../http/listener/request-head.ts';
import { getBackend, getCredential } from './gates.ts';
import type { PartnerHook } from './partner-exchange.ts';
import { presentInvalid } from './present-invalid.ts';

const MS_PER_SECOND = 1_000;
/** An answer that does not wait for changes. */
const CHANGES_MS_MAX = 2_000;
const FULL = 'too many requests wait for changes';
const FULL_DETAIL =
  'Too many requests wait for changes already. Wait with fewer of them, or ask without wait.';

const CODES = {
  invalid: 'FEED_CURSOR_INVALID',
  reset: 'FEED_CURSOR_RESET',
} as const satisfies Record<Exclude<FeedRefusal, 'away'>, ProblemCode>;

/** `authenticate` answers when the token is no longer good. */
export function listChangesHandler(longPolls: LongPolls, authenticate: PartnerHook): PartnerHook {
  const { cacheControl, successStatus: status } = listChanges;
  return async (exchange) => {
    const { request, response } = exchange;
    const query = validateQuery(listChanges, rawQueryOf(request.url ?? ''));
    if (!query.ok) return presentInvalid(exchange, listChanges, query.issues);
    const { since, limit, wait } = query.value;
    const { partnerId, credentialId } = getCredential(exchange);
    const waitMs = since === undefined ? 0 : wait * MS_PER_SECOND;
    const gone = new AbortController();
    // With a reason, or each request would pay for an error with its stack.
    response.once('close', () => gone.abort('closed'));
    const asked = longPolls.ask({
      feed: getBackend(exchange).changes,
      question: { partnerId, since, limit },
      credentialId,
      waitMs,
      signal: gone.signal,
    });
    const answer = await (waitMs === 0 ? withinDeadline(asked, CHANGES_MS_MAX) : asked);
    if (gone.signal.aborted) return;
    if (answer === 'full') return presentUnavailable(response, FULL, FULL_DETAIL);
    if (waitMs > 0) await authenticate(exchange);
    if (response.isAnswered) return;
    if (answer.refused === 'away')
      return presentUnavailable(response, answer.reason ?? 'no changes can be told');
    if (answer.refused !== undefined) return presentProblem(response, CODES[answer.refused]);
    response.answer({ status, mediaType: JSON_TYPE, cacheControl, body: bytesOf(answer) });
  };
}

/** An answer that is given to many is written once. */
const bytes = new WeakMap<ListedChanges, Buffer>();

function bytesOf(answer: ListedChanges): Buffer {
  const known = bytes.get(answer);
  if (known !== undefined) return known;
  const { changes, next, hasMore } = answer;
  const body = Buffer.from(JSON.stringify({ changes, next, hasMore }));
  bytes.set(answer, body);
  return body;
}
