/** This machine: settings, Node, files, disk. */
import { accessSync, constants, existsSync } from 'node:fs';
import {
  allOf,
  asItIs,
  type CatalogueFileFacts,
  type Check,
  type Examined,
  fail,
  type Finding,
  ok,
  warn,
} from './check.ts';
import { Wrong } from '../../domain/wrong.ts';
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
      allOf(given.problems.map((problem) => asItIs(problem))),
      new Wrong('fixSettings', { names: names.join(', ') }),
    );
  }
  if (given.misspelled.length > 0) {
    const names = given.misspelled.map(({ name }) => name).join(', ');
    return warn(
      allOf(given.misspelled.map((pair) => new Wrong('settingMisspelled', { ...pair }))),
      new Wrong('fixMisspelled', { names }),
    );
  }
  return ok(new Wrong('settingsValid', { count: given.setCount }));
}

function checkEnvironmentFile({ given }: Examined): Finding {
  const { shadowed } = given;
  const { path, problem, isPublic } = given.file;
  if (problem !== undefined) return fail(asItIs(problem.detail), asItIs(problem.fix));
  if (path === undefined) return ok(new Wrong('noEnvironmentFile'));
  if (isPublic) return warn(new Wrong('fileSecretsPublic', { path }), asItIs(`chmod 600 ${path}`));
  if (shadowed.length > 0) {
    const names = shadowed.join(', ');
    return warn(new Wrong('fileShadowed', { names, path }), new Wrong('fixShadowed', { names }));
  }
  return ok(new Wrong('fileIsRead', { path }));
}

function checkSettingFiles({ settings }: Examined): Finding {
  const { webLogo, webImages } = settings;
  // The first upload makes the default folder.
  const isMade = settings.given.has('webImages') || existsSync(webImages);
  const files = { WEB_LOGO: webLogo, WEB_IMAGES: isMade ? webImages : undefined };
  const unreadable = Object.entries(files).flatMap(([name, path]) =>
    path === undefined || isReadable(path) ? [] : [new Wrong('settingUnreadable', { name, path })],
  );
  return unreadable.length === 0
    ? ok(new Wrong('allReadable'))
    : fail(allOf(unreadable), new Wrong('fixReadable'));
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
      new Wrong('nodeOld', { version: system.nodeVersion, wanted }),
      new Wrong('fixNode', { wanted }),
    );
  return ok(asItIs(`Node ${system.nodeVersion}`));
}

function checkOpenFiles({ settings, system }: Examined): Finding {
  const { descriptorsMax } = system;
  if (descriptorsMax === undefined) return ok(new Wrong('systemSilent'));
  const listeners = settings.webPort === undefined ? 1 : 2;
  const needed = settings.maxConnections * listeners + OTHER_DESCRIPTORS;
  if (descriptorsMax >= needed) return ok(new Wrong('openFiles', { max: descriptorsMax, needed }));
  return warn(
    new Wrong('openFilesFew', { max: descriptorsMax, connections: settings.maxConnections, needed }),
    new Wrong('fixOpenFiles', { needed }),
  );
}

async function checkDisk({ database, system }: Examined): Promise<Finding> {
  const folder = await database.then(
    (found) => found.folder,
    () => undefined,
  );
  const place = folder ?? process.cwd();
  const room = system.room(place);
  if (room === undefined) return ok(new Wrong('systemSilent'));
  const free = new Wrong('diskFree', {
    free: formatBytes(room.free),
    total: formatBytes(room.total),
    path: place,
  });
  if (room.free < FREE_BYTES_MIN && folder !== undefined)
    return fail(new Wrong('diskExhausted', { free }), new Wrong('fixDiskFull'));
  if (room.free < Math.min(FREE_BYTES_LOW, room.total * FREE_SHARE_LOW))
    return warn(free, new Wrong('fixDiskLow'));
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
    return facts === undefined ? ok(new Wrong('catalogueNone')) : judge(facts);
  },
};

function judge({ path, isSet, problem, found }: CatalogueFileFacts): Finding {
  if (problem !== undefined) {
    const fix = new Wrong('fixCatalogueFile');
    return isSet
      ? fail(new Wrong('catalogueStops', { path, why: problem }), fix)
      : warn(new Wrong('catalogueUnwritten', { path, why: problem }), fix);
  }
  if (found === undefined) return ok(new Wrong('catalogueLater', { path }));
  if (process.platform !== 'win32' && (found.mode & OF_OTHERS) !== 0)
    return warn(
      new Wrong('cataloguePublic', { path, mode: (found.mode & 0o777).toString(8) }),
      asItIs(`chmod 600 ${path}`),
    );
  if (found.unfitness !== undefined)
    return warn(new Wrong('catalogueUnfit', { path, why: found.unfitness }), new Wrong('fixCatalogueUnfit'));
  return ok(new Wrong('catalogueSaved', { path, count: Math.floor(found.ageMs / MINUTE_MS) }));
}
