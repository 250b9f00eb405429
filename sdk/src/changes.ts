/** What changes for you, beside the contract: the token needs the scope `changes:read`. */
import { type CallOptions, RETRIES_MAX } from './call-options.ts';
import { checkFields, refuse } from './check-arguments.ts';
import { isRecord } from './read-response.ts';
import { queryOf, read } from './request-parts.ts';
import type { TransportOptions } from './transport.ts';
import type {
  ChangesParameters,
  FollowParameters,
  PropertyChange,
  PropertyChanges,
  Result,
} from './types.ts';

const WAIT_SECONDS = 20;
/** An answer may be held back for WAIT_SECONDS. */
const TIMEOUT_MS = 40_000;

export class Changes {
  readonly #transport: TransportOptions;

  constructor(transport: TransportOptions) {
    this.#transport = transport;
  }

  /** One answer. Without `since`: no changes, and the cursor of now. */
  async list(
    parameters: ChangesParameters = {},
    options: CallOptions = {},
  ): Promise<Result<PropertyChanges>> {
    checkFields(parameters, 'parameters');
    const path = `/feeds/v1/changes${queryOf(parameters)}`;
    return read(this.#transport, path, isChanges, { timeout: TIMEOUT_MS, ...options });
  }

  /**
   * Every change, as it happens, for ever: `for await (const { propertyId, change } of client.changes.follow(...))`.
   * `onCursor` stores where to go on after a restart; it is called once the changes before it were taken. Without `since`
   * it is called first with the cursor of now: read the catalogue then. Throws `FEED_CURSOR_RESET` or
   * `FEED_CURSOR_INVALID` when `since` works no more: begin without it, and read the catalogue again. A service that is
   * away is asked RETRIES_MAX times more, for some ten minutes, unless `maxRetries` is set here.
   */
  async *follow(
    { since, onCursor }: FollowParameters,
    options: CallOptions = {},
  ): AsyncGenerator<PropertyChange, void, undefined> {
    if (typeof onCursor !== 'function') refuse('onCursor', 'is not a function');
    for (let cursor = since; ;) {
      const wait = cursor === undefined ? undefined : WAIT_SECONDS;
      const { data } = await this.list({ since: cursor, wait }, { maxRetries: RETRIES_MAX, ...options });
      yield* data.changes;
      if (data.next !== cursor) await onCursor(data.next);
      cursor = data.next;
    }
  }
}

function isChanges(body: unknown): boolean {
  return isRecord(body) && Array.isArray(body['changes']) && typeof body['next'] === 'string';
}
