/** Whether a process can answer partners. */

/** `ready`, or the reason against it, for the operator only. */
export type Readiness = 'ready' | { readonly reason: string };
