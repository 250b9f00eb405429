/** Bounds the memory of messages that are being read or applied: a sender that finds no room comes again. */
import { presentUnavailable } from '../answers/present-problem.ts';
import type { Hook } from '../listener/exchange.ts';

/** Of all bodies together; each is held at most three times while it is read, checked and applied. */
export const BODY_BYTES_UNDERWAY_MAX = 64 * 1024 * 1024;

/** For one listener: its operations share the room. A body of unknown length may become as long as the limit. */
export function roomHook(bodyLimitBytes: number): Hook {
  let takenBytes = 0;
  return ({ request, response }) => {
    const announced = Number(request.headers['content-length'] ?? bodyLimitBytes);
    const bytes = Math.min(announced, bodyLimitBytes);
    // A single message always finds room, whatever the limit is set to.
    if (takenBytes > 0 && takenBytes + bytes > BODY_BYTES_UNDERWAY_MAX) {
      return presentUnavailable(
        response,
        'too many supply messages at once',
        'Too many messages are under way.',
      );
    }
    takenBytes += bytes;
    response.once('close', () => (takenBytes -= bytes));
  };
}
