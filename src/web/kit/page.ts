/** A page that is the same for everybody, as the bytes and headers that are sent. */
export interface Page {
  readonly path: string;
  readonly mediaType: string;
  readonly body: Uint8Array;
  /** Flat list of names and values. */
  readonly headers: readonly string[];
}
