/** Gathers the facts that `doctor` checks, for the command and for the console of a running service. */
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { CheckResult, Examined, SystemFacts } from '../../doctor/check.ts';
import { CHECKS, examine } from '../../doctor/doctor.ts';
import { examineListeners } from '../../doctor/listener-states.ts';
import type { RedisInspection } from '../../../limits/inspect-redis.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { SettingsInspection } from '../../settings/settings.ts';
import { withSite } from '../../settings/site-settings.ts';
import { inspectDatabase } from '../../../storage/open.ts';
import { readDescriptorsMax } from './connection-shares.ts';
import { inspectCatalogueFile } from './machine-catalogue.ts';
import { findPicturePositions, readPictureSizes } from '../pictures/picture-process.ts';
import { listUploads } from '../pictures/uploaded-pictures.ts';

/** Runs all checks; changes nothing. `limitMs` applies to each. */
export async function examineInstallation(
  given: SettingsInspection,
  clock: Clock,
  limitMs?: number,
): Promise<readonly CheckResult[]> {
  const { settings: environment } = given;
  const database = inspectDatabase(environment.databaseUrl, clock);
  const content = await database.then(
    (inspection) => inspection.content,
    () => undefined,
  );
  const { settings } = withSite(environment, content?.siteSettings ?? []);
  const { webImages } = settings;
  const redis = inspectGivenRedis(settings.redisUrl, clock);
  const examined: Examined = {
    given,
    environment,
    settings,
    clock,
    redis,
    system: SYSTEM,
    database,
    listeners: examineListeners(settings),
    catalogueFile: inspectCatalogueFile(settings, clock),
    pictureSizes: (paths) => readPictureSizes(webImages, paths),
    picturePositions: async () =>
      existsSync(webImages) ? findPicturePositions(webImages) : { found: [], lookedCount: 0, isCut: false },
    uploads: () => listUploads(webImages),
  };
  // The checks await these promises later; until then a rejection must not count as unhandled.
  for (const wait of [examined.database, examined.redis, examined.listeners, examined.catalogueFile])
    wait.catch(() => undefined);
  return examine(examined, CHECKS, limitMs);
}

async function inspectGivenRedis(
  redisUrl: string | undefined,
  clock: Clock,
): Promise<RedisInspection | undefined> {
  if (redisUrl === undefined) return undefined;
  // Most installations have no Redis, and its client is a quarter of what the command loads.
  const { inspectRedis } = await import('../../../limits/inspect-redis.ts');
  return inspectRedis(redisUrl, clock);
}

const SYSTEM: SystemFacts = {
  nodeVersion: process.versions.node,
  descriptorsMax: readDescriptorsMax(),
  cores: availableParallelism(),
  room(folder) {
    try {
      const { bavail, blocks, bsize } = statfsSync(folder);
      return { free: bavail * bsize, total: blocks * bsize };
    } catch {
      return undefined;
    }
  },
  clientsOf: readClients,
};

/** `sl local_address rem_address st`, addresses in hexadecimal; 01 is an established connection. */
const CONNECTION = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+):[0-9A-F]{4} 01 /;

function readClients(port: number): readonly string[] | undefined {
  try {
    return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line) => {
          const [, local = '', remote = ''] = CONNECTION.exec(line) ?? [];
          return Number.parseInt(local, 16) === port ? [formatAddress(remote)] : [];
        }),
    );
  } catch {
    return undefined;
  }
}

/** Each word is in the byte order of the machine, which is little-endian wherever Node's Linux packages run. */
function formatAddress(hex: string): string {
  const bytes = Buffer.from(hex, 'hex').swap32();
  const isMapped = bytes.length === 16 && bytes.subarray(0, 12).equals(MAPPED);
  if (bytes.length === 4 || isMapped) return [...bytes.subarray(-4)].join('.');
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}

const MAPPED = Buffer.from('00000000000000000000ffff', 'hex');
