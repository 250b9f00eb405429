/**
 * Entry point of the thread that starts the processes which decode pictures. To start one copies the memory map of this
 * process: 13 ms of a small one, and nobody who is answered should wait for it.
 */
import { serveJobs } from '../../../runtime/job-thread.ts';
import { lowerThisThread } from '../../../runtime/v8.ts';
import { createMakePicture } from './picture-process.ts';

/** One picture of a stranger. */
export interface PictureJob {
  readonly bytes: Uint8Array;
}

// The processes inherit it from their first instruction on.
lowerThisThread();
const make = createMakePicture();

serveJobs<PictureJob>({
  answer: async ({ bytes }) => {
    const made = await make(bytes);
    if ('refused' in made) return { result: made };
    // Copies: they are parts of one output.
    const sizes = made.sizes.map((size) => ({ ...size, bytes: Uint8Array.from(size.bytes) }));
    return { result: { ...made, sizes }, transfer: sizes.map((size) => size.bytes.buffer) };
  },
});
