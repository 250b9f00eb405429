/** A question that may wait for another thread, as a request of a partner. */
import type { About, AnswerTo, QuestionKind } from '../../read-model/catalogue/questions/questions.ts';
import { presentUnavailable } from '../../http/answers/present-problem.ts';
import { getBackend, getCredential } from './gates.ts';
import type { PartnerExchange, PartnerHook } from './partner-exchange.ts';

/** Why a question was not answered: for the log, and for the partner. */
export interface Busy {
  readonly reason: string;
  readonly detail: string;
}

/**
 * Undefined when the request has its answer: 503 where too many questions wait, or that of `authenticate`, since the
 * token may have been revoked meanwhile; also when the client is gone.
 */
export async function askQuestion<Kind extends QuestionKind>(
  exchange: PartnerExchange,
  authenticate: PartnerHook,
  busy: Busy,
  kind: Kind,
  about: About<Kind>,
): Promise<{ readonly answer: AnswerTo<Kind> } | undefined> {
  const { response } = exchange;
  const asked = getBackend(exchange).ask(kind, about, () => {
    const gone = new AbortController();
    // With a reason, or each request would pay for an error with its stack.
    response.once('close', () => gone.abort('closed'));
    return { asker: getCredential(exchange).credentialId, gone: gone.signal };
  });
  if (!(asked instanceof Promise)) return { answer: asked };
  const answer = await asked;
  if (response.isAnswered) return undefined;
  if (answer === 'busy') {
    presentUnavailable(response, busy.reason, busy.detail);
    return undefined;
  }
  await authenticate(exchange);
  return response.isAnswered ? undefined : { answer };
}
