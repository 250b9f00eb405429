/** Requests that name a client behind their sender, where the sender is no trusted proxy: all such clients share one limit. */
let seen = 0;

export function countUntrustedForwarded(): void {
  seen += 1;
}

/** Since this process started. */
export function untrustedForwarded(): number {
  return seen;
}
