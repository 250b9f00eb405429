/**
 * Everything that the environment decides, one line per variable. This is the only file that reads the environment.
 *
 * In development a `.env` file in the working directory is read first; what the environment itself says wins.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { HANDOFF_KEYS_EXAMPLE } from '../handoff/handoff-keys.ts';
import { QUOTA_MAX } from '../access/quota.ts';
import {
  contactUrl,
  count,
  countOrAuto,
  databaseUrl,
  flag,
  handoffBaseUrl,
  handoffKeys,
  host,
  hosts,
  httpUrl,
  networks,
  oneOf,
  port,
  redisUrl,
  type Parse,
} from './setting-values.ts';
import { bookingUrlTemplate, colour, filePath, personUrl, pictureFile, shownName } from './web-values.ts';

const ENV_FILE = '.env';

/** A line break above all: it would pass many a pattern, and end in a header or a log line. */
const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;
const NOT_ONE_LINE = { problem: 'holds a line break or another control character' };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Offered nights cost memory per inventory type; ten years is beyond every published calendar. */
export const HORIZON_NIGHTS_MAX = 3660;

export interface Setting<T> {
  readonly name: string;
  /** As it would be written; undefined when the variable may be absent. */
  readonly fallback: string | undefined;
  readonly parse: Parse<T>;
  readonly example: string;
  readonly meaning: string;
  /** The value holds or may hold a secret: no message repeats it. */
  readonly isSecret: boolean;
}

// prettier-ignore
export const SETTINGS = {
  host: setting('HOST', '127.0.0.1', host, '0.0.0.0', 'address that the partner listener binds to'),
  port: setting('PORT', '8080', port, '8080', 'port of the partner listener; 0 takes a free one'),
  operatorHost: setting('OPERATOR_HOST', '127.0.0.1', host, '127.0.0.1', 'address that the operator listener binds to'),
  operatorPort: setting('OPERATOR_PORT', '8081', port, '8081', 'port of the operator listener; 0 takes a free one'),
  operatorAllowedHosts: setting('OPERATOR_ALLOWED_HOSTS', '', hosts, 'ops.example.com', 'DNS names under which the operator listener is called, beside its addresses'),
  databaseUrl: secret('DATABASE_URL', 'sqlite:data/stayport.db', databaseUrl, 'sqlite:data/stayport.db', 'where everything is stored'),
  redisUrl: optionalSecret('REDIS_URL', redisUrl, 'redis://127.0.0.1:6379', 'limits shared by several machines'),
  publicUrl: setting('PUBLIC_URL', 'http://127.0.0.1:8080', httpUrl, 'https://partners.example.com', 'where partners reach the service; base of its documentation'),
  problemsBaseUrl: optional('PROBLEMS_BASE_URL', httpUrl, 'https://partners.example.com/problems', 'base of the problem types; {PUBLIC_URL}/problems unless set'),
  supportContact: optional('SUPPORT_CONTACT', contactUrl, 'mailto:partners@example.com', 'whom partners ask for help; shown in the documentation'),
  handoffBaseUrl: setting('HANDOFF_BASE_URL', 'https://localhost:8443/handoff', handoffBaseUrl, 'https://book.example.com/handoff', 'page that travellers are handed to'),
  handoffKeys: optionalSecret('HANDOFF_KEYS', handoffKeys, HANDOFF_KEYS_EXAMPLE, 'keys that seal handoff values, the first one signs; kept in the database unless set'),
  quoteTtlSeconds: setting('QUOTE_TTL_SECONDS', '1800', count(1, 31_536_000), '1800', 'how long a quote is valid'),
  supplyHistoryDays: setting('SUPPLY_HISTORY_DAYS', '30', count(0, 3_650), '30', 'days after which supply messages and their verdicts are deleted; 0 keeps them'),
  quoteRetentionDays: setting('QUOTE_RETENTION_DAYS', '400', count(0, 36_500), '400', 'days after which expired quotes are deleted; 0 keeps them'),
  ingressLimit: setting('INGRESS_LIMIT', '300', count(0, 1_000_000_000), '300', 'requests per source address and 60 seconds; 0 turns the limit off'),
  partnerQuota: setting('PARTNER_QUOTA', '120', count(1, QUOTA_MAX), '120', 'requests per credential and 60 seconds, unless the credential has its own'),
  trustedProxies: setting('TRUSTED_PROXIES', '', networks, '10.0.0.0/8,192.168.1.5/32', 'networks whose X-Forwarded-For is believed'),
  bodyLimitBytes: setting('BODY_LIMIT_BYTES', '16384', count(1, 16_777_216), '16384', 'largest body of a quote request'),
  supplyBodyLimitBytes: setting('SUPPLY_BODY_LIMIT_BYTES', '10485760', count(1, 1_073_741_824), '10485760', 'largest body of a supply request'),
  headersTimeoutSeconds: setting('HEADERS_TIMEOUT_SECONDS', '10', count(1, 3600), '10', 'time that a client has to send its headers'),
  requestTimeoutSeconds: setting('REQUEST_TIMEOUT_SECONDS', '15', count(1, 3600), '15', 'time that a client has to send the whole request'),
  writeTimeoutSeconds: setting('WRITE_TIMEOUT_SECONDS', '30', count(1, 3600), '30', 'time in which a client must take something of an answer that waits for it'),
  maxConnections: setting('MAX_CONNECTIONS', '10000', count(1, 1_000_000), '10000', 'connections of partners at once on this machine'),
  drainSeconds: setting('DRAIN_SECONDS', '0', count(0, 3600), '10', 'time between SIGTERM and the end of the listeners, in which /readyz says 503 and everything else is answered'),
  horizonNights: setting('HORIZON_NIGHTS', '730', count(1, HORIZON_NIGHTS_MAX), '730', 'nights from today that can be offered'),
  stalenessMaxSeconds: setting('STALENESS_MAX_SECONDS', '60', count(1, 86_400), '60', 'longest time without contact to the database before answers stop'),
  workers: setting('WORKERS', '1', countOrAuto(1, 1024), '1', 'threads that serve; auto is one per core'),
  webHost: setting('WEB_HOST', '127.0.0.1', host, '0.0.0.0', 'address that the web listener binds to'),
  webPort: optional('WEB_PORT', port, '8443', 'port of the web listener, where travellers open handoff links; there is none unless set; 0 takes a free one'),
  webTlsCert: optional('WEB_TLS_CERT', filePath, '/etc/stayport/web.crt', 'file with the certificate chain of the web listener, PEM; without it the listener speaks plain HTTP, for a proxy in front'),
  webTlsKey: optional('WEB_TLS_KEY', filePath, '/etc/stayport/web.key', 'file with the private key of that certificate, PEM'),
  webName: setting('WEB_NAME', 'Stayport', shownName, 'Bridge Hotels', 'name of the operator on the traveller\'s page'),
  webLogo: optional('WEB_LOGO', pictureFile, '/etc/stayport/logo.svg', 'logo on the traveller\'s page, an SVG or PNG file'),
  webAccent: setting('WEB_ACCENT', '#1d5c57', colour, '#1d5c57', 'colour of buttons and links on the traveller\'s page; made darker or lighter where text could not be read'),
  webContact: optional('WEB_CONTACT', personUrl, 'mailto:stay@example.com', 'where travellers find a person: a mailto:, tel: or https: address'),
  bookingUrlTemplate: optional('BOOKING_URL_TEMPLATE', bookingUrlTemplate, 'https://book.example.com/{propertyId}?from={checkIn}&to={checkOut}&guests={guests}', 'where the traveller\'s button leads; without it the button is the contact'),
  webLimit: setting('WEB_LIMIT', '60', count(0, 1_000_000_000), '60', 'requests to the web listener per source address and 60 seconds; 0 turns the limit off'),
  otlpEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', httpUrl, 'http://127.0.0.1:4318', 'where traces are sent, as OTLP over HTTP; nothing is traced unless set'),
  icalAllowPrivate: setting('ICAL_ALLOW_PRIVATE', 'false', flag, 'false', 'whether iCal feeds may be fetched from private, loopback and link-local addresses'),
  logLevel: setting('LOG_LEVEL', 'info', oneOf(LOG_LEVELS), 'info', 'least level that is logged'),
} as const;

type Values = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};

export interface Settings extends Omit<Values, 'problemsBaseUrl'> {
  readonly problemsBaseUrl: string;
}

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  /** One line that names the setting, what is wrong with its value, and an example. */
  | { readonly ok: false; readonly problem: string };

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of this process; `defaults` count where its environment sets nothing. */
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

/** Says what a `.env` sets, by name, never by value; undefined when nothing was read from one. */
export function describeEnvironmentFile(): string | undefined {
  const file = readEnvironmentFile();
  const names = Object.values(SETTINGS).flatMap(({ name }) => {
    const counts = (file[name] ?? '') !== '' && process.env[name] === undefined;
    return counts ? [name] : [];
  });
  if (names.length === 0) return undefined;
  return `${names.join(', ')} read from ${join(process.cwd(), ENV_FILE)}; NODE_ENV=production ignores that file`;
}

/** What worker threads need to have the same settings, whatever becomes of `.env` meanwhile. */
export function environmentForWorkers(defaults: Environment = {}): Environment {
  return { ...withDefaults(readEnvironment(), defaults), NODE_ENV: 'production' };
}

function withDefaults(environment: Environment, defaults: Environment): Environment {
  const isSet = ([name]: readonly [string, unknown]): boolean => (environment[name] ?? '').trim() !== '';
  const unset = Object.entries(defaults).filter((entry) => !isSet(entry));
  return { ...environment, ...Object.fromEntries(unset) };
}

/** Throws when there is a `.env` that can't be read. */
function readEnvironment(): Environment {
  return { ...readEnvironmentFile(), ...process.env };
}

/** In development only. */
function readEnvironmentFile(): Environment {
  if (process.env['NODE_ENV'] === 'production') return {};
  try {
    return parseEnv(readFileSync(ENV_FILE, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** A variable that is empty or only blanks counts as not set, as compose files write it. */
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
  values['problemsBaseUrl'] ??= `${String(values['publicUrl'])}/problems`;
  return { ok: true, settings: values as unknown as Settings };
}

/** A certificate is nothing without its key. */
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

type Row<T> = readonly [name: string, fallback: string, parse: Parse<T>, example: string, meaning: string];
/** Of a variable that may be absent. */
type OptionalRow<T> = readonly [name: string, parse: Parse<T>, example: string, meaning: string];

function setting<T>(...[name, fallback, parse, example, meaning]: Row<T>): Setting<T> {
  return { name, fallback, parse, example, meaning, isSecret: false };
}

function secret<T>(...row: Row<T>): Setting<T> {
  return { ...setting(...row), isSecret: true };
}

function optional<T>(...[name, parse, example, meaning]: OptionalRow<T>): Setting<T | undefined> {
  return { name, fallback: undefined, parse, example, meaning, isSecret: false };
}

function optionalSecret<T>(...row: OptionalRow<T>): Setting<T | undefined> {
  return { ...optional(...row), isSecret: true };
}

/** The partner token of `stayport mcp`, which works with a service of anybody and has no other settings. */
export function partnerTokenOfEnvironment(): string | undefined {
  return process.env['STAYPORT_TOKEN'] || undefined;
}
