/**
 * The OpenAPI 3.1 documents of the partner listener, built from the tables of operations: `openapi.json` of the contract,
 * and `openapi-extras.json` of the operations beside it.
 */
import { toEpochDay } from '../../domain/local-date.ts';
import { buildHeaderComponents } from './openapi-headers.ts';
import { buildResponseComponents, buildResponses } from './openapi-responses.ts';
import { presentSchema, schemaComponents } from './openapi-schemas.ts';
import { ALL_OPERATIONS, EXTRA_OPERATIONS } from '../partner/extra-operations.ts';
import { type Operation, OPERATIONS } from '../partner/operations.ts';
import type { Parameter } from '../partner/parameters.ts';
import { CONTRACT_VERSION } from '../partner/versions.ts';
import { type ExampleDates, exampleDates } from '../partner/example-dates.ts';
import { EXPOSED_HEADERS } from '../partner/answer-headers.ts';
import { ISSUE_CODES } from '../partner/issue-codes.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { EXTRA_SCOPES, sayScopes, SCOPES } from '../partner/scopes.ts';
import { PROBLEMS } from '../partner/problems.ts';

const SECURITY_SCHEME = 'partnerToken';

export interface OpenApiSettings {
  /** Public URL of the service, without a final slash. */
  readonly publicUrl: string;
  /** Base of every problem `type`, without a final slash. */
  readonly problemsBaseUrl: string;
  /** Contact for partners: a `mailto:`, `tel:` or `https:` URL. */
  readonly supportContact: string | undefined;
  /** Dates of the examples count from this day, in days since 1970-01-01. */
  readonly today: number;
}

/**
 * Settings of the committed `openapi.json`: the defaults. Its examples are far ahead, so that they stay valid; a
 * running server counts from its own day.
 */
export const COMMITTED_SETTINGS: OpenApiSettings = {
  publicUrl: 'http://127.0.0.1:8080',
  problemsBaseUrl: 'http://127.0.0.1:8080/problems',
  supportContact: undefined,
  today: toEpochDay(2035, 5, 1),
};

/** The document of the contract. */
export function buildOpenApi(settings: OpenApiSettings): Record<string, unknown> {
  return buildDocument(settings, {
    title: 'Stayport partner API',
    summary: 'Property search, availability and indicative quotes for lodging partners.',
    description: API_DESCRIPTION,
    operations: OPERATIONS,
    scopes: SCOPES,
  });
}

/** The document of the operations beside the contract. */
export function buildExtrasOpenApi(settings: OpenApiSettings): Record<string, unknown> {
  return buildDocument(settings, {
    title: 'Stayport partner API, beside the contract',
    summary: 'Prices of stays, content of properties, and what changes, for lodging partners.',
    description: EXTRAS_DESCRIPTION,
    operations: EXTRA_OPERATIONS,
    scopes: EXTRA_SCOPES,
  });
}

/** Both as one document, for the reference: readers need not know which paths are of the contract. */
export function buildReferenceOpenApi(settings: OpenApiSettings): Record<string, unknown> {
  return buildDocument(settings, {
    title: 'Stayport partner API',
    summary: 'Search, availability, quotes, prices of stays, content and changes, for lodging partners.',
    description: `${API_DESCRIPTION}\n## Beside \`/v1\`\n\n${EXTRAS_DESCRIPTION}`,
    operations: ALL_OPERATIONS,
    scopes: { ...SCOPES, ...EXTRA_SCOPES },
  });
}

interface ApiText {
  readonly title: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly operations: readonly Operation[];
  readonly scopes: Readonly<Record<string, string>>;
}

function buildDocument(settings: OpenApiSettings, api: ApiText) {
  const { publicUrl, problemsBaseUrl, supportContact, today } = settings;
  const parts = { problemsBaseUrl, dates: exampleDates(today) };
  const paths = buildPaths(api.operations, parts);
  const responses = buildResponseComponents(api.operations, parts);
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: CONTRACT_VERSION,
      summary: api.summary,
      description: api.description,
      ...(supportContact === undefined ? {} : { contact: presentContact(supportContact) }),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This service.' }],
    security: [{ [SECURITY_SCHEME]: [] }],
    tags: tagsOf(api.operations),
    paths,
    components: withoutUnused(paths, {
      securitySchemes: {
        [SECURITY_SCHEME]: { type: 'http', scheme: 'bearer', description: formatTokenUse(api.scopes) },
      },
      headers: buildHeaderComponents(parts.dates.answeredAtMs),
      responses,
      schemas: schemaComponents(),
    }),
  };
}

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Keeps components that the paths refer to, directly or through others; security schemes are referred to by name. */
function withoutUnused(paths: object, { securitySchemes, ...components }: Components): Components {
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      visit(components[kind]?.[name]);
    }
  };
  visit(paths);
  const keep = ([kind, all]: [string, Components[string]]) => [
    kind,
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
  ];
  return { securitySchemes, ...Object.fromEntries(Object.entries(components).map(keep)) };
}

const REFERENCE = /"#\/components\/(\w+)\/([\w-]+)"/g;

/** In the order of the operations. */
function tagsOf(operations: readonly Operation[]): readonly object[] {
  const names = [...new Set(operations.map(({ tag }) => tag))];
  return names.map((name) => ({ name, description: TAG_DESCRIPTIONS[name] }));
}

/** The document as it is committed and served. */
export function formatOpenApi(document: Record<string, unknown>): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

interface DocumentParts {
  readonly problemsBaseUrl: string;
  readonly dates: ExampleDates;
}

/** OpenAPI has no member for a telephone number. */
function presentContact(contact: string): object {
  if (contact.startsWith('mailto:')) return { name: 'Support', email: contact.slice('mailto:'.length) };
  if (contact.startsWith('tel:')) return { name: `Support, ${contact.slice('tel:'.length)}` };
  return { name: 'Support', url: contact };
}

function buildPaths(
  operations: readonly Operation[],
  parts: DocumentParts,
): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const pathItem = (paths[operation.path] ??= {});
    pathItem[operation.method.toLowerCase()] = presentOperation(operation, parts);
  }
  return paths;
}

function presentOperation(operation: Operation, parts: DocumentParts): object {
  const examples = operation.examples(parts.dates);
  const present = (place: 'path' | 'query') => (parameter: Parameter) =>
    presentParameter(parameter, place, examples.parameters[parameter.name]);
  const parameters = [
    ...operation.pathParameters.map(present('path')),
    ...operation.query.parameters.map(present('query')),
  ];
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description}\n\nNeeds the ${sayScopes(operation.scopes, '`')}.`,
    security: [{ [SECURITY_SCHEME]: operation.scopes }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.bodySchema === undefined
      ? {}
      : { requestBody: presentRequestBody(operation.bodySchema, examples.body) }),
    responses: buildResponses(operation, parts),
  };
}

/**
 * The schema is inline, because generators make an unused import for each named one; description and example are beside
 * it, where documentation tools look for them.
 */
function presentParameter({ name, required, schema }: Parameter, place: string, example: unknown): object {
  const { description, ...rest }: { readonly description?: string; readonly type?: unknown } = schema;
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: rest,
    ...(example === undefined ? {} : { example }),
  };
}

function presentRequestBody(bodySchema: unknown, example: unknown): object {
  return {
    required: true,
    content: {
      'application/json': {
        schema: presentSchema(bodySchema),
        examples: { quote: { summary: 'Three nights for two', value: example } },
      },
    },
  };
}

// Prose of the document.

const issueRows = Object.entries(ISSUE_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
const unknownOperation = PROBLEMS.PARTNER_OPERATION_NOT_FOUND;

/** Markdown. */
const API_DESCRIPTION = `Search the properties that an operator shows to your organisation, ask whether a stay is \
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
function formatTokenUse(scopes: Readonly<Record<string, string>>): string {
  const rows = Object.entries(scopes).map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`);
  return `Opaque partner token that the operator issues and can revoke. It carries scopes:\n\n${rows.join('\n')}\n`;
}

/** Markdown. */
const EXTRAS_DESCRIPTION = `Families of paths beside \`/v1\`: prices of stays, and pictures and terms of properties.

Credentials, limits, headers, locales, problems and the rules of parameters are those of the contract \
(\`openapi.json\`). A property that is not visible to the partner is unknown here, too. The scopes of these operations \
are granted only when the operator names them for a credential.

Objects may get fields: ignore those that you do not know.
`;

const TAG_DESCRIPTIONS = {
  Properties: 'Find properties and ask for their availability.',
  Quotes: 'Indicative quotes with their handoff link.',
  Prices: 'Prices of stays.',
  Content: 'Pictures, times and terms of properties.',
  Places: 'Cities by the beginning of their name.',
  Changes: 'Which properties to read again.',
} as const;
