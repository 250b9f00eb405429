/** What a process holds at one moment: its threads' heaps, what the allocator has, descriptors, and its database. */
import { readdir, readFile, stat } from 'node:fs/promises';
import type { Child } from '../machine/child.ts';
import type { Usage } from '../machine/diagnostics.ts';
import type { ThreadMemory } from './memory-preload.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** glibc gives each arena but the first one stretches of 64 MiB that begin at a multiple of it. */
const ARENA_BYTES = 64 * MIB;

/** Mebibytes, but for the counts and times. */
export interface MemorySample {
  /** Since the load began. */
  readonly minutes: number;
  /** Resident memory of the process: what the system counts. */
  readonly rss: number;
  readonly threads: number;
  /** Of all threads together, as the three after it. */
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly external: number;
  readonly arrayBuffers: number;
  /** Resident memory of the C allocator's first arena (`[heap]`), and of the others. */
  readonly mainArena: number;
  readonly otherArenas: number;
  readonly arenaCount: number;
  /** Resident anonymous memory besides: V8's pages and every large buffer. */
  readonly otherAnonymous: number;
  /** Resident pages of files and of memory shared by name; SQLite's `-shm` is one of them. */
  readonly files: number;
  readonly descriptors: number;
  readonly database: number;
  readonly writeAheadLog: number;
  /** Processor time of all threads since the start of the process. */
  readonly cpuSeconds: number;
}

export async function readMemory(child: Child, databasePath: string, minutes: number): Promise<MemorySample> {
  const threads = await child.ask<readonly ThreadMemory[]>('threads');
  const sum = (field: keyof ThreadMemory): number =>
    threads.reduce((total, thread) => total + thread[field], 0) / MIB;
  const mappings = await readMappings(child.pid);
  const { residentBytes, cpuSeconds } = await child.ask<Usage>('usage');
  return {
    minutes,
    rss: residentBytes / MIB,
    threads: threads.length,
    heapUsed: sum('heapUsedBytes'),
    heapTotal: sum('heapTotalBytes'),
    external: sum('externalBytes'),
    arrayBuffers: sum('arrayBufferBytes'),
    ...mappings,
    descriptors: await countEntries(`/proc/${child.pid}/fd`),
    database: await fileSize(databasePath),
    writeAheadLog: await fileSize(`${databasePath}-wal`),
    cpuSeconds,
  };
}

type Mappings = Pick<MemorySample, 'mainArena' | 'otherArenas' | 'arenaCount' | 'otherAnonymous' | 'files'>;

/** From `/proc/PID/smaps`; zeros where the system has none. */
async function readMappings(pid: number): Promise<Mappings> {
  const text = await readFile(`/proc/${pid}/smaps`, 'utf8').catch(() => '');
  const resident = { mainArena: 0, otherArenas: 0, otherAnonymous: 0, files: 0 };
  const arenas = new Set<number>();
  let kind: keyof typeof resident = 'files';
  for (const line of text.split('\n')) {
    const head = /^([\da-f]+)-[\da-f]+ \S+ \S+ \S+ \S+ *(.*)$/.exec(line);
    if (head !== null) {
      const start = Number.parseInt(head[1]!, 16);
      kind = kindOf(start, head[2]!, arenas);
      if (kind === 'otherArenas') arenas.add(Math.floor(start / ARENA_BYTES));
    } else if (line.startsWith('Rss:')) {
      resident[kind] += Number.parseInt(line.slice(4), 10) / KIB;
    }
  }
  return { ...resident, arenaCount: arenas.size };
}

function kindOf(
  start: number,
  name: string,
  arenas: ReadonlySet<number>,
): keyof Omit<Mappings, 'arenaCount'> {
  if (name === '[heap]') return 'mainArena';
  if (name !== '' && !name.startsWith('[')) return 'files';
  const isArena = start % ARENA_BYTES === 0 || arenas.has(Math.floor(start / ARENA_BYTES));
  return isArena ? 'otherArenas' : 'otherAnonymous';
}

async function countEntries(folder: string): Promise<number> {
  return (await readdir(folder).catch(() => [])).length;
}

async function fileSize(path: string): Promise<number> {
  return ((await stat(path).catch(() => undefined))?.size ?? 0) / MIB;
}
