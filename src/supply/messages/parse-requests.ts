/** What passes between the service and the thread that reads large bodies. */
import type { SupplyMapping } from '../../storage/port/supply-store.ts';
import type { LineWish } from './import-line.ts';
import type { PropertyWish } from './property-message.ts';

/** `job` is the same for both steps of one message. */
export type ParseRequest = { readonly job: number } & (
  | { readonly kind: 'hash' | 'calendars' | 'ari'; readonly body: Uint8Array }
  | { readonly kind: 'property'; readonly body: Uint8Array; readonly wish: PropertyWish }
  | { readonly kind: 'line'; readonly wish: LineWish }
  | { readonly kind: 'ari-mapped'; readonly mappings: readonly SupplyMapping[] }
);

export type ParseReply = { readonly job: number } & (
  | { readonly result: unknown }
  | { readonly error: Error }
);
