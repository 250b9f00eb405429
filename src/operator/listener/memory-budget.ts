/** Limits the memory of messages being read or applied: a sender that exceeds the budget retries later. */
import { presentUnavailable } from '../../http/answers/present-problem.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';

/** Bytes of all bodies together; each is held three times at most while it is read, checked and applied. */
export const BODY_BYTES_UNDERWAY_MAX = 64 * 1024 * 1024;
/** Bytes of one token's bodies, leaving half for other tokens. */
export const BODY_BYTES_OF_TOKEN_MAX = BODY_BYTES_UNDERWAY_MAX / 2;

/** The budget of one listener, shared by its operations. */
export interface MemoryBudget {
  /** Runs before the body is read. */
  readonly enter: OperatorHook;
  /**
   * Reserves bytes that have arrived, until the answer ends. False, with the request answered, if the budget is spent.
   */
  readonly reserve: (exchange: OperatorExchange, bytes: number) => boolean;
}

interface Holding {
  readonly tokenId: string;
  bytes: number;
}

/** Ignores the announced length: a sender that announces much and sends little would block others. */
export function createMemoryBudget(bodyLimitBytes: number): MemoryBudget {
  // A single message always fits, whatever the setting.
  const ofTokenMax = Math.max(BODY_BYTES_OF_TOKEN_MAX, bodyLimitBytes);
  const allMax = Math.max(BODY_BYTES_UNDERWAY_MAX, 2 * bodyLimitBytes);
  const bytesByToken = new Map<string, number>();
  const holdings = new WeakMap<OperatorExchange, Holding>();
  let reservedBytes = 0;

  const bytesOf = (tokenId: string): number => bytesByToken.get(tokenId) ?? 0;

  function add(holding: Holding, bytes: number): void {
    reservedBytes += bytes;
    holding.bytes += bytes;
    const ofToken = bytesOf(holding.tokenId) + bytes;
    if (ofToken === 0) bytesByToken.delete(holding.tokenId);
    else bytesByToken.set(holding.tokenId, ofToken);
  }

  function fits(tokenId: string, bytes: number): boolean {
    return reservedBytes + bytes <= allMax && bytesOf(tokenId) + bytes <= ofTokenMax;
  }

  return {
    enter(exchange) {
      const { response, operator } = exchange;
      const holding: Holding = { tokenId: operator?.operatorTokenId ?? '', bytes: 0 };
      if (!fits(holding.tokenId, 1)) return refuse(exchange);
      holdings.set(exchange, holding);
      response.once('close', () => {
        holdings.delete(exchange);
        add(holding, -holding.bytes);
      });
    },
    reserve(exchange, bytes) {
      const holding = holdings.get(exchange);
      // The connection has closed, and its body was dropped.
      if (holding === undefined) return true;
      if (!fits(holding.tokenId, bytes)) {
        refuse(exchange);
        return false;
      }
      add(holding, bytes);
      return true;
    },
  };
}

function refuse({ response }: OperatorExchange): void {
  presentUnavailable(response, 'too many supply messages at once', 'Too many messages are under way.');
}
