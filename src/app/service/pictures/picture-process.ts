/**
 * Pictures of strangers are decoded by a process of their own, `picture-program.ts`, within limits of time, memory and
 * pixels. A process can be ended at any moment, however deep in a decoder it is; its memory can be measured; and a crash
 * of a decoder ends nothing else (docs/decisions/076-uploaded-pictures.md).
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NotLookedAt, PicturePositions, PictureSize, PictureSizes } from '../../doctor/check.ts';
import {
  type LookOrder,
  type MadeHead,
  PICTURE_MS_MAX,
  type PictureRefusal,
  type PictureTask,
} from './picture-task.ts';

/** Pictures that wait while one is made; later ones are refused. */
export const PICTURES_WAITING_MAX = 4;
/** Time in which `doctor` has files looked at. */
export const LOOK_MS_MAX = 8_000;

export interface MadePicture {
  /** `jpg`, `png`, `webp` or `avif` */
  readonly extension: string;
  /** At least one, the largest first. */
  readonly sizes: readonly (PictureSize & { readonly bytes: Uint8Array })[];
}

export type MakePicture = (bytes: Uint8Array) => Promise<MadePicture | PictureRefusal>;

/** Makes one picture at a time, in the order in which they came. */
export function createMakePicture(limitMs = PICTURE_MS_MAX): MakePicture {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return async (bytes) => {
    if (count > PICTURES_WAITING_MAX) return { refused: 'busy' };
    count += 1;
    const made = last.then(async () => makePicture(bytes, limitMs));
    last = made.catch(() => undefined);
    try {
      return await made;
    } finally {
      count -= 1;
    }
  };
}

async function makePicture(bytes: Uint8Array, limitMs: number): Promise<MadePicture | PictureRefusal> {
  const { output, isLate } = await runProgram('make', bytes, {
    workMs: limitMs,
    waitMs: WAIT_TIMES * limitMs,
  });
  const [head, end] = readHead<MadeHead | PictureRefusal>(output);
  if (head === undefined) return { refused: isLate ? 'late' : 'damaged' };
  if ('refused' in head) return head;
  let at = end;
  const sizes = head.sizes.map(({ width, height, byteLength }) => {
    at += byteLength;
    return { width, height, bytes: output.subarray(at - byteLength, at) };
  });
  return { extension: head.extension, sizes };
}

/** Reads the width and height of files below `root`. */
export async function readPictureSizes(
  root: string,
  paths: readonly string[],
): Promise<PictureSizes | NotLookedAt> {
  return look('sizes', { root, paths, limitMs: LOOK_MS_MAX });
}

/** Looks for positions in all files below `root`. */
export async function findPicturePositions(root: string): Promise<PicturePositions | NotLookedAt> {
  return look('positions', { root, paths: [], limitMs: LOOK_MS_MAX });
}

async function look<Found extends object>(task: PictureTask, order: LookOrder): Promise<Found | NotLookedAt> {
  // It ends by itself between two files; one file may take longer.
  const limitMs = order.limitMs + 2_000;
  const { output } = await runProgram(task, JSON.stringify(order), { workMs: limitMs, waitMs: limitMs });
  const [found] = readHead<Found | PictureRefusal>(output);
  if (found === undefined) return { problem: 'reading them did not end in time', lacksLibrary: false };
  if (!('refused' in found)) return found;
  if (found.refused === 'unavailable') return { problem: found.why, lacksLibrary: true };
  return { problem: 'reading one of them took too much memory', lacksLibrary: false };
}

const PROGRAM = fileURLToPath(new URL('./picture-program.ts', import.meta.url));
/** It works at a low priority, and a machine that is busy must not refuse a picture. */
const WAIT_TIMES = 3;
/** For JavaScript alone: pictures are elsewhere. */
const HEAP_MB_MAX = 128;
const OUTPUT_BYTES_MAX = 64 * 2 ** 20;
/** None of ours: they hold secrets. Windows adds the variables that programs need to start. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };

interface Ran {
  /** Empty where the process was ended, or crashed. */
  readonly output: Buffer;
  readonly isLate: boolean;
}

interface Limits {
  /** The processor's time. */
  readonly workMs: number;
  /** All time, with what others of the machine did. */
  readonly waitMs: number;
}

async function runProgram(
  task: PictureTask,
  input: Uint8Array | string,
  { workMs, waitMs }: Limits,
): Promise<Ran> {
  const { promise, resolve, reject } = Promise.withResolvers<Ran>();
  const program = execFile(
    process.execPath,
    [
      `--max-old-space-size=${HEAP_MB_MAX}`,
      '--disable-warning=ExperimentalWarning',
      PROGRAM,
      task,
      String(workMs),
      String(2 * waitMs),
    ],
    {
      encoding: 'buffer',
      env: ENVIRONMENT,
      timeout: waitMs,
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_BYTES_MAX,
      windowsHide: true,
    },
    (error, output, said) => {
      // It did not start, or threw: not because of the picture. One that crashed or was ended has a signal, and no code.
      const code = error?.code ?? undefined;
      if (code !== undefined)
        reject(new Error(`pictures can't be read (${code}): ${said.toString('utf8', 0, 4_096)}`));
      else resolve({ output, isLate: error?.killed === true });
    },
  );
  // Who ends before it has read everything closes the pipe.
  program.stdin?.on('error', () => undefined);
  program.stdin?.end(input);
  return promise;
}

/** One line of JSON, and where it ends. */
function readHead<Head>(output: Buffer): readonly [head: Head | undefined, end: number] {
  const end = output.indexOf('\n') + 1;
  return end === 0 ? [undefined, 0] : [JSON.parse(output.toString('utf8', 0, end)) as Head, end];
}
