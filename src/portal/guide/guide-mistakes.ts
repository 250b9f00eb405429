/** The five mistakes that most integrations make first: the request, and its answer. */
import { buildProblemExample } from '../../contract/openapi/problem-examples.ts';
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { EXAMPLE_CORRELATION_ID, EXAMPLE_PROPERTY_ID } from '../../contract/partner/examples.ts';
import { createPartnerQuote, listPartnerProperties } from '../../contract/partner/operations.ts';
import { NO_BEARER_DETAIL } from '../../contract/partner/problems.ts';
import { makeProblem, type ProblemBody } from '../../contract/problem-body.ts';
import { type Html, html, prose } from '../../http/html/html.ts';
import type { PageSettings } from '../frame/page-settings.ts';
import { codeBlock, jsonBlock } from '../frame/code-tabs.ts';

interface Mistake {
  readonly title: string;
  readonly request: string;
  readonly answer: ProblemBody;
  readonly remedy: string;
}

export function mistakes({ problemsBaseUrl }: PageSettings, dates: ExampleDates): readonly Html[] {
  const parts = { problemsBaseUrl, correlationId: EXAMPLE_CORRELATION_ID };
  const list = listPartnerProperties.examples(dates);
  const quote = createPartnerQuote.examples(dates);
  const cases: readonly Mistake[] = [
    {
      title: 'A token without its scheme',
      request: `GET ${list.target} HTTP/1.1\nAuthorization: sp_live_...`,
      answer: makeProblem('PARTNER_AUTH_REQUIRED', { ...parts, detail: NO_BEARER_DETAIL }),
      remedy: 'Write `Bearer` and a blank before the token.',
    },
    {
      title: 'A parameter that does not exist',
      request: `GET /v1/properties?${list.faulty.query} HTTP/1.1`,
      answer: buildProblemExample('VALIDATION_ERROR', {
        operation: listPartnerProperties,
        problemsBaseUrl,
        dates,
      }),
      remedy: '`errors` names every field that is wrong, all at once. Unknown parameters are never ignored.',
    },
    {
      title: 'A day of departure that is not after the day of arrival',
      request: `POST /v1/quotes HTTP/1.1\n\n${JSON.stringify(quote.faulty.body, null, 2)}`,
      answer: buildProblemExample('VALIDATION_ERROR', {
        operation: createPartnerQuote,
        problemsBaseUrl,
        dates,
      }),
      remedy: 'One night is `checkOut` on the next day. Unknown fields of a body are refused too.',
    },
    {
      title: 'An identifier in capitals, or of another environment',
      request: `GET /v1/properties/${EXAMPLE_PROPERTY_ID.toUpperCase()} HTTP/1.1`,
      answer: makeProblem('PROPERTY_NOT_FOUND', parts),
      remedy: 'Identifiers come from a search with the same token. Upper and lower case differ.',
    },
    {
      title: 'A stay that is no longer available',
      request: `POST ${quote.target} HTTP/1.1\n\n${JSON.stringify(quote.body)}`,
      answer: makeProblem('STAY_UNAVAILABLE', parts),
      remedy:
        'Not a fault of yours: offer other dates. The detail says when a stay is in the past or too far ahead.',
    },
  ];
  return cases.map(
    ({ title, request, answer, remedy }) =>
      html`<h4>${title}</h4>
        ${codeBlock('http', request)} ${jsonBlock(answer)}
        <p>${prose(remedy)}</p>`,
  );
}
