/** Makes pictures from the thread that serves, which waits for none of it. */
import { openJobThread } from '../../runtime/job-thread.ts';
import type { MakePicture } from './picture-process.ts';
import type { PictureJob } from './picture-thread.ts';

const IDLE_MS = 60_000;

export function makeInThread(): MakePicture {
  const thread = openJobThread<PictureJob>({
    program: new URL('./picture-thread.ts', import.meta.url),
    name: 'pictures',
    idleMs: IDLE_MS,
    whenLost: (cause) => new Error('the thread that makes pictures ended', { cause }),
  });
  return async (bytes) => {
    // A copy: the sender's whole form would go with its part.
    const own = Uint8Array.from(bytes);
    return thread.ask({ bytes: own }, [own.buffer]);
  };
}
