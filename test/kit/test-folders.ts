/** The folders of one run of tests: files that tests leave go with them, however the run ends. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder for files in memory. */
export const MEMORY_FOLDER = 'STAYPORT_TEST_MEMORY';
/** Names of sockets have at most some 100 characters, and tests make them below these folders. */
const PREFIX = 'stayport-';

export interface TestFolders {
  /** Variables that send files of tests there. */
  readonly environment: Readonly<Record<string, string>>;
  /** For the run itself. */
  readonly own: string;
  remove(): void;
}

export function makeTestFolders(): TestFolders {
  const own = makeFolder(tmpdir());
  const memory = tryFolder('/dev/shm');
  return {
    own,
    environment: { TMPDIR: own, ...(memory !== undefined && { [MEMORY_FOLDER]: memory }) },
    remove() {
      for (const folder of [own, ...(memory === undefined ? [] : [memory])])
        rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** Other users go through it: tests as root start PostgreSQL, and commands, as somebody else. */
function makeFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, PREFIX));
  chmodSync(folder, 0o711);
  return folder;
}

function tryFolder(parent: string): string | undefined {
  try {
    return makeFolder(parent);
  } catch {
    return undefined;
  }
}
