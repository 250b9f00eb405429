/** Whether a process can answer partners. */

/** For the operator only: in English, and as a code of `domain/refusals/`, which this room does not know. */
export interface NotReady {
  readonly reason: string;
  readonly wrong?: unknown;
}

export type Readiness = 'ready' | NotReady;
