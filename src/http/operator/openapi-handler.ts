/** Serves the OpenAPI document of operations: ready bytes. */
import type { OperatorOperation } from '../../contract/operator/operation.ts';
import {
  buildOperatorOpenApi,
  type OperatorOpenApiSettings,
} from '../../contract/openapi/operator-openapi.ts';
import { JSON_TYPE } from '../answers/answer-headers.ts';
import type { Hook } from '../listener/exchange.ts';

export function openApiHandler(
  operations: readonly OperatorOperation[],
  settings: OperatorOpenApiSettings,
): Hook {
  const document = buildOperatorOpenApi(operations, settings);
  const body = Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
  return ({ response }) =>
    response.answer({ status: 200, mediaType: JSON_TYPE, cacheControl: 'no-store', body });
}
