/** This machine: settings, Node, files, disk. */
import { accessSync, constants, existsSync } from 'node:fs';
import { type CatalogueFileFacts, type Check, type Examined, fail, type Finding, ok, warn } from './check.ts';
import { MINUTE_MS } from '../../domain/local-date.ts';

const NODE_MIN = [24, 21] as const;
/** Descriptors beside partners' connections: the database, files, the operator listener. */
const OTHER_DESCRIPTORS = 512;
const GIB = 2 ** 30;
const FREE_BYTES_MIN = 64 * 2 ** 20;
const FREE_BYTES_LOW = GIB;
const FREE_SHARE_LOW = 0.05;

export const MACHINE_CHECKS: readonly Check[] = [
  { name: 'settings', run: checkSettings },
  { name: 'environment file', run: checkEnvironmentFile },
  { name: 'setting files', run: checkSettingFiles },
  { name: 'node', run: checkNode },
  { name: 'open files', run: checkOpenFiles },
  { name: 'disk', run: checkDisk },
];

function checkSettings({ given }: Examined): Finding {
  if (given.problems.length > 0) {
    const names = given.problems.map((problem) => problem.slice(0, problem.indexOf(':')));
    return fail(
      given.problems.join('; '),
      `correct ${names.join(', ')}; docs/operating.md lists all settings`,
    );
  }
  if (given.misspelled.length > 0) {
    const pairs = given.misspelled.map(({ name, meant }) => `${name} has no effect (did you mean ${meant}?)`);
    return warn(pairs.join('; '), `rename or remove ${given.misspelled.map(({ name }) => name).join(', ')}`);
  }
  return ok(`${given.setCount} are set, all valid`);
}

function checkEnvironmentFile({ given }: Examined): Finding {
  const { shadowed } = given;
  const { path, problem, isPublic } = given.file;
  if (problem !== undefined) return fail(problem.detail, problem.fix);
  if (isPublic) return warn(`other users may read ${path}, which holds secrets`, `chmod 600 ${path}`);
  if (shadowed.length > 0)
    return warn(
      `the environment of this command sets ${shadowed.join(', ')} to other values than ${path}`,
      `unset ${shadowed.join(', ')}, or remove them from the file; the environment wins`,
    );
  return ok(path === undefined ? 'none is used' : `${path} is read`);
}

function checkSettingFiles({ settings }: Examined): Finding {
  const { webLogo, webImages } = settings;
  // The first upload makes the default folder.
  const isMade = settings.given.has('webImages') || existsSync(webImages);
  const files = { WEB_LOGO: webLogo, WEB_IMAGES: isMade ? webImages : undefined };
  const unreadable = Object.entries(files).flatMap(([name, path]) =>
    path === undefined || isReadable(path) ? [] : [`${name}: ${path} can not be read`],
  );
  return unreadable.length === 0
    ? ok('all can be read')
    : fail(unreadable.join('; '), 'name a file or folder that this user may read');
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function checkNode({ system }: Examined): Finding {
  const [major = 0, minor = 0] = system.nodeVersion.replace(/^v/, '').split('.').map(Number);
  const [majorMin, minorMin] = NODE_MIN;
  const wanted = `${majorMin}.${minorMin}`;
  if (major < majorMin || (major === majorMin && minor < minorMin))
    return fail(
      `Node ${system.nodeVersion} is older than ${wanted}`,
      `use the Node that comes with Stayport, or ${wanted} or newer`,
    );
  return ok(`Node ${system.nodeVersion}`);
}

function checkOpenFiles({ settings, system }: Examined): Finding {
  const { descriptorsMax } = system;
  if (descriptorsMax === undefined) return ok('this system does not say');
  const listeners = settings.webPort === undefined ? 1 : 2;
  const needed = settings.maxConnections * listeners + OTHER_DESCRIPTORS;
  if (descriptorsMax >= needed) return ok(`${descriptorsMax} may be open, ${needed} can be needed`);
  return warn(
    `${descriptorsMax} files may be open, and MAX_CONNECTIONS=${settings.maxConnections} can need ${needed}: fewer clients are let in`,
    `raise the limit (ulimit -n ${needed}; LimitNOFILE=${needed} in the systemd unit), or lower MAX_CONNECTIONS`,
  );
}

async function checkDisk({ database, system }: Examined): Promise<Finding> {
  const folder = await database.then(
    (found) => found.folder,
    () => undefined,
  );
  const place = folder ?? process.cwd();
  const room = system.room(place);
  if (room === undefined) return ok('this system does not say');
  const free = `${formatBytes(room.free)} of ${formatBytes(room.total)} are free at ${place}`;
  if (room.free < FREE_BYTES_MIN && folder !== undefined)
    return fail(
      `${free}: quotes and imports are refused on a full disk`,
      'free space, or move the database to a larger disk',
    );
  if (room.free < Math.min(FREE_BYTES_LOW, room.total * FREE_SHARE_LOW))
    return warn(free, 'free space before it runs out; docs/operating.md, Sizing, says what grows');
  return ok(free);
}

function formatBytes(bytes: number): string {
  return bytes < GIB ? `${Math.floor(bytes / 2 ** 20)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
}

// The saved catalogue: whether the next start can use it, and whether it can be written.

const OF_OTHERS = 0o077;

export const CATALOGUE_FILE_CHECK: Check = {
  name: 'catalogue file',
  async run({ catalogueFile }) {
    const facts = await catalogueFile;
    return facts === undefined ? ok('none is kept: each start reads the database') : judge(facts);
  },
};

function judge({ path, isSet, problem, found }: CatalogueFileFacts): Finding {
  if (problem !== undefined) {
    const fix = 'name a path in CATALOGUE_FILE whose folder the user of the service may write';
    return isSet
      ? fail(`${path} can not be written, so the service does not start: ${problem}`, fix)
      : warn(`${path} can not be written, so each start reads the database: ${problem}`, fix);
  }
  if (found === undefined)
    return ok(`${path} is not there yet: the service writes it when it stops, and every ten minutes`);
  if (process.platform !== 'win32' && (found.mode & OF_OTHERS) !== 0)
    return warn(
      `other users may read or write ${path} (mode ${(found.mode & 0o777).toString(8)}); one that they may write is not used`,
      `chmod 600 ${path}`,
    );
  if (found.unfitness !== undefined)
    return warn(
      `the next start does not use ${path} and reads the database: it ${found.unfitness}`,
      'nothing if that is expected: the service writes it again; where several services share the path, set CATALOGUE_FILE for each',
    );
  return ok(`${path} was saved ${Math.floor(found.ageMs / MINUTE_MS)} minutes ago`);
}
