/** Reads package-lock.json: the packages that run in production, with the hashes of their bytes. */

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedEntry>>;
}

interface LockedEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  /** Systems, processors and C libraries that it is made for; absent: all. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface LockedPackage {
  /** In the project, such as `node_modules/pg`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** `sha512-` and base64, of the file that the registry sends. */
  readonly integrity: string;
  /** An SPDX expression, as the package declares it. */
  readonly license: string | undefined;
  /** Paths of the packages that it loads. */
  readonly needs: readonly string[];
}

const FOLDER = 'node_modules/';

/** The packages that the root needs in production, with all that these need, by path. Optional ones are left out. */
export function productionPackages(lock: Lockfile): LockedPackage[] {
  const found = new Map<string, LockedPackage>();
  const waiting = neededBy(lock, '');
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const locked = lockedPackage(lock, path);
    found.set(path, locked);
    waiting.push(...locked.needs);
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * The optional packages that those of production bring for one processor under Linux with glibc: compiled code. Optional
 * packages for all machines are left out.
 */
export function compiledPackages(lock: Lockfile, cpu: string): LockedPackage[] {
  const found = new Map<string, LockedPackage>();
  const waiting = productionPackages(lock).map(({ path }) => path);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const names = Object.keys(lock.packages[path]?.optionalDependencies ?? {});
    for (const name of names) {
      const at = resolve(lock, path, name);
      if (found.has(at) || !isCompiledFor(lock.packages[at], cpu)) continue;
      found.set(at, lockedPackage(lock, at));
      waiting.push(at);
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function isCompiledFor(
  { os = [], cpu = [], libc = ['glibc'] }: LockedEntry = {},
  processor: string,
): boolean {
  return os.includes('linux') && cpu.includes(processor) && libc.includes('glibc');
}

/** One entry. Throws when the lockfile does not have it, or not its hash. */
export function lockedPackage(lock: Lockfile, path: string): LockedPackage {
  const { version, integrity, license } = lock.packages[path] ?? {};
  if (version === undefined || integrity === undefined)
    throw new Error(`package-lock.json has no version or no integrity for ${path}: run "npm install" again`);
  const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
  return { path, name, version, integrity, license, needs: neededBy(lock, path) };
}

/** The paths of what the package at `path` loads; `''` is the project itself. */
export function neededBy(lock: Lockfile, path: string): string[] {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = lock.packages[path] ?? {};
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...new Set([...Object.keys(dependencies), ...peers])]
    .sort()
    .map((name) => resolve(lock, path, name));
}

/** As Node looks for it: in the package's own folder, then in those above. */
function resolve(lock: Lockfile, from: string, name: string): string {
  for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf(`/${FOLDER}`)))) {
    const path = above === '' ? `${FOLDER}${name}` : `${above}/${FOLDER}${name}`;
    if (path in lock.packages) return path;
    if (above === '')
      throw new Error(`package-lock.json has no ${name}, which ${from || 'the project'} needs`);
  }
}
