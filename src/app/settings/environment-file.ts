/**
 * The file of settings: one reader for `--env-file`, `STAYPORT_ENV_FILE` and, in development, `.env`. It takes what
 * systemd takes of such a file, whole: a shell would cut a value at `&` or at a blank, and `util.parseEnv` cuts at `#`.
 */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

/** By its group, or by all users. */
const WRITABLE_BY_OTHERS = 0o022;
/** By all users. */
const READABLE_BY_OTHERS = 0o004;
/** The settings of the largest installation take a few thousand bytes. */
export const FILE_BYTES_MAX = 1_048_576;

const LINE = /^([A-Za-z_]\w*)=(.*)$/;
const BYTE_ORDER_MARK = /^\uFEFF/;

export type FileValues = Readonly<Record<string, string>>;

export interface EnvironmentFile {
  readonly bytes: Uint8Array;
  /** Only its owner may write it. Windows has no such mode. */
  readonly isSafe: boolean;
  /** Only its owner and its group may read it. */
  readonly isPrivate: boolean;
}

/** A line, or the whole file, is not what it has to be. The message never repeats a value: it may be a secret. */
export class EnvironmentFileWrong extends Error {
  override readonly name = 'EnvironmentFileWrong';
  readonly problem: string;
  /** The words behind the problem: what to do. */
  readonly fix: string;

  constructor(problem: string, fix: string) {
    super(`${problem}: ${fix}`);
    this.problem = problem;
    this.fix = fix;
  }
}

/**
 * The file's bytes and mode are of the same file, even if it is replaced meanwhile. Throws the error of the system, such
 * as ENOENT, or `EnvironmentFileWrong` for a file over `FILE_BYTES_MAX`.
 */
export function openEnvironmentFile(path: string): EnvironmentFile {
  const descriptor = openSync(path, 'r');
  try {
    const { mode: ofFile, size } = fstatSync(descriptor);
    const mode = process.platform === 'win32' ? 0 : ofFile;
    if (size > FILE_BYTES_MAX)
      throw new EnvironmentFileWrong(
        `it has ${size} bytes`,
        `a file of settings has at most ${FILE_BYTES_MAX}`,
      );
    return {
      bytes: readFileSync(descriptor),
      isSafe: (mode & WRITABLE_BY_OTHERS) === 0,
      isPrivate: (mode & READABLE_BY_OTHERS) === 0,
    };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Values by name. A line is `NAME=value`, empty, or begins with `#`; one pair of quotes around the whole value is taken
 * off, and everything else of it stays: `#`, `$`, `&`, `;`, blanks. Throws `EnvironmentFileWrong`, with the line's number.
 */
export function parseEnvironmentFile(bytes: Uint8Array): FileValues {
  const values = new Map<string, { readonly value: string; readonly line: number }>();
  for (const [index, text] of decode(bytes).split(/\r?\n/).entries()) {
    const line = index + 1;
    if (text.trim() === '' || text.startsWith('#')) continue;
    const [, name, value = ''] = LINE.exec(text) ?? [];
    if (name === undefined)
      throw new EnvironmentFileWrong(
        `line ${line} ${explain(text)}`,
        'write NAME=value, or begin the line with # for a comment',
      );
    const earlier = values.get(name);
    if (earlier !== undefined)
      throw new EnvironmentFileWrong(
        `line ${line} sets ${name} again, after line ${earlier.line}`,
        'keep one of them',
      );
    values.set(name, { value: unquote(value), line });
  }
  return Object.fromEntries([...values].map(([name, { value }]) => [name, value]));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      .decode(bytes)
      .replace(BYTE_ORDER_MARK, '');
  } catch {
    throw new EnvironmentFileWrong('it is not UTF-8 text', 'save it as UTF-8');
  }
}

function explain(text: string): string {
  if (/^\s*export\s/.test(text)) return 'begins with "export"';
  if (/^\s/.test(text)) return 'begins with a blank';
  if (/^[A-Za-z_]\w*\s+=/.test(text)) return 'has a blank before "="';
  return 'is not NAME=value';
}

function unquote(value: string): string {
  const [quote = ''] = value;
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}
