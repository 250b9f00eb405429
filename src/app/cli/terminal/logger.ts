/**
 * The log of a server, on standard error: JSON lines for machines, readable lines on a terminal.
 */
import {
  destination,
  pino,
  stdSerializers,
  stdTimeFunctions,
  type DestinationStream,
  type Logger,
} from 'pino';
import type { Settings } from '../../settings/settings.ts';

export interface ServerLog {
  readonly logger: Logger;
  /** Writes out what is still held back; for an end that does not wait. */
  flush(): void;
}

/** Callers log no secret; this is a second line of defence. */
const REDACTED_PATHS = ['authorization', '*.authorization', 'token', '*.token', 'handoff', '*.handoff'];
const STANDARD_ERROR = 2;
/**
 * Workers write to one pipe; what is written at once and is no longer than this arrives in one piece (POSIX PIPE_BUF).
 */
const UNTORN_BYTES_MAX = 4096;

export function openLog(level: Settings['logLevel'], isTerminal: boolean): ServerLog {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: presentError },
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
  };
  if (isTerminal) {
    const stream: DestinationStream = { write: (line) => process.stderr.write(formatLogLine(line)) };
    return { logger: pino(options, stream), flush: () => undefined };
  }
  // Asynchronous: a blocked reader of our standard error must not block the event loop.
  const stream = destination({ fd: STANDARD_ERROR, sync: false, maxWrite: UNTORN_BYTES_MAX });
  const logger = pino(options, stream);
  logWarnings(logger);
  return { logger, flush: () => stream.flushSync() };
}

/** Warnings of Node and of libraries: Node itself would write them as text between the lines. */
function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { readonly code?: unknown }) => {
    const { name, message, stack, code } = warning;
    logger.warn({ warning: name, code, err: { type: name, message, stack } }, message);
  });
}

/** Not every field that an error has: those of a database driver quote the row that it could not store. */
function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { type, message, stack } = stdSerializers.err(error);
  return { type, message, stack };
}

/** `14:02:11 info  listening url=http://127.0.0.1:8080`, from one JSON line; the time is UTC. */
export function formatLogLine(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as LogRecord;
  const parts = Object.entries(fields).map(([name, value]) => ` ${name}=${formatValue(value)}`);
  const head = `${time.slice(11, 19)} ${level.padEnd(5)} ${msg ?? ''}${parts.join('')}\n`;
  return err === undefined ? head : `${head}${err.stack ?? err.message ?? ''}\n`;
}

interface LogRecord {
  readonly level: string;
  /** RFC 3339. */
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
}
