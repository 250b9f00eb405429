/** Whether a process can answer partners. */

/** `ready`, or why not, in words for the operator; not sent to partners. */
export type Readiness = 'ready' | { readonly reason: string };
