/** Messages between the service and the thread that reads large bodies. */
import type { MappedPlace } from '../../storage/supply/store.ts';
import type { ImportLineOptions, PropertyReadOptions } from './property-message.ts';

/** A body that is read in one step; `isHashed` requests its hash too. */
export type BodyRequest = { readonly body: Uint8Array; readonly isHashed: boolean } & (
  | { readonly kind: 'calendars'; readonly replaces: boolean }
  | { readonly kind: 'property'; readonly options: PropertyReadOptions }
  /** Requests only the hash. */
  | { readonly kind: 'empty' }
  /** The first step of a message with names to look up. */
  | { readonly kind: 'ari'; readonly message: number }
);

export type ParseRequest =
  | BodyRequest
  | { readonly kind: 'line'; readonly options: ImportLineOptions }
  /** The second step of the same `message`. */
  | { readonly kind: 'ari-mapped'; readonly message: number; readonly mappings: readonly MappedPlace[] }
  | { readonly kind: 'ari-given-up'; readonly message: number };

export interface Hashed {
  /** SHA-256, hex; empty if not requested. */
  readonly bodyHash: string;
}
