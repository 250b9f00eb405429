/** A call in the documentation, as data: pages show it in several languages. */

/** A GET; a POST if it has a body and no method. `$NAME` in a text is the environment variable `NAME`. */
export interface SampleCall {
  readonly method?: 'PATCH';
  readonly url: string;
  /** Sent as `Authorization: Bearer <token>`. */
  readonly token?: string;
  readonly header?: readonly [name: string, value: string];
  readonly body?: SampleBody;
}

export type SampleBody = { readonly mediaType: string } & (
  | { readonly json: object }
  | { readonly text: string }
  /** A body of so many arbitrary bytes. */
  | { readonly byteCount: number }
);
