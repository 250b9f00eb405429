/**
 * A whole installation for end-to-end tests: a real database, filled by the real importers and commands, and the
 * service as `serve` starts it, on free ports. Only the time is the test's own.
 */
import { inEnglish } from '../../src/domain/wrong.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type IssuedCredential, issueCredential } from '../../src/access/credential-changes.ts';
import { issueOperatorToken } from '../../src/access/operator-tokens.ts';
import { type AccessDeps, createPartner } from '../../src/access/partner-changes.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import { type Random, systemRandom } from '../../src/runtime/random.ts';
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import { type Service, startService } from '../../src/app/service/service.ts';
import { parseSettings, type Settings } from '../../src/app/settings/settings.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openCatalogueFile } from '../../src/supply/native/catalogue-file.ts';
import { type ImportResult, runImport } from '../../src/supply/run/import-run.ts';
import type { Rejection, Supply } from '../../src/supply/run/supply-item.ts';
import type { Line } from './catalogue-lines.ts';
import { NO_WEB } from './command-line.ts';
import { closeConnections } from './http-exchange.ts';
import { openMachineHere } from './machine-here.ts';
import { NOW_MS } from './now.ts';
import { PartnerClient } from './partner-client.ts';

export { NOW_MS } from './now.ts';

/** Limits are out of the way unless a test is about them. */
const ROOMY = { PORT: '0', OPERATOR_PORT: '0', INGRESS_LIMIT: '0', ...NO_WEB };
const QUOTA_ROOMY = 1_000_000;
const ERROR_LEVEL = 50;
/** On a busy machine the service must not refuse a test's request. */
const PATIENT_MS = 60_000;

export interface PartnerOptions {
  readonly partnerId?: string;
  readonly origins?: readonly string[];
  readonly scopes?: readonly string[];
  readonly quota?: number;
  readonly expiresAtMs?: number;
  readonly isTest?: boolean;
}

export interface ImportOptions {
  readonly source?: string;
  readonly replace?: boolean;
}

export type Imported = ImportResult & { readonly rejections: readonly Rejection[] };

export interface Served extends Service {
  /** Errors logged since the last call. A test that provokes errors takes them. */
  takeErrors(): readonly string[];
}

export interface Installation {
  /** The clock of service and commands, Unix ms; a test may move it. */
  readonly time: { nowMs: number };
  readonly folder: string;
  /** The SQLite file; absent when the database was given. */
  readonly databasePath: string;
  /** Another opening of the database than the service's, as the command line has it. */
  readonly storage: Storage;
  /** For the functions behind the commands. */
  readonly access: AccessDeps;
  readonly importLines: (lines: readonly Line[], options?: ImportOptions) => Promise<Imported>;
  readonly importSupply: (supply: Supply, source: string) => Promise<Imported>;
  /** A new partner, unless it exists, and a new credential. */
  readonly issue: (options?: PartnerOptions) => Promise<IssuedCredential>;
  /** `source`: the one that the token is bound to, as a system's is. */
  readonly issueOperatorToken: (source?: string) => Promise<string>;
  /** Starts the service and waits until it is ready; `close` of the installation ends it. */
  readonly serve: (
    environment?: Readonly<Record<string, string>>,
    how?: {
      /** A thread answers long questions. */
      readonly hasReader?: boolean;
      /** Gets every line of the log, of whatever level. */
      readonly lines?: string[];
    },
  ) => Promise<Served>;
  close(): Promise<void>;
}

/** On a new SQLite database, unless `givenUrl` names an empty one. `random` for ids that can be repeated. */
export async function openInstallation(
  givenUrl?: string,
  random: Random = systemRandom,
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-e2e-'));
  const databasePath = join(folder, 'stayport.db');
  const databaseUrl = givenUrl ?? `sqlite:${databasePath}`;
  const time = { nowMs: NOW_MS };
  const clock = (): number => time.nowMs;
  const storage = await openStorage(databaseUrl, { clock, writesHere: true });
  await storage.migrate();
  const access: AccessDeps = { storage, clock, random };
  const started: Served[] = [];
  let fileCount = 0;

  return {
    time,
    folder,
    databasePath,
    storage,
    access,
    async importLines(lines, options = {}) {
      const file = join(folder, `lines-${(fileCount += 1)}.ndjson`);
      writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
      const supply = await openCatalogueFile({ file, standardInput: process.stdin, readsTwice: false });
      return importInto(storage, supply, { clock, source: options.source ?? 'catalogue', ...options });
    },
    importSupply: (supply, source) => importInto(storage, supply, { clock, source }),
    async issue({ partnerId = 'acme', origins = [], scopes, quota = QUOTA_ROOMY, expiresAtMs, isTest } = {}) {
      const { partners } = await storage.readAccess();
      if (!partners.some((partner) => partner.partnerId === partnerId)) {
        valueOf(await createPartner(access, { name: partnerId, partnerId, origins }));
      }
      return valueOf(await issueCredential(access, { partnerId, scopes, quota, expiresAtMs, isTest }));
    },
    async issueOperatorToken(source) {
      return valueOf(await issueOperatorToken(access, { name: 'web application', source })).token;
    },
    async serve(environment = {}, { hasReader = false, lines } = {}) {
      const settings = settingsOf({ DATABASE_URL: databaseUrl, ...ROOMY, ...environment });
      const errors: string[] = [];
      const write = (line: string): void => {
        lines?.push(line);
        if (JSON.parse(line).level >= ERROR_LEVEL) errors.push(line);
      };
      const logger = pino({ level: lines === undefined ? 'error' : 'trace' }, { write });
      const shared = hasReader ? await openMachineHere(settings, { clock, logger }) : undefined;
      const deps = { clock, random, logger, lateMsMax: PATIENT_MS };
      const service = await startService(settings, shared === undefined ? deps : { ...deps, shared });
      const close = async (): Promise<void> => {
        await service.close();
        await shared?.stop();
      };
      const served: Served = { ...service, close, takeErrors: () => errors.splice(0) };
      started.push(served);
      await served.ready;
      return served;
    },
    async close() {
      const errors = started.flatMap((served) => served.takeErrors());
      for (const served of started) await served.close();
      closeConnections();
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
      assert.deepEqual(errors, [], 'nothing unexpected was logged');
    },
  };
}

/** The usual case: one catalogue, one partner with every scope, one service. */
export interface Running {
  readonly installation: Installation;
  readonly service: Served;
  readonly partner: PartnerClient;
}

export async function startInstallation(
  lines: readonly Line[],
  environment: Readonly<Record<string, string>> = {},
  givenUrl?: string,
): Promise<Running> {
  const installation = await openInstallation(givenUrl);
  const { rejections } = await installation.importLines(lines);
  assert.deepEqual(rejections, []);
  const { token } = await installation.issue({ scopes: ALL_SCOPE_NAMES });
  const service = await installation.serve(environment);
  return { installation, service, partner: new PartnerClient(service.partnerUrl, token) };
}

/** A refusal of a command that the test relies on is a mistake in the test. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(inEnglish(outcome.problem));
  return outcome.value;
}

async function importInto(
  storage: Storage,
  supply: Supply,
  options: { readonly clock: () => number; readonly source: string; readonly replace?: boolean },
): Promise<Imported> {
  const rejections: Rejection[] = [];
  const result = await runImport(supply, {
    storage,
    horizonNights: HORIZON_NIGHTS,
    onRejection: (rejection) => rejections.push(rejection),
    ...options,
  });
  return { ...result, rejections };
}

function settingsOf(environment: Readonly<Record<string, string>>): Settings {
  const parsed = parseSettings(environment);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.settings;
}

/** The default of the setting, for imports and service alike. */
export const HORIZON_NIGHTS = settingsOf({}).horizonNights;
