/** Whether a process can answer partners. */

/** `ready`, or why not, in words for the operator; partners are not told. */
export type Readiness = 'ready' | { readonly reason: string };
