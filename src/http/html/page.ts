/** A page that is equal for everybody, as bytes and headers. */
export interface Page {
  readonly path: string;
  readonly mediaType: string;
  readonly body: Uint8Array;
  /** Compression of `body`; clients that accept it get it unchanged. */
  readonly encoding?: 'gzip';
  /** For clients that accept JSON but not HTML. */
  readonly json?: { readonly mediaType: string; readonly body: Uint8Array };
  /** `Cache-Control`, if it differs from most pages. */
  readonly cacheControl?: string;
  /** Flat list of names and values. */
  readonly headers: readonly string[];
}
