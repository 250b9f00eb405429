/** /llms.txt: the API on one page of plain text, for programs. */
import { CONTRACT_VERSION } from '../contract/partner/versions.ts';
import type { ExampleDates } from '../contract/partner/example-dates.ts';
import { EXTRA_OPERATIONS } from '../contract/partner/extra-operations.ts';
import { OPERATIONS, type Operation } from '../contract/partner/operations.ts';
import { PROBLEM_CODES, PROBLEMS } from '../contract/partner/problems.ts';
import { sayScopes } from '../contract/partner/scopes.ts';
import { REASON_CODES, REASON_ROWS } from '../domain/stay-reasons.ts';
import { STAY_NIGHTS_MAX } from '../domain/stay-limits.ts';
import type { PageSettings } from './frame/page-settings.ts';

export function llmsText({ publicUrl, supportContact }: PageSettings, dates: ExampleDates): string {
  return `# Stayport partner API

> Search properties, check a stay, create an indicative quote with one link for the traveller. Version \
${CONTRACT_VERSION} (beta), base address ${publicUrl}

Stayport books nothing and takes no payment, because contract, money and the guest's data are the operator's: the
signed link of a quote leads the traveller to where that happens.

- Every call: \`Authorization: Bearer <token>\`, from a server. The operator issues tokens.
- A stay is \`[checkIn, checkOut)\`, dates \`YYYY-MM-DD\` in the timezone of the property, at most ${STAY_NIGHTS_MAX} nights.
- Decide by \`available\`, never by \`days\`: one inventory type must host all guests on every night.
- Money is a decimal string. Prices are indicative and calculated again when the traveller arrives.
- \`guests\` counts all travellers. \`childAges\` (\`/prices/v1\`; \`stay.childAges\` in bodies) are the ages of the children
  among them: the total is then that of the family. \`/v1\` counts all as adults; quote a family by
  \`POST /prices/v1/quotes\`.
- Use \`handoffUrl\` unchanged. Identifiers are opaque. Unknown parameters and body fields are refused.
- Failures are \`application/problem+json\`; branch on \`code\`. On 429 and 503 wait as long as \`Retry-After\` says.
- Pages begin at 1; go on while \`pagination.hasMore\` is true.

## Operations

${OPERATIONS.map((operation) => operationText(operation, dates)).join('\n')}
## Operations beside the contract

A token has their scopes only when the operator named them.

${EXTRA_OPERATIONS.map((operation) => operationText(operation, dates)).join('\n')}
## Reasons

\`POST /prices/v1/stays\` with \`"why": true\` says why a stay is not priced, and which stays can be had \`instead\`: offer
those, and do not ask date after date. \`"reasons": null\`: the operator tells none.

${REASON_CODES.map((code) => `- \`${code}\` (\`${REASON_ROWS[code].member}\`): ${REASON_ROWS[code].meaning}`).join('\n')}

## Problem codes

${PROBLEM_CODES.map((code) => `- ${PROBLEMS[code].status} \`${code}\`: ${PROBLEMS[code].remedy}`).join('\n')}

## More

- [Guide](${publicUrl}/docs): the first calls in curl, TypeScript and Python
- [Reference](${publicUrl}/docs/reference): every field and answer
- [Not available](${publicUrl}/docs/not-available): a program that says why, and offers what is instead
- [Families](${publicUrl}/docs/families): a program that prices and quotes a stay with the ages of children
- [Changes](${publicUrl}/docs/changes): \`GET /feeds/v1/changes\` (scope \`changes:read\`) names the properties to read again
- [Testing](${publicUrl}/docs/testing): a sandbox for tokens that begin with \`sp_test_\`: test properties in the city \
\`Testville\`, and the header \`Stayport-Test\`, which forces each failure
- [OpenAPI 3.1, JSON](${publicUrl}/openapi.json) and [YAML](${publicUrl}/openapi.yaml)
- [OpenAPI 3.1 of what is beside the contract](${publicUrl}/extras/openapi.json)
- [Problems](${publicUrl}/problems): what each code means
- [Changelog](${publicUrl}/docs/changelog): versions of the contract, and what each promises
${supportContact === undefined ? '' : `- Support: ${supportContact}\n`}`;
}

function operationText(operation: Operation, dates: ExampleDates): string {
  const { method, path, summary, description, scopes, examples } = operation;
  const { target, body } = examples(dates);
  const example = body === undefined ? `${method} ${target}` : `${method} ${target} ${JSON.stringify(body)}`;
  return `### ${method} ${path}\n\n${summary}. Needs the ${sayScopes(scopes, '`')}. ${description}\n\n    ${example}\n`;
}
