/** A call that documentation shows, as data: a page shows it in several languages. */

/** A GET; a POST where it has a body and no method. `$NAME` in a text is the variable `NAME` of the environment. */
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
  /** So many bytes of any kind. */
  | { readonly byteCount: number }
);
