/** Bounds the memory of messages that are being read or applied: a sender that finds no room comes again. */
import { presentUnavailable } from '../answers/present-problem.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';

/** Of all bodies together; each is held at most three times while it is read, checked and applied. */
export const BODY_BYTES_UNDERWAY_MAX = 64 * 1024 * 1024;
/** Of the bodies of one token: the other half is for the others. */
export const BODY_BYTES_OF_TOKEN_MAX = BODY_BYTES_UNDERWAY_MAX / 2;

/** For one listener: its operations share the room. */
export interface SupplyRoom {
  /** Before the body is read. */
  readonly enter: OperatorHook;
  /** For bytes that have arrived; kept until the answer is over. False, and answered, where there is no room. */
  readonly take: (exchange: OperatorExchange, bytes: number) => boolean;
}

interface Place {
  readonly tokenId: string;
  bytes: number;
}

/** What a body announces does not count: who announces much and sends little would keep the others out. */
export function makeSupplyRoom(bodyLimitBytes: number): SupplyRoom {
  // A single message finds room, whatever the limit is set to.
  const ofTokenMax = Math.max(BODY_BYTES_OF_TOKEN_MAX, bodyLimitBytes);
  const allMax = Math.max(BODY_BYTES_UNDERWAY_MAX, 2 * bodyLimitBytes);
  const bytesByToken = new Map<string, number>();
  const places = new WeakMap<OperatorExchange, Place>();
  let takenBytes = 0;

  const bytesOf = (tokenId: string): number => bytesByToken.get(tokenId) ?? 0;

  function add(place: Place, bytes: number): void {
    takenBytes += bytes;
    place.bytes += bytes;
    const ofToken = bytesOf(place.tokenId) + bytes;
    if (ofToken === 0) bytesByToken.delete(place.tokenId);
    else bytesByToken.set(place.tokenId, ofToken);
  }

  function fits(tokenId: string, bytes: number): boolean {
    return takenBytes + bytes <= allMax && bytesOf(tokenId) + bytes <= ofTokenMax;
  }

  return {
    enter(exchange) {
      const { response, operator } = exchange;
      const place: Place = { tokenId: operator?.operatorTokenId ?? '', bytes: 0 };
      if (!fits(place.tokenId, 1)) return refuse(exchange);
      places.set(exchange, place);
      response.once('close', () => {
        places.delete(exchange);
        add(place, -place.bytes);
      });
    },
    take(exchange, bytes) {
      const place = places.get(exchange);
      // Its connection is gone, and the body with it.
      if (place === undefined) return true;
      if (!fits(place.tokenId, bytes)) {
        refuse(exchange);
        return false;
      }
      add(place, bytes);
      return true;
    },
  };
}

function refuse({ response }: OperatorExchange): void {
  presentUnavailable(response, 'too many supply messages at once', 'Too many messages are under way.');
}
