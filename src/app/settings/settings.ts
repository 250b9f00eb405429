/**
 * All settings, one line per variable. Only this file reads the environment.
 *
 * In development a `.env` file in the working directory is read first; the environment itself wins.
 */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { HANDOFF_KEYS_EXAMPLE } from '../../handoff/handoff-keys.ts';
import { QUOTA_MAX } from '../../access/token-terms.ts';
import {
  bookingUrlTemplate,
  calendarsBaseUrl,
  colour,
  consoleUrl,
  contactUrl,
  count,
  countOrAuto,
  databaseUrl,
  filePath,
  flag,
  handoffBaseUrl,
  handoffKeys,
  host,
  hosts,
  httpUrl,
  httpsOrigins,
  isLoopbackHost,
  networks,
  oneOf,
  type Parse,
  pageUrl,
  personUrl,
  pictureFile,
  port,
  redisUrl,
  shownName,
} from './setting-values.ts';

const ENV_FILE = '.env';
/** By its group, or by all users. */
const WRITABLE_BY_OTHERS = 0o022;
/** By all users. */
const READABLE_BY_OTHERS = 0o004;

/** Above all a line break: it would pass many patterns, and end in a header or a log line. */
const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;
const NOT_ONE_LINE = { problem: 'holds a line break or another control character' };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Offered nights cost memory per inventory type; ten years is beyond every published calendar. */
export const HORIZON_NIGHTS_MAX = 3660;

export interface Setting<T> {
  readonly name: string;
  /** In written form; undefined for an optional variable. */
  readonly fallback: string | undefined;
  readonly parse: Parse<T>;
  readonly example: string;
  /** For the table in docs/operating.md, in Markdown. */
  readonly meaning: string;
  /** A page of docs/ with more, with or without a section. */
  readonly see: string | undefined;
  /** The value may hold a secret: no message repeats it. */
  readonly isSecret: boolean;
}

// prettier-ignore
export const SETTINGS = {
  host: setting('HOST', '127.0.0.1', host, '0.0.0.0', 'address of the partner listener'),
  port: setting('PORT', '8080', port, '8080', 'port of the partner listener; 0 takes a free one'),
  operatorHost: setting('OPERATOR_HOST', '127.0.0.1', host, '127.0.0.1', 'address of the operator listener'),
  operatorPort: setting('OPERATOR_PORT', '8081', port, '8081', 'port of the operator listener: `/livez`, `/readyz`, `/metrics`, handoff resolution, supply; 0 takes a free one'),
  operatorAllowedHosts: setting('OPERATOR_ALLOWED_HOSTS', '', hosts, 'ops.example.com', 'DNS names by which clients call the operator listener (`Host`), separated by commas; addresses and names without a dot need no entry'),
  consoleUrl: optional('CONSOLE_URL', consoleUrl, 'https://ops.example.com', 'where people open the console, without a path: `https://`, or `http://` of a loopback address; the operator listener\'s address unless set. Its host needs no entry in `OPERATOR_ALLOWED_HOSTS`', 'console.md'),
  databaseUrl: secret('DATABASE_URL', 'sqlite:data/stayport.db', databaseUrl, 'sqlite:data/stayport.db', 'the database; or `postgres://…`'),
  catalogueFile: optional('CATALOGUE_FILE', filePath, 'data/catalogue.cache', 'file in which the catalogue is saved, for a faster start; `off`: none. Unless set: `catalogue.cache` beside the SQLite file, with PostgreSQL none', 'operating.md#a-faster-start'),
  redisUrl: optionalSecret('REDIS_URL', redisUrl, 'redis://127.0.0.1:6379', 'Redis, for limits that several machines share'),
  publicUrl: setting('PUBLIC_URL', 'http://127.0.0.1:8080', httpUrl, 'https://partners.example.com', 'where partners reach the service; base of its documentation'),
  problemsBaseUrl: optional('PROBLEMS_BASE_URL', httpUrl, 'https://partners.example.com/problems', 'base of a problem\'s `type`; `{PUBLIC_URL}/problems` unless set'),
  supportContact: optional('SUPPORT_CONTACT', contactUrl, 'mailto:partners@example.com', 'contact for partners, `mailto:`, `tel:` or `https:`; shown at `/docs` and in `openapi.json`'),
  handoffBaseUrl: setting('HANDOFF_BASE_URL', 'https://localhost:8443/handoff', handoffBaseUrl, 'https://book.example.com/handoff', 'page that handoff links open; the handoff value is its query parameter `handoff`'),
  handoffKeys: optionalSecret('HANDOFF_KEYS', handoffKeys, HANDOFF_KEYS_EXAMPLE, 'keys of handoff values, `kid:base64,kid:base64`; the first seals, all open. Unless set, keys are created and stored in the database'),
  quoteTtlSeconds: setting('QUOTE_TTL_SECONDS', '1800', count(1, 31_536_000), '1800', 'how long a quote is valid'),
  supplyHistoryMessages: setting('SUPPLY_HISTORY_MESSAGES', '100000', count(0, 100_000_000), '100000', 'newest supply messages to keep; each takes at most 192 KB, usually less than 2; `0` keeps all'),
  supplyHistoryDays: setting('SUPPLY_HISTORY_DAYS', '30', count(0, 3_650), '30', 'days after which supply messages and their verdicts are deleted; `0` keeps them'),
  quoteRetentionDays: setting('QUOTE_RETENTION_DAYS', '400', count(0, 36_500), '400', 'days after expiry when a quote is deleted; `0` keeps it'),
  quoteUnopenedDays: setting('QUOTE_UNOPENED_DAYS', '30', count(0, 36_500), '30', 'days after expiry when an unopened quote is deleted; `0` keeps it as long as the others'),
  requestLogDays: setting('REQUEST_LOG_DAYS', '7', count(0, 3_650), '7', 'days to keep refused requests, quotes and 1 % of the other requests one by one; `0` keeps none', 'operating.md#what-happened'),
  demandDays: setting('DEMAND_DAYS', '400', count(0, 36_500), '400', 'days to keep counts of dated searches; `0` keeps none', 'operating.md#what-happened'),
  changesDays: setting('CHANGES_DAYS', '90', count(1, 3_650), '90', 'days for which a cursor of the feed of changes is good', 'operating.md#changes-for-partners'),
  quotesPerDay: setting('QUOTES_PER_DAY', '100000', count(0, 1_000_000_000), '100000', 'quotes that one credential may create in a day (UTC), then 429 until the day ends; `0` is unlimited'),
  ingressLimit: setting('INGRESS_LIMIT', '300', count(0, 1_000_000_000), '300', 'requests per minute from one source address; `0` is off'),
  partnerQuota: setting('PARTNER_QUOTA', '120', count(1, QUOTA_MAX), '120', 'requests per minute of a credential without a quota of its own'),
  trustedProxies: setting('TRUSTED_PROXIES', '', networks, '10.0.0.0/8,192.168.1.5/32', 'networks of your proxies, in CIDR notation; only their `X-Forwarded-For` is trusted'),
  bodyLimitBytes: setting('BODY_LIMIT_BYTES', '16384', count(1, 16_777_216), '16384', 'largest body of a quote request'),
  supplyBodyLimitBytes: setting('SUPPLY_BODY_LIMIT_BYTES', '10485760', count(1, 1_073_741_824), '10485760', 'largest body of a supply request'),
  headersTimeoutSeconds: setting('HEADERS_TIMEOUT_SECONDS', '10', count(1, 3600), '10', 'time for the headers of a request; slower clients get a problem and a closed connection'),
  requestTimeoutSeconds: setting('REQUEST_TIMEOUT_SECONDS', '15', count(1, 3600), '15', 'time for a whole request; slower clients get a problem and a closed connection'),
  writeTimeoutSeconds: setting('WRITE_TIMEOUT_SECONDS', '30', count(1, 3600), '30', 'time until a client that reads nothing is disconnected, at most twice that'),
  maxConnections: setting('MAX_CONNECTIONS', '10000', count(1, 1_000_000), '10000', 'concurrent connections of partners on this machine, and as many of travellers; lowered if the limit of open files is low or the heap is small (a quarter of it, at 40 KB a connection)'),
  maxConnectionsPerAddress: setting('MAX_CONNECTIONS_PER_ADDRESS', '256', count(0, 1_000_000), '256', 'concurrent connections from one source address (IPv6: one /64) to each listener, divided among the workers; `0` is off. `TRUSTED_PROXIES` are not limited'),
  waitingBytesMax: setting('WAITING_BYTES_MAX', 'auto', countOrAuto(1_048_576, 1_099_511_627_776), '134217728', 'bytes that waiting requests and unread answers of all connections may hold in each worker; `auto` is an eighth of its heap', 'operating.md#floods'),
  drainSeconds: setting('DRAIN_SECONDS', '0', count(0, 3600), '10', 'time after SIGTERM in which requests are still answered; `/readyz` is 503 at once', 'operating.md#restarting-without-a-failed-request'),
  horizonNights: setting('HORIZON_NIGHTS', '730', count(1, HORIZON_NIGHTS_MAX), '730', 'nights from today that can be offered'),
  stalenessMaxSeconds: setting('STALENESS_MAX_SECONDS', '60', count(1, 86_400), '60', 'time without contact to the database after which partners get 503'),
  workers: setting('WORKERS', '1', countOrAuto(1, 1024), '1', 'threads that handle requests; `auto` is one per core. Above 1 on Linux only'),
  webHost: setting('WEB_HOST', '127.0.0.1', host, '0.0.0.0', 'address of the web listener'),
  webPort: optional('WEB_PORT', port, '8443', 'port of the web listener, where travellers open handoff links; it runs only if this is set; 0 takes a free one', 'traveller.md'),
  webTlsCert: optional('WEB_TLS_CERT', filePath, '/etc/stayport/web.crt', 'certificate chain of the web listener, a PEM file; needs `WEB_TLS_KEY`. Unless set: plain HTTP, for a proxy in front'),
  webTlsKey: optional('WEB_TLS_KEY', filePath, '/etc/stayport/web.key', 'private key of that certificate, a PEM file'),
  webName: setting('WEB_NAME', 'Stayport', shownName, 'Bridge Hotels', 'name of the operator on the traveller\'s page'),
  webLogo: optional('WEB_LOGO', pictureFile, '/etc/stayport/logo.svg', 'logo on the traveller\'s page, `.svg` or `.png`, up to 256 KB'),
  webImages: optional('WEB_IMAGES', filePath, '/srv/stayport/images', 'folder of the pictures that property documents name; served as `/images/…`. Files up to 8 MB: JPEG, PNG, WebP, AVIF, SVG', 'traveller.md#pictures'),
  webImageOrigins: setting('WEB_IMAGE_ORIGINS', '', httpsOrigins, 'https://cdn.example.com', '`https://` origins from which the page may show pictures, with commas, without paths and wildcards', 'traveller.md#pictures'),
  webAccent: setting('WEB_ACCENT', '#1d5c57', colour, '#1d5c57', 'colour of buttons and links on the traveller\'s page; made darker or lighter if text would be hard to read'),
  webContact: optional('WEB_CONTACT', personUrl, 'mailto:stay@example.com', 'contact for travellers, `mailto:`, `tel:` or `https:`'),
  webImprintUrl: optional('WEB_IMPRINT_URL', pageUrl, 'https://www.example.com/imprint', 'link to the legal notice in the footer of every page of the web listener, `https://`', 'traveller.md#turn-it-on'),
  webPrivacyUrl: optional('WEB_PRIVACY_URL', pageUrl, 'https://www.example.com/privacy', 'link to the privacy notice in the footer of every page of the web listener, `https://`', 'traveller.md#turn-it-on'),
  webTermsUrl: optional('WEB_TERMS_URL', pageUrl, 'https://www.example.com/terms', 'link to the terms in the footer of every page of the web listener, `https://`', 'traveller.md#turn-it-on'),
  webAccessibilityUrl: optional('WEB_ACCESSIBILITY_URL', pageUrl, 'https://www.example.com/accessibility', 'link to the accessibility statement in the footer of every page of the web listener, `https://`', 'traveller.md#turn-it-on'),
  bookingUrlTemplate: optional('BOOKING_URL_TEMPLATE', bookingUrlTemplate, 'https://book.example.com/{propertyId}?from={checkIn}&to={checkOut}&guests={guests}', 'where the traveller\'s button leads, `https://`, with `{propertyId}` `{inventoryTypeId}` `{checkIn}` `{checkOut}` `{guests}` `{locale}` `{partnerId}` `{quoteId}` filled in; unless set, the page shows the contact instead'),
  bookingOrigins: setting('BOOKING_ORIGINS', '', httpsOrigins, 'https://book.example.com', '`https://` origins of the booking sites that property documents may name in `bookingUrl`, with commas, without paths and wildcards', 'traveller.md#turn-it-on'),
  webLimit: setting('WEB_LIMIT', '60', count(0, 1_000_000_000), '60', 'requests per minute from one source address to the web listener; `0` is off'),
  calendarsBaseUrl: optional('CALENDARS_BASE_URL', calendarsBaseUrl, 'https://book.example.com/calendars', 'where platforms reach the published calendars of the web listener, `https://`; `calendars` beside `HANDOFF_BASE_URL` unless set', 'supply.md#calendars-for-other-platforms'),
  calendarsLimit: setting('CALENDARS_LIMIT', '600', count(0, 1_000_000_000), '600', 'requests per minute from one source address for published calendars; `0` is off'),
  otlpEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', httpUrl, 'http://127.0.0.1:4318', 'where traces are sent, as OTLP over HTTP; nothing is traced unless set'),
  icalAllowPrivate: setting('ICAL_ALLOW_PRIVATE', 'false', flag, 'false', '`true`: iCal feeds may come from private, loopback and link-local addresses'),
  webhookAllowPrivate: setting('WEBHOOK_ALLOW_PRIVATE', 'false', flag, 'false', '`true`: webhooks may lead to private, loopback and link-local addresses', 'webhooks.md#addresses'),
  logLevel: setting('LOG_LEVEL', 'info', oneOf(LOG_LEVELS), 'info', 'lowest level that is logged; JSON lines unless on a terminal'),
} as const;

type Values = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};

export interface Settings extends Omit<Values, 'problemsBaseUrl' | 'calendarsBaseUrl' | 'consoleUrl'> {
  readonly consoleUrl: string;
  readonly problemsBaseUrl: string;
  readonly calendarsBaseUrl: string;
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
  const names = Object.values(SETTINGS).flatMap(({ name }) => {
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
  const names = Object.values(SETTINGS).map(({ name }) => name);
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
  for (const [key, entry] of Object.entries(SETTINGS)) {
    const given = environment[entry.name]?.trim();
    const text = given === undefined || given === '' ? entry.fallback : given;
    if (text === undefined) continue;
    const parsed = CONTROL_CHARACTER.test(text) ? NOT_ONE_LINE : entry.parse(text);
    if ('problem' in parsed) return { ok: false, problem: describeWrongSetting(entry, text, parsed.problem) };
    values[key] = parsed.value;
  }
  const unpaired = findUnpaired(values);
  if (unpaired !== undefined) return { ok: false, problem: unpaired };
  values['calendarsBaseUrl'] ??= calendarsBeside(String(values['handoffBaseUrl']));
  values['problemsBaseUrl'] ??= `${String(values['publicUrl'])}/problems`;
  values['consoleUrl'] ??= consoleAt(String(values['operatorHost']), String(values['operatorPort']));
  return { ok: true, settings: values as unknown as Settings };
}

/** `https://book.example.com/stay/handoff` is `https://book.example.com/stay/calendars`. */
function calendarsBeside(handoffUrl: string): string {
  return new URL('calendars', handoffUrl).href;
}

/** Without its own certificate, the operator listener is safe only for a browser on its machine. */
function consoleAt(operatorHost: string, operatorPort: string): string {
  const name = isLoopbackHost(operatorHost) ? operatorHost : '127.0.0.1';
  return `http://${name.includes(':') ? `[${name}]` : name}:${operatorPort}`;
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

function describeWrongSetting(entry: Setting<unknown>, text: string, problem: string): string {
  const shown = entry.isSecret ? 'its value' : JSON.stringify(text);
  return `${entry.name}: ${shown} ${problem}; for example ${entry.name}=${entry.example}`;
}

type Row<T> = readonly [
  name: string,
  fallback: string,
  parse: Parse<T>,
  example: string,
  meaning: string,
  see?: string,
];
/** An optional variable. */
type OptionalRow<T> = readonly [
  name: string,
  parse: Parse<T>,
  example: string,
  meaning: string,
  see?: string,
];

function setting<T>(...[name, fallback, parse, example, meaning, see]: Row<T>): Setting<T> {
  return { name, fallback, parse, example, meaning, see, isSecret: false };
}

function secret<T>(...row: Row<T>): Setting<T> {
  return { ...setting(...row), isSecret: true };
}

function optional<T>(...[name, parse, example, meaning, see]: OptionalRow<T>): Setting<T | undefined> {
  return { name, fallback: undefined, parse, example, meaning, see, isSecret: false };
}

function optionalSecret<T>(...row: OptionalRow<T>): Setting<T | undefined> {
  return { ...optional(...row), isSecret: true };
}

/** The partner token of `stayport mcp`, which works with any service and has no other settings. */
export function partnerTokenOfEnvironment(): string | undefined {
  return process.env['STAYPORT_TOKEN'] || undefined;
}
