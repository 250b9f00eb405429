/** Counts requests with `X-Forwarded-For` from an untrusted proxy: all its clients share one limit. */
let seen = 0;

export function countUntrustedForwarded(): void {
  seen += 1;
}

/** Since the start of this process. */
export function untrustedForwarded(): number {
  return seen;
}
