/** What the OpenAPI document says in prose. */
import { EXPOSED_HEADERS } from '../partner/answer-headers.ts';
import { ISSUE_CODES } from '../partner/issue-codes.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { SCOPES } from '../partner/scopes.ts';
import { PROBLEMS } from '../partner/problems.ts';

const issueRows = Object.entries(ISSUE_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
const scopeRows = Object.entries(SCOPES).map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`);
const unknownOperation = PROBLEMS.PARTNER_OPERATION_NOT_FOUND;

/** Markdown. */
export const API_DESCRIPTION = `Search the properties that an operator shows to your organisation, ask whether a stay is \
available, get an indicative quote, and send the traveller on with one link.

Status: beta. Paths begin with \`/v1\`.

## Conventions

- A stay is the half-open interval from \`checkIn\` to \`checkOut\`: the date of departure is not an occupied night. It \
has at most ${STAY_NIGHTS_MAX} nights. Dates are calendar dates in the timezone of the property.
- A stay is available when one inventory type of the property hosts all guests on every night. Types are never combined.
- Money is a decimal string with two digits after the point.
- Identifiers are opaque. Do not parse them, and do not build handoff links yourself.
- In a query, \`+\` is a blank, and escapes are percent-encoded UTF-8. A parameter is given once.

## Credentials

Every operation needs \`Authorization: Bearer <token>\`. The token is for servers: never put it into a browser or an app.

## Limits

Requests are counted per source address, before the credential is looked at, and per credential, in windows of 60 \
seconds. Beyond either limit the answer is 429; wait as many seconds as \`Retry-After\` says. The \`X-RateLimit-*\` headers \
tell how much of the credential's quota is left; a 429 of the limit per source address describes that limit.

## Problems

Every failure is \`application/problem+json\` (RFC 9457). Branch on \`code\`; titles and details are for people.

A \`VALIDATION_ERROR\` names every field at fault at once. Codes of single issues:

| Code | Meaning |
|---|---|
${issueRows.join('\n')}

A path that is not an operation gives 404, and a path of an operation with another method gives 405 with the header \`Allow\`; \
both have the code \`PARTNER_OPERATION_NOT_FOUND\` (${unknownOperation.title.toLowerCase()}). The code \`HANDOFF_INVALID\` \
belongs to the operator's own side of the handoff; none of these operations gives it.

## Browsers

The operations are meant for servers. A request with an \`Origin\` is answered only when the operator has authorised that \
origin for the partner; scripts may then read ${EXPOSED_HEADERS.map((name) => `\`${name}\``).join(', ')}.
`;

/** Markdown, for the security scheme. */
export const TOKEN_DESCRIPTION = `Opaque partner token that the operator issues and can revoke. It carries scopes:

${scopeRows.join('\n')}
`;

export const TAG_DESCRIPTIONS = {
  Properties: 'Find properties and ask for their availability.',
  Quotes: 'Indicative quotes with their handoff link.',
} as const;
