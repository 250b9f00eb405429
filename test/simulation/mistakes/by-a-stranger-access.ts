/** Mistakes of credentials and their limits, written by somebody who had not read the stories. */
import type { Mistakes } from './mistake.ts';

export const STRANGE_ACCESS: Mistakes = {
  'a connection goes on with a token that has ended': {
    file: 'src/partner/http/authenticator.ts',
    edits: [['if (isInForce(shown, nowMs)) return shown;', 'if (shown !== undefined) return shown;']],
  },
  'a new token lives only as long as the old one had left': {
    file: 'src/access/credential-changes.ts',
    edits: [['nowMs + (old.expiresAtMs - old.createdAtMs)', 'nowMs + (old.expiresAtMs - nowMs)']],
  },
  'a rotation lets a token that ends soon live through the overlap': {
    file: 'src/access/credential-changes.ts',
    edits: [
      ['Math.min(old.expiresAtMs ?? Number.POSITIVE_INFINITY, nowMs + overlapMs)', 'nowMs + overlapMs'],
    ],
  },
  'a rotated token may come from anywhere': {
    file: 'src/access/credential-changes.ts',
    edits: [['networks: old.networks,', 'networks: [],']],
  },
  'a credential has one quote more than its day allows': {
    file: 'src/partner/http/gates.ts',
    edits: [['if (count < limit) {', 'if (count <= limit) {']],
    heldBy: {
      file: 'test/e2e/partner/stored-quotes.test.ts',
      test: 'refuses the next one until the day ends',
    },
  },
};
