/** What passes between the service and the thread that reads large bodies. */
import type { SupplyMapping } from '../../storage/port/supply-store.ts';
import type { LineWish } from './import-line.ts';
import type { PropertyWish } from './property-message.ts';

export type ParseRequest =
  | { readonly kind: 'hash' | 'calendars'; readonly body: Uint8Array }
  | { readonly kind: 'property'; readonly body: Uint8Array; readonly wish: PropertyWish }
  | { readonly kind: 'line'; readonly wish: LineWish }
  /** The first step of a message with names to look up, and what follows for the same `message`. */
  | { readonly kind: 'ari'; readonly message: number; readonly body: Uint8Array }
  | { readonly kind: 'ari-mapped'; readonly message: number; readonly mappings: readonly SupplyMapping[] }
  | { readonly kind: 'ari-given-up'; readonly message: number };
