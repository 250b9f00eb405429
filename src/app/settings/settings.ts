/**
 * Reads the settings (`settings-table.ts`). Only this file reads the environment.
 *
 * The environment wins over the file of settings, and that one over the defaults. The file is the one that `--env-file`
 * or `STAYPORT_ENV_FILE` names; in development, without such a name, a `.env` in the working directory.
 */
import { dirname, join, resolve } from 'node:path';
import { inEnglish, Wrong } from '../../domain/wrong.ts';
import { databasePlace } from '../../storage/open.ts';
import type { Logo } from '../../traveller/web/assets.ts';
import {
  EnvironmentFileWrong,
  type FileValues,
  openEnvironmentFile,
  parseEnvironmentFile,
} from './environment-file.ts';
import { isLoopbackHost } from './setting-values.ts';
import {
  type Setting,
  type SettingName,
  SETTING_ROWS,
  SETTINGS,
  type SettingValues,
} from './settings-table.ts';

const DEVELOPMENT_FILE = '.env';
/** Names the file of settings, as `--env-file` does. */
const FILE_VARIABLE = 'STAYPORT_ENV_FILE';

/** Above all a line break: it would pass many patterns, and end in a header or a log line. */
const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;
const NOT_ONE_LINE = new Wrong('notOneLine');

/** Settings whose default is made from other settings. */
type Derived = 'consoleUrl' | 'publicUrl' | 'problemsBaseUrl' | 'calendarsBaseUrl' | 'webImages';

export interface Settings extends Omit<SettingValues, Derived>, Readonly<Record<Derived, string>> {
  /** Those that the environment sets; the others have their defaults, which must not stop a start. */
  readonly given: ReadonlySet<SettingName>;
  /** Those that the database sets, as settings of the site. */
  readonly ofSite: ReadonlySet<SettingName>;
  /** The logo that was uploaded; WEB_LOGO is then not set. */
  readonly uploadedLogo: Logo | undefined;
  /** The service makes the certificate and the key of the web listener itself: one file, which both settings name. */
  readonly isSelfSigned: boolean;
}

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  /** One line that names the setting, the mistake, and an example. */
  | { readonly ok: false; readonly problem: string };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where settings come from, beside the environment of this process. */
export interface SettingSources {
  /** They apply where neither the environment nor the file sets anything. */
  readonly defaults?: Environment;
  /** The file that `--env-file` names. */
  readonly file?: string | undefined;
  /** They win over all others. */
  readonly fixed?: Environment;
}

/** The settings of this process. */
export function loadSettings({ defaults = {}, file, fixed }: SettingSources = {}): SettingsResult {
  const read = readFile(file);
  if ('problem' in read) return { ok: false, problem: formatProblem(read.problem) };
  return parseSettings(withDefaults({ ...merge(read.values), ...fixed }, defaults));
}

/** Where the value of a setting comes from, in words: of the environment, of which file, or the default. */
export function originOf(name: string, { file }: SettingSources = {}): string {
  if ((process.env[name] ?? '').trim() !== '') return `${name} of the environment`;
  const read = readFile(file);
  const isOfFile = 'values' in read && (read.values[name] ?? '').trim() !== '';
  return isOfFile ? `${name} of ${read.path}` : `the default, as ${name} is not set`;
}

/** Lists the names that the file of settings sets, never values; undefined when none was read. */
export function formatEnvironmentFile(file?: string): string | undefined {
  const read = readFile(file);
  if ('problem' in read || read.path === undefined) return undefined;
  const { values } = read;
  const names = SETTING_ROWS.flatMap(([, { name }]) => {
    const counts = (values[name] ?? '').trim() !== '' && (process.env[name] ?? '').trim() === '';
    return counts ? [name] : [];
  });
  if (names.length === 0) return undefined;
  const isNamed = namedFile(file) !== undefined;
  return `${names.join(', ')} read from ${read.path}${isNamed ? '' : '; NODE_ENV=production ignores that file'}`;
}

/** Gives threads the same settings, even if the file changes meanwhile. */
export function environmentForWorkers({ defaults = {}, file, fixed }: SettingSources = {}): Environment {
  const read = readFile(file);
  const values = 'values' in read ? read.values : {};
  const { [FILE_VARIABLE]: _, ...environment } = withDefaults({ ...merge(values), ...fixed }, defaults);
  return { ...environment, NODE_ENV: 'production' };
}

/** For `doctor`: every mistake, and the other settings. */
export interface SettingsInspection {
  /** Wrong ones have their defaults. */
  readonly settings: Settings;
  /** One line for each wrong setting, beginning with its name. */
  readonly problems: readonly string[];
  readonly setCount: number;
  /** Names in the file that nearly equal those of settings. */
  readonly misspelled: readonly { readonly name: string; readonly meant: string }[];
  /** Names of settings that the file sets, and the environment to something else. */
  readonly shadowed: readonly string[];
  readonly file: {
    /** Undefined without one, and for a `.env` in production. */
    readonly path: string | undefined;
    readonly problem?: FileProblem;
    /** Other users may read it. */
    readonly isPublic: boolean;
  };
}

export function inspectSettings({ defaults = {}, file }: SettingSources = {}): SettingsInspection {
  const read = readFile(file);
  const ofFile = 'values' in read ? read.values : {};
  const environment = withDefaults(merge(ofFile), defaults);
  const names = SETTING_ROWS.map(([, { name }]) => name);
  return {
    ...parseLeniently(environment),
    setCount: names.filter((name) => (environment[name] ?? '').trim() !== '').length,
    misspelled: Object.keys(ofFile).flatMap((name) => {
      const meant = names.includes(name) ? undefined : names.find((known) => isNearly(name, known));
      return meant === undefined ? [] : [{ name, meant }];
    }),
    shadowed: names.filter((name) => isShadowed(ofFile[name], process.env[name])),
    file: {
      path: read.path,
      ...('problem' in read ? { problem: read.problem } : read.warning && { problem: read.warning }),
      isPublic: 'values' in read && !read.isPrivate,
    },
  };
}

function isShadowed(ofFile: string | undefined, ofEnvironment: string | undefined): boolean {
  const [file = '', environment = ''] = [ofFile?.trim(), ofEnvironment?.trim()];
  return file !== '' && environment !== '' && file !== environment;
}

/** Drops one wrong setting after the other. */
function parseLeniently(environment: Environment): Pick<SettingsInspection, 'settings' | 'problems'> {
  const rest: Record<string, string | undefined> = { ...environment };
  const problems: string[] = [];
  for (;;) {
    const parsed = parseSettings(rest);
    if (parsed.ok) return { settings: parsed.settings, problems };
    problems.push(parsed.problem);
    const name = parsed.problem.slice(0, parsed.problem.indexOf(':'));
    // The problem may name the missing one of the pair: drop both.
    const wrong = rest[name] === undefined ? [SETTINGS.webTlsCert.name, SETTINGS.webTlsKey.name] : [name];
    for (const one of wrong) delete rest[one];
  }
}

/** One letter added, missing or changed, or two swapped. */
function isNearly(name: string, known: string): boolean {
  if (Math.abs(name.length - known.length) > 1 || known.length < 6) return false;
  let start = 0;
  while (start < name.length && name[start] === known[start]) start += 1;
  let end = 0;
  while (end < Math.min(name.length, known.length) - start && name.at(-1 - end) === known.at(-1 - end))
    end += 1;
  const [left, wanted] = [name, known].map((text) => text.slice(start, text.length - end)) as [
    string,
    string,
  ];
  if (left.length <= 1 && wanted.length <= 1) return true;
  return left.length === 2 && left === [...wanted].toReversed().join('');
}

/** The environment over the file; a blank variable counts as not set. */
function merge(ofFile: FileValues): Environment {
  return withDefaults(process.env, ofFile);
}

function withDefaults(environment: Environment, defaults: Environment): Environment {
  const isSet = ([name]: readonly [string, unknown]): boolean => (environment[name] ?? '').trim() !== '';
  const unset = Object.entries(defaults).filter((entry) => !isSet(entry));
  return { ...environment, ...Object.fromEntries(unset) };
}

/**
 * One line if a `.env` is ignored because other users may write it: they would choose the database and the keys of this
 * process. Undefined otherwise.
 */
export function warnOfEnvironmentFile(file?: string): string | undefined {
  const read = readFile(file);
  return 'values' in read && read.warning ? formatProblem(read.warning) : undefined;
}

/** Why a file is not used, and what to do. */
interface FileProblem {
  readonly detail: string;
  readonly fix: string;
}

type FileRead =
  | {
      readonly values: FileValues;
      /** Absolute; undefined without a file. */
      readonly path: string | undefined;
      readonly isPrivate: boolean;
      /** Why nothing is taken of a file that nobody named. */
      readonly warning?: FileProblem;
    }
  | { readonly path: string; readonly problem: FileProblem };

/** A file that somebody named must be there, whole and safe. A `.env` may be missing; an unsafe one is not taken. */
function readFile(given: string | undefined): FileRead {
  const named = namedFile(given);
  const none = { values: {}, path: undefined, isPrivate: true };
  if (named === undefined && process.env['NODE_ENV'] === 'production') return none;
  const path = resolve(named?.path ?? DEVELOPMENT_FILE);
  const subject = named === undefined ? path : `${named.by}: ${path}`;
  try {
    const { bytes, isSafe, isPrivate } = openEnvironmentFile(path);
    if (isSafe) return { values: parseEnvironmentFile(bytes), path, isPrivate };
    const problem = {
      detail: `${subject} is not read, because other users may write it`,
      fix: `check its content, then run "chmod go-w ${path}"`,
    };
    return named === undefined ? { values: {}, path, isPrivate, warning: problem } : { path, problem };
  } catch (error) {
    if (named === undefined && isMissing(error)) return none;
    return { path, problem: explainFile(error, subject) };
  }
}

function explainFile(error: unknown, subject: string): FileProblem {
  if (error instanceof EnvironmentFileWrong)
    return { detail: `${subject}: ${error.problem}`, fix: error.fix };
  if (isMissing(error))
    return { detail: `${subject} does not exist`, fix: 'name a file with a NAME=value on each line' };
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return {
    detail: `${subject} can't be read (${code})`,
    fix: 'make it readable for this user, or remove it',
  };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function formatProblem({ detail, fix }: FileProblem): string {
  return `${detail}: ${fix}`;
}

function namedFile(given: string | undefined): { readonly path: string; readonly by: string } | undefined {
  if (given !== undefined) return { path: given, by: '--env-file' };
  const path = process.env[FILE_VARIABLE]?.trim() ?? '';
  return path === '' ? undefined : { path, by: FILE_VARIABLE };
}

/** An empty or blank variable counts as not set, as compose files write it. */
export function parseSettings(environment: Environment): SettingsResult {
  const values: Record<string, unknown> = {};
  const given = new Set<SettingName>();
  for (const [key, entry] of SETTING_ROWS) {
    const set = environment[entry.name]?.trim() ?? '';
    if (set !== '') given.add(key);
    const text = set === '' ? entry.fallback : set;
    if (text === undefined) continue;
    const parsed = readValue(entry, text);
    if (parsed instanceof Wrong)
      return { ok: false, problem: inEnglish(wrongSettingReason(entry, text, parsed)) };
    values[key] = parsed;
  }
  const together = findUnpaired(values) ?? findCircle(values);
  if (together !== undefined) return { ok: false, problem: inEnglish(together) };
  const isSelfSigned = addWebDefaults(values, given);
  values['calendarsBaseUrl'] ??= calendarsBeside(String(values['handoffBaseUrl']));
  values['publicUrl'] ??= `http://127.0.0.1:${Number(values['port']) || SETTINGS.port.fallback}`;
  values['problemsBaseUrl'] ??= `${String(values['publicUrl'])}/problems`;
  values['consoleUrl'] ??= consoleAt(String(values['operatorHost']), String(values['operatorPort']));
  const own = { given, ofSite: new Set(), uploadedLogo: undefined, isSelfSigned };
  return { ok: true, settings: { ...values, ...own } as unknown as Settings };
}

/** The value of one setting. */
export function readValue(entry: Setting, text: string): unknown {
  return CONTROL_CHARACTER.test(text) ? NOT_ONE_LINE : entry.parse(text);
}

const CERTIFICATE_FILE = 'self-signed.pem';
const PICTURE_FOLDER = 'images';

/**
 * Completes the settings of the web listener where nothing is set: a folder of pictures beside the database, links to
 * its port, and a certificate of its own. Returns whether it has that one: not where the operator names a certificate, or
 * the address of a proxy.
 */
function addWebDefaults(values: Record<string, unknown>, given: ReadonlySet<SettingName>): boolean {
  const folder = dataFolder(String(values['databaseUrl']));
  values['webImages'] ??= join(folder, PICTURE_FOLDER);
  const { webPort } = values as { readonly webPort?: number };
  if (webPort === undefined || given.has('handoffBaseUrl')) return false;
  if (webPort !== 0) values['handoffBaseUrl'] = `https://localhost:${webPort}/handoff`;
  if (given.has('webTlsCert')) return false;
  values['webTlsCert'] = values['webTlsKey'] = join(folder, CERTIFICATE_FILE);
  return true;
}

/** The folder of the SQLite file; with PostgreSQL, where that file would be by default. */
function dataFolder(databaseUrl: string): string {
  return dirname(databasePlace(databaseUrl).file ?? databasePlace(SETTINGS.databaseUrl.fallback).file ?? '');
}

/** `https://book.example.com/stay/handoff` is `https://book.example.com/stay/calendars`. */
export function calendarsBeside(handoffUrl: string): string {
  return new URL('calendars', handoffUrl).href;
}

const LOCALHOST = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/**
 * Without its own certificate, the operator listener is safe only for a browser on its machine. By its name, because
 * passkeys do not work with addresses.
 */
function consoleAt(operatorHost: string, operatorPort: string): string {
  const isOther = isLoopbackHost(operatorHost) && !LOCALHOST.has(operatorHost);
  return `http://${isOther ? operatorHost : 'localhost'}:${operatorPort}`;
}

/** A certificate needs its key. */
function findUnpaired({ webTlsCert, webTlsKey }: Readonly<Record<string, unknown>>): Wrong | undefined {
  if ((webTlsCert === undefined) === (webTlsKey === undefined)) return undefined;
  const [missing, given] =
    webTlsKey === undefined
      ? [SETTINGS.webTlsKey, SETTINGS.webTlsCert]
      : [SETTINGS.webTlsCert, SETTINGS.webTlsKey];
  return new Wrong('unpaired', { name: missing.name, other: given.name, example: missing.example });
}

/** The traveller's button must lead on, not back to the page that it is on. */
export function findCircle({
  bookingUrlTemplate: template,
  handoffBaseUrl,
}: Readonly<Record<string, unknown>>): Wrong | undefined {
  if (typeof template !== 'string' || typeof handoffBaseUrl !== 'string') return undefined;
  const { origin, pathname } = new URL(template);
  if (`${origin}${pathname}` !== new URL(handoffBaseUrl).href) return undefined;
  const { name, example } = SETTINGS.bookingUrlTemplate;
  return new Wrong('circleWrong', { name, other: SETTINGS.handoffBaseUrl.name, example });
}

export function wrongSettingReason({ name, example, isSecret }: Setting, text: string, wrong: Wrong): Wrong {
  const value = isSecret === true ? new Wrong('itsValue') : JSON.stringify(text);
  return new Wrong('settingWrong', { name, value, wrong, example });
}

/** The partner token of `stayport mcp`, which works with any service and has no other settings. */
export function partnerTokenOfEnvironment(): string | undefined {
  // `echo` and editors write a line break behind it.
  return process.env['STAYPORT_TOKEN']?.trim() || undefined;
}
