/**
 * The documents of the operator listener, made once a day: OpenAPI, and the pages. Calls of /supply/docs use the address
 * of its own request.
 */
import type { IncomingMessage } from 'node:http';
import { exampleDates } from '../../contract/partner/example-dates.ts';
import type { Clock } from '../../runtime/clock.ts';
import { FAVICON } from '../../http/html/favicon.ts';
import { operatorStartPage, OWN_URL, supplyPages } from '../supply-pages/supply-page.ts';
import type { Hook } from '../../http/listener/exchange.ts';
import { pageHandler, pagesOfToday, type PagesNow, slashHandler } from '../../http/pages/page-handler.ts';
import type { OperatorOperation } from '../../contract/operator/operation.ts';
import {
  buildOperatorOpenApi,
  type OperatorOpenApiSettings,
} from '../../contract/openapi/operator-openapi.ts';
import { SUPPLY_OPERATIONS } from './operator-table.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';

/** An operation of the table: everything else here is beside it. */
const DOCS_PATH = '/supply/docs';

export function operatorPages(clock: Clock): PagesNow {
  const pages = (today: EpochDay) => supplyPages(SUPPLY_OPERATIONS, exampleDates(today));
  return pagesOfToday((today) => [operatorStartPage(), FAVICON, ...pages(today)], clock);
}

/** By path: pages for people, and what they load; no operation, no token. */
export function ownPageHandlers(pages: PagesNow): ReadonlyMap<string, Hook> {
  const own = [...pages().keys()].filter((path) => path !== DOCS_PATH);
  return new Map([
    ...own.map((path) => [path, pageHandler(pages, path)] as const),
    [`${DOCS_PATH}/`, slashHandler(DOCS_PATH)],
  ]);
}

export function supplyDocsHandler(pages: PagesNow): Hook {
  return ({ request, response }) => {
    const { mediaType, body, headers } = pages().get(DOCS_PATH)!;
    const text = Buffer.from(body).toString('utf8').replaceAll(OWN_URL, ownUrl(request));
    response.answer({ status: 200, mediaType, cacheControl: 'no-store', body: Buffer.from(text), headers });
  };
}

const HOST = /^[a-z0-9.-]{1,253}(?::\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](?::\d{1,5})?$/i;

/** It is pasted into a shell: what doesn't look like a host is left out. */
function ownUrl({ headers }: IncomingMessage): string {
  const { host = '' } = headers;
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${HOST.test(host) ? host : '127.0.0.1:8081'}`;
}

/** The OpenAPI document of these operations: ready bytes. */
export function openApiHandler(
  operations: readonly OperatorOperation[],
  settings: OperatorOpenApiSettings,
): Hook {
  const document = buildOperatorOpenApi(operations, settings);
  const body = Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
  return ({ response }) =>
    response.answer({ status: 200, mediaType: JSON_TYPE, cacheControl: 'no-store', body });
}
