/** Sorts errors of PostgreSQL and its connection: the database cannot answer now, or there is a bug. */
import { DatabaseError } from 'pg';
import { AnsweredError, StorageUnavailable } from '../errors.ts';
import { messageOf } from '../../../runtime/message-of.ts';

/** SQLSTATEs (appendix A of PostgreSQL's manual) that reflect the server's state, not a bug. */
const UNAVAILABLE: ReadonlyMap<string, string> = new Map([
  ['25006', 'the database is read-only'],
  ['25P03', 'the transaction took too long'],
  ['3D000', 'the server has no database of this name'],
  ['40001', 'conflict with another transaction'],
  ['40P01', 'conflict with another transaction'],
  ['42501', 'access to the database is not permitted'],
  ['53100', 'the disk is full'],
  ['53200', 'the server is out of memory'],
  ['53300', 'the server has too many connections'],
  ['55P03', 'the database is locked by another transaction'],
  ['57014', 'the statement took too long'],
  ['57P01', 'the server is shutting down'],
  ['57P02', 'the server has crashed'],
  ['57P03', 'the server is starting up or shutting down'],
  ['57P04', 'the database has been dropped'],
  ['57P05', 'the connection was idle for too long'],
  ['58030', 'the disk reports an error'],
  ['XX001', 'the database is damaged'],
  ['XX002', 'an index of the database is damaged'],
]);

/** SQLSTATE classes, the first two characters, with the same meaning. */
const UNAVAILABLE_CLASSES: ReadonlyMap<string, string> = new Map([
  ['08', 'the connection is broken'],
  ['28', 'the server refuses the user or the password'],
  ['53', 'the server is out of resources'],
  ['58', 'the server reports a system error'],
]);

/** The driver's own messages for a connection that ended or timed out; these errors have no code. */
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Any failure to get a connection, from any source: the socket, TLS, the server, or the pool that is used up. */
export function toConnectError(cause: unknown): StorageUnavailable {
  const known = toStorageError(cause);
  if (known instanceof StorageUnavailable) return known;
  const message = messageOf(cause);
  const isPoolUsedUp = message.startsWith('timeout exceeded');
  return new StorageUnavailable(
    isPoolUsedUp ? 'all connections to the database are in use' : `no connection to the database: ${message}`,
    { cause },
  );
}

/** `StorageUnavailable` in place of errors that mean it; others are returned unchanged. */
export function toStorageError(error: unknown): unknown {
  const reason = unavailableReason(error);
  return reason === undefined ? error : new StorageUnavailable(reason, { cause: error });
}

/** An error of a single statement leaves the connection usable; after any other error, try a new one. */
export function isConnectionUsable(error: unknown): boolean {
  if (error instanceof AnsweredError) return true;
  // A read-only server may be the former primary; the name may resolve to another server by now.
  return error instanceof DatabaseError && error.severity === 'ERROR' && error.code !== '25006';
}

function unavailableReason(error: unknown): string | undefined {
  if (error instanceof DatabaseError) {
    const code = error.code ?? '';
    return UNAVAILABLE.get(code) ?? UNAVAILABLE_CLASSES.get(code.slice(0, 2));
  }
  if (!(error instanceof Error)) return undefined;
  // Errors of sockets and of name lookup carry the system call that failed.
  if ('syscall' in error && 'code' in error) return `no connection to the database: ${String(error.code)}`;
  if (error instanceof AggregateError && 'code' in error) {
    return `no connection to the database: ${String(error.code)}`;
  }
  return LOST.test(error.message) ? 'the connection to the database was lost' : undefined;
}
