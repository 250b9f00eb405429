/** Types of a check and its input. Findings hold no secret. */
import { inEnglish, type Told, Wrong, type WrongValue } from '../../domain/wrong.ts';
import type { RedisInspection } from '../../limits/inspect-redis.ts';
import type { Settings, SettingsInspection } from '../settings/settings.ts';
import type { DatabaseContent, DatabaseInspection } from '../../storage/inspection/inspection.ts';

export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: Told;
  /** The fix; null when all is well. */
  readonly fix: Told | null;
}

export interface CheckResult extends Finding {
  readonly check: string;
}

/** As the command prints it. */
export interface PrintedResult extends Pick<CheckResult, 'check' | 'status'> {
  readonly detail: string;
  readonly fix: string | null;
}

export function printed({ check, status, detail, fix }: CheckResult): PrintedResult {
  return { check, status, detail: inEnglish(detail), fix: fix && inEnglish(fix) };
}

export interface Check {
  readonly name: string;
  readonly run: (examined: Examined) => Finding | Promise<Finding>;
}

/** Shared input of all checks: each wait on the network happens once. */
export interface Examined {
  readonly given: SettingsInspection;
  /** Wrong settings have their defaults. */
  readonly environment: Settings;
  /** In force: with those of the site, as far as the database answers. */
  readonly settings: Settings;
  readonly clock: () => number;
  readonly system: SystemFacts;
  /** Rejects when unreachable. */
  readonly database: Promise<DatabaseInspection>;
  /** Undefined without REDIS_URL; rejects when unreachable. */
  readonly redis: Promise<RedisInspection | undefined>;
  readonly catalogueFile: Promise<CatalogueFileFacts | undefined>;
  /** Width and height of files below `WEB_IMAGES`. */
  readonly pictureSizes: (paths: readonly string[]) => Promise<PictureSizes | NotLookedAt>;
  /** In all files below `WEB_IMAGES`. */
  readonly picturePositions: () => Promise<PicturePositions | NotLookedAt>;
  /** Pictures that people have uploaded. */
  readonly uploads: () => Promise<{ readonly folder: string; readonly files: readonly UploadedFile[] }>;
  /** Whether a Stayport answers on our ports. */
  readonly listeners: Promise<readonly ListenerState[]>;
}

/** Below `WEB_IMAGES`, in the folder of uploads. */
export interface UploadedFile {
  readonly name: string;
  readonly bytes: number;
  readonly storedAtMs: number;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** By path, pixels as browsers show them. Null: no such file, or it does not tell. Absent: there was no time for it. */
export interface PictureSizes {
  readonly sizes: Readonly<Record<string, PictureSize | null>>;
}

export interface PicturePositions {
  /** Paths of files that say where they were taken. */
  readonly found: readonly string[];
  readonly lookedCount: number;
  /** There are more files than were looked at. */
  readonly isCut: boolean;
}

/** Pictures that could not be looked at. */
export interface NotLookedAt {
  readonly problem: string;
  /** The library that reads pictures can't be loaded on this machine. */
  readonly lacksLibrary: boolean;
}

/** The saved catalogue, which spares a start from reading the whole database. */
export interface CatalogueFileFacts {
  readonly path: string;
  /** `CATALOGUE_FILE` names it; otherwise the service can start without. */
  readonly isSet: boolean;
  /** Why it can't be written. */
  readonly problem: string | undefined;
  /** Undefined without a file. */
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

/** Facts of the operating system about this process. */
export interface SystemFacts {
  readonly nodeVersion: string;
  /** Undefined when unknown. */
  readonly descriptorsMax: number | undefined;
  readonly cores: number;
  /** Free and total bytes of a folder's file system; undefined when unknown. */
  readonly room: (folder: string) => { readonly free: number; readonly total: number } | undefined;
  /** Addresses connected to a port of this machine; undefined when unknown. */
  readonly clientsOf: (port: number) => readonly string[] | undefined;
}

/** A name, a value, a command, or the words of a system or a library. */
export function asItIs(text: string | number): Wrong {
  return new Wrong('asItIs', { text });
}

/** One after the other, apart by `;` or by commas. */
export function allOf(
  [first = asItIs(''), ...rest]: readonly Told[],
  code: 'alsoFound' | 'inList' = 'alsoFound',
): Told {
  return rest.reduce((one, other) => new Wrong(code, { one, other }), first);
}

/** The first `max` of the names, and how many there are more; `count`: of all, where not all of them are known. */
export function firstOf(
  names: readonly WrongValue[],
  max = names.length,
  count = names.length,
  between = ', ',
): WrongValue {
  const shown = names.slice(0, max);
  const some = shown.every((name) => typeof name !== 'object') ? shown.join(between) : allOf(shown as Told[]);
  return count > shown.length ? new Wrong('andMore', { names: some, count: count - shown.length }) : some;
}

export function ok(detail: Told): Finding {
  return { status: 'ok', detail, fix: null };
}

/** It works, but should be improved. */
export function warn(detail: Told, fix: Told): Finding {
  return { status: 'warn', detail, fix };
}

/** It does not work, or is unsafe. */
export function fail(detail: Told, fix: Told): Finding {
  return { status: 'fail', detail, fix };
}

/** For content of the database: if that is unreadable, another check reports it once. */
export async function ofContent(
  { database }: Examined,
  judge: (content: DatabaseContent) => Finding | Promise<Finding>,
): Promise<Finding> {
  const content = await database.then(
    (found) => found.content,
    () => undefined,
  );
  return content === undefined ? ok(new Wrong('notCheckedDatabase')) : judge(content);
}

/** For properties of a reachable database. */
export async function ofDatabase(
  { database }: Examined,
  judge: (found: DatabaseInspection) => Finding,
): Promise<Finding> {
  const found = await database.catch(() => undefined);
  return found === undefined ? ok(new Wrong('notCheckedUnreached')) : judge(found);
}
