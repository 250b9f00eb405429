/** What every engine reports of itself. */

export interface SchemaState {
  /** 0 for an empty database. */
  readonly version: number;
  /** The version that this program writes. */
  readonly latest: number;
}

/** The connections of one pool, now. */
export interface PoolUse {
  readonly pool: string;
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}
