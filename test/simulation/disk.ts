/** Files of simulated machines, in memory: paths below `/simulated/` lead here, all others to the disk. */
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';

const PLACE = '/simulated/';

const files = new Map<string, Buffer>();

/** Path of a file, whose content one may keep and put back. */
export function simulatedPath(name: string): string {
  install();
  return PLACE + name;
}

export function readDisk(path: string): Buffer | undefined {
  return files.get(path);
}

export function writeDisk(path: string, content: Buffer): void {
  files.set(path, content);
}

export function emptyDisk(): void {
  files.clear();
}

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file, '${path}'`), { code: 'ENOENT' });
}

function statOf(path: string) {
  const content = files.get(path);
  if (content === undefined) throw missing(path);
  return { isFile: () => true, mode: 0o600, size: content.length, mtimeMs: Date.now() };
}

/** As much of a file handle as files of memory need. */
function openFile(path: string, flags: string) {
  const isFolder = path === PLACE.slice(0, -1);
  if (flags === 'r' && !isFolder && !files.has(path)) throw missing(path);
  if (flags !== 'r') files.set(path, Buffer.alloc(0));
  return {
    writeFile: async (bytes: Uint8Array) => void files.set(path, Buffer.concat([files.get(path)!, bytes])),
    stat: async () => statOf(path),
    sync: async () => undefined,
    close: async () => undefined,
    async read(into: Buffer, offset: number, length: number, position: number) {
      return { bytesRead: files.get(path)!.copy(into, offset, position, position + length) };
    },
  };
}

const SIMULATED = {
  open: async (path: string, flags: string) => openFile(path, flags),
  stat: async (path: string) => statOf(path),
  rm: async (path: string) => void files.delete(path),
  readdir: async (path: string) =>
    [...files.keys()].filter((one) => dirname(one) === path).map((one) => basename(one)),
  async rename(from: string, to: string) {
    const content = files.get(from);
    if (content === undefined) throw missing(from);
    files.delete(from);
    files.set(to, content);
  },
};

let isInstalled = false;

function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  type Work = (path: string, ...args: unknown[]) => Promise<unknown>;
  const machine = fsPromises as unknown as Record<string, Work>;
  for (const [name, simulated] of Object.entries(SIMULATED) as [string, Work][]) {
    const own = machine[name]!;
    machine[name] = (path, ...args) =>
      `${path}/`.startsWith(PLACE) ? simulated(path, ...args) : own(path, ...args);
  }
  syncBuiltinESMExports();
}
