/** A page that is the same for everybody, as the bytes and headers that are sent. */
export interface Page {
  readonly path: string;
  readonly mediaType: string;
  readonly body: Uint8Array;
  /** How `body` is compressed; it is sent unchanged to clients that accept it. */
  readonly encoding?: 'gzip';
  /** What is sent instead to a client that asks for JSON, and not for HTML. */
  readonly json?: { readonly mediaType: string; readonly body: Uint8Array };
  /** `Cache-Control` where it is not the one of most pages. */
  readonly cacheControl?: string;
  /** Flat list of names and values. */
  readonly headers: readonly string[];
}
