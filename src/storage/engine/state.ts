export interface SchemaState {
  /** The highest migration that was applied; 0 for an empty database. */
  readonly version: number;
  /** The highest that this program knows. */
  readonly latest: number;
  /** The database lacks migrations that this program has. */
  readonly isBehind: boolean;
  /** Why this program must not use the database, with the release to use; absent: the schema fits this program. */
  readonly refusal?: string;
}

/** A process that serves the database, as far as the database shows it. */
export interface SeenProcess {
  readonly release: string;
  /** The newest migration that it knows. */
  readonly knows: number;
  /** Its machine and process, for people. */
  readonly where: string;
  readonly machine: string;
  /** Its last sign of life, Unix ms by its own clock. */
  readonly seenAtMs: number;
}

/** The result of removing what only older releases need. */
export type Contraction =
  | { readonly ok: true; readonly version: number; readonly contracted: readonly string[] }
  /** Nothing was removed: these processes still need the old schema. */
  | { readonly ok: false; readonly older: readonly SeenProcess[] };

/** The connections of one pool, now. */
export interface PoolUse {
  readonly pool: string;
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}
