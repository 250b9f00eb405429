/** What a conventional search route asks of its database, whichever it is. */
import type { PropertyRow } from './rows.ts';

export interface ConventionalQuery {
  readonly cityFolded: string;
  readonly country: string | null;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly nights: number;
  readonly guests: number;
  readonly limit: number;
  readonly offset: number;
}

export interface ConventionalResult {
  readonly total: number;
  readonly rows: readonly PropertyRow[];
}

export interface ConventionalSearch {
  search(query: ConventionalQuery): Promise<ConventionalResult>;
  close(): Promise<void>;
}

/** Which of the three ways of keeping nights. */
export type Keeping = 'postgres-nights' | 'postgres-ranges' | 'sqlite-nights';
