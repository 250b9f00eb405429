/** Reads the bytes of a calendar from a file or standard input, and no more of them than a calendar may have. */
import { createReadStream } from 'node:fs';
import { CALENDAR_BYTES_MAX } from './calendar-text.ts';

export type CalendarBytes =
  | { readonly ok: true; readonly value: Buffer }
  | { readonly ok: false; readonly problem: string };

/** `-` is `standardInput`. One byte more than the limit is enough to see that it is too large. */
export async function readCalendarFile(
  file: string,
  standardInput: AsyncIterable<Buffer | string>,
): Promise<CalendarBytes> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    const stream: AsyncIterable<Buffer | string> = file === '-' ? standardInput : createReadStream(file);
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      sizeBytes += bytes.length;
      if (sizeBytes > CALENDAR_BYTES_MAX) break;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { ok: false, problem: `${file} can't be read (${code ?? String(error)})` };
  }
  return { ok: true, value: Buffer.concat(chunks) };
}
