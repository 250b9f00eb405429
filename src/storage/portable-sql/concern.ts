/** Concerns whose statements are written once for both engines, as lists: adapters put the storage port together from them. */
import type { AnyWrite, ProgramRunner } from './program.ts';

/** A part of the storage port, and the writes that SQLite's writer thread finds by name. */
export interface Concern<Store> {
  readonly writes: readonly AnyWrite[];
  readonly store: (runner: ProgramRunner) => Store;
}

/** A runner of these writes and no others. */
export type RunnerOf<Writes extends readonly AnyWrite[]> = ProgramRunner<Writes[number]['name']>;

/** The store runs the writes of the list alone, so a write that the list leaves out does not compile. */
export function concern<const Writes extends readonly AnyWrite[], Store>(
  writes: Writes,
  store: (runner: RunnerOf<Writes>) => Store,
): Concern<Store> {
  return { writes, store };
}

type AnyConcern = Concern<object>;
/** `A & B` for `A | B`. */
type All<Stores> = (Stores extends unknown ? (store: Stores) => void : never) extends (
  all: infer Every,
) => void
  ? Every
  : never;

/** The methods of all these concerns. */
export function storesOf<const Concerns extends readonly AnyConcern[]>(
  concerns: Concerns,
  runner: ProgramRunner,
): All<ReturnType<Concerns[number]['store']>> {
  return Object.assign({}, ...concerns.map(({ store }) => store(runner)));
}
