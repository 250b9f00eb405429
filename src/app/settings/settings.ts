/**
 * Reads the settings (`settings-table.ts`). Only this file reads the environment.
 *
 * In development a `.env` file in the working directory is read first; the environment itself wins.
 */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { Wrong } from '../../domain/wrong.ts';
import { databasePlace } from '../../storage/open.ts';
import type { Logo } from '../../traveller/web/assets.ts';
import { isLoopbackHost } from './setting-values.ts';
import {
  type Setting,
  type SettingName,
  SETTING_ROWS,
  SETTINGS,
  type SettingValues,
} from './settings-table.ts';

const ENV_FILE = '.env';
/** By its group, or by all users. */
const WRITABLE_BY_OTHERS = 0o022;
/** By all users. */
const READABLE_BY_OTHERS = 0o004;

/** Above all a line break: it would pass many patterns, and end in a header or a log line. */
const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;
const NOT_ONE_LINE = new Wrong('holds a line break or another control character');

/** Settings whose default is made from other settings. */
type Derived = 'consoleUrl' | 'problemsBaseUrl' | 'calendarsBaseUrl' | 'webImages';

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

/** The settings of this process; `defaults` apply where its environment sets nothing. */
export function loadSettings(defaults: Environment = {}): SettingsResult {
  try {
    return parseSettings(withDefaults(readEnvironment(), defaults));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return {
      ok: false,
      problem: `.env can't be read (${code ?? String(error)}): make ${join(process.cwd(), ENV_FILE)} readable or remove it`,
    };
  }
}

/** Lists the names that a `.env` sets, never values; undefined when none was read. */
export function describeEnvironmentFile(): string | undefined {
  const file = readEnvironmentFile();
  const names = SETTING_ROWS.flatMap(([, { name }]) => {
    const counts = (file[name] ?? '') !== '' && process.env[name] === undefined;
    return counts ? [name] : [];
  });
  if (names.length === 0) return undefined;
  return `${names.join(', ')} read from ${join(process.cwd(), ENV_FILE)}; NODE_ENV=production ignores that file`;
}

/** Gives worker threads the same settings, even if `.env` changes meanwhile. */
export function environmentForWorkers(defaults: Environment = {}): Environment {
  return { ...withDefaults(readEnvironment(), defaults), NODE_ENV: 'production' };
}

/** For `doctor`: every mistake, and the other settings. */
export interface SettingsInspection {
  /** Wrong ones have their defaults. */
  readonly settings: Settings;
  /** One line for each wrong setting, beginning with its name. */
  readonly problems: readonly string[];
  readonly setCount: number;
  /** Names in `.env` that nearly equal those of settings. */
  readonly misspelled: readonly { readonly name: string; readonly meant: string }[];
  readonly file: {
    /** Undefined without one, and in production. */
    readonly path: string | undefined;
    readonly problem?: 'unreadable' | 'writable' | 'readable';
  };
}

export function inspectSettings(defaults: Environment = {}): SettingsInspection {
  const path = join(process.cwd(), ENV_FILE);
  let file: EnvironmentFile | undefined;
  let isUnreadable = false;
  try {
    file = openEnvironmentFile();
  } catch {
    isUnreadable = true;
  }
  const ofFile = file?.isSafe === true ? parseEnv(file.text) : {};
  const environment = withDefaults({ ...ofFile, ...process.env }, defaults);
  const names = SETTING_ROWS.map(([, { name }]) => name);
  return {
    ...parseLeniently(environment),
    setCount: names.filter((name) => (environment[name] ?? '').trim() !== '').length,
    misspelled: Object.keys(ofFile).flatMap((name) => {
      const meant = names.includes(name) ? undefined : names.find((known) => isNearly(name, known));
      return meant === undefined ? [] : [{ name, meant }];
    }),
    file: {
      path: file === undefined && !isUnreadable ? undefined : path,
      ...(isUnreadable && { problem: 'unreadable' }),
      ...(file?.isSafe === false && { problem: 'writable' }),
      ...(file?.isSafe === true && !file.isPrivate && { problem: 'readable' }),
    },
  };
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

function withDefaults(environment: Environment, defaults: Environment): Environment {
  const isSet = ([name]: readonly [string, unknown]): boolean => (environment[name] ?? '').trim() !== '';
  const unset = Object.entries(defaults).filter((entry) => !isSet(entry));
  return { ...environment, ...Object.fromEntries(unset) };
}

/**
 * One line if a `.env` is ignored because other users may write it: they would choose the database and the keys of this
 * process. Undefined otherwise.
 */
export function warnOfEnvironmentFile(): string | undefined {
  if (openEnvironmentFile()?.isSafe !== false) return undefined;
  const path = join(process.cwd(), ENV_FILE);
  return `${path} is not read, because other users may write it: check its content, then run "chmod go-w ${path}"`;
}

/** Throws when a `.env` can't be read. */
function readEnvironment(): Environment {
  return { ...readEnvironmentFile(), ...process.env };
}

/** In development only; a file that others may write is ignored. */
function readEnvironmentFile(): Environment {
  const file = openEnvironmentFile();
  return file?.isSafe === true ? parseEnv(file.text) : {};
}

interface EnvironmentFile {
  readonly text: string;
  /** Only its owner may write it. Windows has no such mode. */
  readonly isSafe: boolean;
  /** Only its owner and its group may read it. */
  readonly isPrivate: boolean;
}

/** Undefined in production, and without a file. Text and mode are of the same file, even if it is replaced. */
function openEnvironmentFile(): EnvironmentFile | undefined {
  if (process.env['NODE_ENV'] === 'production') return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(ENV_FILE, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const mode = process.platform === 'win32' ? 0 : fstatSync(descriptor).mode;
    const isSafe = (mode & WRITABLE_BY_OTHERS) === 0;
    const isPrivate = (mode & READABLE_BY_OTHERS) === 0;
    return { text: readFileSync(descriptor, 'utf8'), isSafe, isPrivate };
  } finally {
    closeSync(descriptor);
  }
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
    if (parsed instanceof Wrong) return { ok: false, problem: describeWrongSetting(entry, text, parsed) };
    values[key] = parsed;
  }
  const together = findUnpaired(values) ?? findCircle(values);
  if (together !== undefined) return { ok: false, problem: together };
  const isSelfSigned = addWebDefaults(values, given);
  values['calendarsBaseUrl'] ??= calendarsBeside(String(values['handoffBaseUrl']));
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
function findUnpaired({ webTlsCert, webTlsKey }: Readonly<Record<string, unknown>>): string | undefined {
  if ((webTlsCert === undefined) === (webTlsKey === undefined)) return undefined;
  const [missing, given] =
    webTlsKey === undefined
      ? [SETTINGS.webTlsKey, SETTINGS.webTlsCert]
      : [SETTINGS.webTlsCert, SETTINGS.webTlsKey];
  return `${missing.name}: is not set, but ${given.name} is; for example ${missing.name}=${missing.example}`;
}

/** The traveller's button must lead on, not back to the page that it is on. */
export function findCircle({
  bookingUrlTemplate: template,
  handoffBaseUrl,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof template !== 'string' || typeof handoffBaseUrl !== 'string') return undefined;
  const { origin, pathname } = new URL(template);
  if (`${origin}${pathname}` !== new URL(handoffBaseUrl).href) return undefined;
  const { name, example } = SETTINGS.bookingUrlTemplate;
  return `${name}: leads back to ${SETTINGS.handoffBaseUrl.name}; for example ${name}=${example}`;
}

export function describeWrongSetting(entry: Setting, text: string, { reason }: Wrong): string {
  const shown = entry.isSecret === true ? 'its value' : JSON.stringify(text);
  return `${entry.name}: ${shown} ${reason}; for example ${entry.name}=${entry.example}`;
}

/** The partner token of `stayport mcp`, which works with any service and has no other settings. */
export function partnerTokenOfEnvironment(): string | undefined {
  return process.env['STAYPORT_TOKEN'] || undefined;
}
