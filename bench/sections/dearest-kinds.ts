/** What the section about dear requests and its process tell each other. */
import type { SearchQuery } from '../../src/catalogue/read-model.ts';

/** The name that all towns of the region answer to. */
export const REGION = 'Toscana';

export interface Region {
  readonly towns: number;
  readonly properties: number;
  /** Whether neighbours by id stand in different towns; else a town's ids follow each other. */
  readonly isInterleaved: boolean;
}

export interface Timed {
  readonly query: SearchQuery;
  readonly micros: number;
}
