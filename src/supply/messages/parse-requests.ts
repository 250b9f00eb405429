/** What passes between the service and the thread that reads large bodies. */
import type { MappedPlace } from '../../storage/supply/store.ts';
import type { ImportLineOptions, PropertyReadOptions } from './property-message.ts';

export type ParseRequest =
  | { readonly kind: 'hash'; readonly body: Uint8Array }
  | { readonly kind: 'calendars'; readonly body: Uint8Array; readonly replaces: boolean }
  | { readonly kind: 'property'; readonly body: Uint8Array; readonly options: PropertyReadOptions }
  | { readonly kind: 'line'; readonly options: ImportLineOptions }
  /** The first step of a message with names to look up, and what follows for the same `message`. */
  | { readonly kind: 'ari'; readonly message: number; readonly body: Uint8Array }
  | { readonly kind: 'ari-mapped'; readonly message: number; readonly mappings: readonly MappedPlace[] }
  | { readonly kind: 'ari-given-up'; readonly message: number };
