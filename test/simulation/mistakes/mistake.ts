/**
 * A mistake that stories must find: a change of the source's text, made while its module is loaded. A service that made it
 * would lose, show or repeat what it must not.
 */
export interface Mistake {
  readonly file: string;
  /** Each text stands once in the file. */
  readonly edits: readonly (readonly [right: string, wrong: string])[];
  /** A test that finds it, where stories do not within two thousand. */
  readonly heldBy?: { readonly file: string; readonly test: string };
}

export type Mistakes = Readonly<Record<string, Mistake>>;
