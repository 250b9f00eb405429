/** The OpenAPI 3.1 document of the four operations, built from the table of operations. */

export interface OpenApiSettings {
  /** Where partners reach the service, without a slash at its end. */
  readonly publicUrl: string;
  /** Base of every problem `type`, without a slash at its end. */
  readonly problemsBaseUrl: string;
}

export function buildOpenApi(_settings: OpenApiSettings): Record<string, unknown> {
  throw new Error('to be written');
}
