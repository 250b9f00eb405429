/** What a check is, and what it may look at. Nothing in a finding is a secret. */
import type { RedisInspection } from '../limits/inspect-redis.ts';
import type { Settings, SettingsInspection } from '../settings/settings.ts';
import type { DatabaseContent, DatabaseInspection } from '../storage/inspection/inspection.ts';

export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do; null when all is well. */
  readonly fix: string | null;
}

export interface Check {
  readonly name: string;
  readonly run: (examined: Examined) => Finding | Promise<Finding>;
}

/** What all checks share: each wait on the network happens once. */
export interface Examined {
  readonly given: SettingsInspection;
  /** Wrong settings are at their defaults. */
  readonly settings: Settings;
  readonly clock: () => number;
  readonly system: SystemFacts;
  /** Rejects when it can't be reached. */
  readonly database: Promise<DatabaseInspection>;
  /** Undefined without REDIS_URL; rejects when it can't be reached. */
  readonly redis: Promise<RedisInspection | undefined>;
  /** Undefined where none is kept. */
  readonly catalogueFile: Promise<CatalogueFileFacts | undefined>;
  /** Width and height that a file below `WEB_IMAGES` has, pixels; undefined where it does not say. */
  readonly pictureSize: (path: string) => Promise<PictureSize | undefined>;
  /** Whether a Stayport answers on our ports now. */
  readonly listeners: Promise<readonly ListenerState[]>;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The file from which a start goes on, so that it does not read the whole database. */
export interface CatalogueFileFacts {
  readonly path: string;
  /** `CATALOGUE_FILE` names it; else the service starts without. */
  readonly isSet: boolean;
  /** Why no file can be written there. */
  readonly problem: string | undefined;
  /** Undefined where there is none. */
  readonly found:
    | { readonly ageMs: number; readonly mode: number; readonly unfitness: string | undefined }
    | undefined;
}

export interface ListenerState {
  /** `PORT`, `OPERATOR_PORT` or `WEB_PORT`. */
  readonly setting: string;
  readonly host: string;
  readonly port: number;
  readonly state: 'free' | 'ours' | 'taken' | 'impossible';
  /** Why it is impossible. */
  readonly problem?: string;
}

/** What the operating system says of this process. */
export interface SystemFacts {
  readonly nodeVersion: string;
  /** Undefined where it does not say. */
  readonly descriptorsMax: number | undefined;
  readonly cores: number;
  /** Free and all bytes of the file system that holds a folder; undefined where it does not say. */
  readonly room: (folder: string) => { readonly free: number; readonly total: number } | undefined;
  /** Addresses that are connected to a port of this machine; undefined where it does not say. */
  readonly clientsOf: (port: number) => readonly string[] | undefined;
}

export function ok(detail: string): Finding {
  return { status: 'ok', detail, fix: null };
}

/** It works, and should be better. */
export function warn(detail: string, fix: string): Finding {
  return { status: 'warn', detail, fix };
}

/** It does not work, or is not safe. */
export function fail(detail: string, fix: string): Finding {
  return { status: 'fail', detail, fix };
}

/** For what is in the database: where that can't be read, another check says so, and this one does not repeat it. */
export async function ofContent(
  { database }: Examined,
  judge: (content: DatabaseContent) => Finding | Promise<Finding>,
): Promise<Finding> {
  const content = await database.then(
    (found) => found.content,
    () => undefined,
  );
  return content === undefined ? ok('not checked: the database can not be read yet') : judge(content);
}

/** The same for what a reachable database is. */
export async function ofDatabase(
  { database }: Examined,
  judge: (found: DatabaseInspection) => Finding,
): Promise<Finding> {
  const found = await database.catch(() => undefined);
  return found === undefined ? ok('not checked: the database can not be reached') : judge(found);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
