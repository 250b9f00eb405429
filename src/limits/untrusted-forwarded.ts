/** Requests that name a client behind a sender that is not trusted as a proxy: all its clients share one limit. */
let seen = 0;

export function countUntrustedForwarded(): void {
  seen += 1;
}

/** Since this process started. */
export function untrustedForwarded(): number {
  return seen;
}
