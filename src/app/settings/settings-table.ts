/** All settings, one row each; `settings.ts` reads them, and docs/operating.md has them as a table. */
import type { Parse, Wrong } from '../../domain/wrong.ts';
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
  networks,
  oneOf,
  pageUrl,
  personUrl,
  pictureFile,
  port,
  portOrOff,
  redisUrl,
  shownName,
} from './setting-values.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Offered nights cost memory per inventory type; ten years is beyond every published calendar. */
const HORIZON_NIGHTS_MAX = 3660;

export interface Setting {
  readonly name: string;
  /** In written form; absent for an optional variable. */
  readonly fallback?: string;
  readonly parse: Parse<unknown>;
  readonly example: string;
  /** For the table in docs/operating.md, in Markdown. */
  readonly meaning: string;
  /** A page of docs/ with more, with or without a section. */
  readonly see?: string;
  /** The value may hold a secret: no message repeats it. */
  readonly isSecret?: true;
  /**
   * A setting of the site: administrators change it while the service runs. `file`: there it is a file's bytes, where
   * the environment names the file.
   */
  readonly ofSite?: 'text' | 'file';
}

// prettier-ignore
export const SETTINGS = {
  host: {
    name: 'HOST', fallback: '127.0.0.1', parse: host, example: '0.0.0.0',
    meaning: 'address of the partner listener',
  },
  port: {
    name: 'PORT', fallback: '8080', parse: port, example: '8080',
    meaning: 'port of the partner listener; 0 takes a free one',
  },
  operatorHost: {
    name: 'OPERATOR_HOST', fallback: '127.0.0.1', parse: host, example: '127.0.0.1',
    meaning: 'address of the operator listener',
  },
  operatorPort: {
    name: 'OPERATOR_PORT', fallback: '8081', parse: port, example: '8081',
    meaning: 'port of the operator listener: `/livez`, `/readyz`, `/metrics`, handoff resolution, supply; 0 takes a free one',
  },
  operatorAllowedHosts: {
    name: 'OPERATOR_ALLOWED_HOSTS', fallback: '', parse: hosts, example: 'ops.example.com',
    meaning: 'DNS names by which clients call the operator listener (`Host`), separated by commas; addresses and names without a dot need no entry',
  },
  consoleUrl: {
    name: 'CONSOLE_URL', parse: consoleUrl, example: 'https://ops.example.com', see: 'console.md',
    meaning: 'where people open the console, without a path: `https://`, or `http://` of a loopback address; `http://localhost` at `OPERATOR_PORT` unless set. Its host needs no entry in `OPERATOR_ALLOWED_HOSTS`',
  },
  databaseUrl: {
    name: 'DATABASE_URL', fallback: 'sqlite:data/stayport.db', parse: databaseUrl, example: 'sqlite:data/stayport.db', isSecret: true,
    meaning: 'the database; or `postgres://…`',
  },
  catalogueFile: {
    name: 'CATALOGUE_FILE', parse: filePath, example: 'data/catalogue.cache', see: 'operating.md#a-faster-start',
    meaning: 'file in which the catalogue is saved, for a faster start; `off`: none. Unless set: `catalogue.cache` beside the SQLite file, with PostgreSQL none',
  },
  redisUrl: {
    name: 'REDIS_URL', parse: redisUrl, example: 'redis://127.0.0.1:6379', isSecret: true,
    meaning: 'Redis, for limits that several machines share',
  },
  publicUrl: {
    name: 'PUBLIC_URL', parse: httpUrl, example: 'https://partners.example.com',
    meaning: 'where partners reach the service; base of its documentation. `http://127.0.0.1` at `PORT` unless set',
  },
  problemsBaseUrl: {
    name: 'PROBLEMS_BASE_URL', parse: httpUrl, example: 'https://partners.example.com/problems',
    meaning: 'base of a problem\'s `type`; `{PUBLIC_URL}/problems` unless set',
  },
  supportContact: {
    name: 'SUPPORT_CONTACT', parse: contactUrl, example: 'mailto:partners@example.com',
    meaning: 'contact for partners, `mailto:`, `tel:` or `https:`; shown at `/docs` and in `openapi.json`',
  },
  handoffBaseUrl: {
    name: 'HANDOFF_BASE_URL', fallback: 'https://localhost:8443/handoff', parse: handoffBaseUrl, example: 'https://book.example.com/handoff', ofSite: 'text',
    meaning: 'page that handoff links open; the handoff value is its query parameter `handoff`. Unless set, on this machine at `WEB_PORT`',
  },
  handoffKeys: {
    name: 'HANDOFF_KEYS', parse: handoffKeys, example: HANDOFF_KEYS_EXAMPLE, isSecret: true,
    meaning: 'keys of handoff values, `kid:base64,kid:base64`; the first seals, all open. Unless set, keys are created and stored in the database',
  },
  quoteTtlSeconds: {
    name: 'QUOTE_TTL_SECONDS', fallback: '1800', parse: count(1, 31_536_000), example: '1800', ofSite: 'text',
    meaning: 'how long a quote is valid',
  },
  partnerReasons: {
    name: 'PARTNER_REASONS', fallback: 'on', parse: oneOf(['on', 'off']), example: 'off', ofSite: 'text',
    meaning: '`on` tells partners and travellers why a stay is not available; with `off` they read only which stays are available instead',
  },
  supplyHistoryMessages: {
    name: 'SUPPLY_HISTORY_MESSAGES', fallback: '100000', parse: count(0, 100_000_000), example: '100000',
    meaning: 'newest supply messages to keep; each takes at most 192 KB, usually less than 2; `0` keeps all',
  },
  supplyHistoryDays: {
    name: 'SUPPLY_HISTORY_DAYS', fallback: '30', parse: count(0, 3_650), example: '30',
    meaning: 'days after which supply messages and their verdicts are deleted; `0` keeps them',
  },
  quoteRetentionDays: {
    name: 'QUOTE_RETENTION_DAYS', fallback: '400', parse: count(0, 36_500), example: '400',
    meaning: 'days after expiry when a quote is deleted; `0` keeps it',
  },
  quoteUnopenedDays: {
    name: 'QUOTE_UNOPENED_DAYS', fallback: '30', parse: count(0, 36_500), example: '30',
    meaning: 'days after expiry when an unopened quote is deleted; `0` keeps it as long as the others',
  },
  requestLogDays: {
    name: 'REQUEST_LOG_DAYS', fallback: '7', parse: count(0, 3_650), example: '7', see: 'operating.md#what-happened',
    meaning: 'days to keep refused requests, quotes and 1 % of the other requests one by one; `0` keeps none',
  },
  demandDays: {
    name: 'DEMAND_DAYS', fallback: '400', parse: count(0, 36_500), example: '400', see: 'operating.md#what-happened',
    meaning: 'days to keep counts of dated searches; `0` keeps none',
  },
  changesDays: {
    name: 'CHANGES_DAYS', fallback: '90', parse: count(1, 3_650), example: '90', see: 'operating.md#changes-for-partners',
    meaning: 'days for which a cursor of the feed of changes is good',
  },
  quotesPerDay: {
    name: 'QUOTES_PER_DAY', fallback: '100000', parse: count(0, 1_000_000_000), example: '100000',
    meaning: 'quotes that one credential may create in a day (UTC), then 429 until the day ends; `0` is unlimited',
  },
  ingressLimit: {
    name: 'INGRESS_LIMIT', fallback: '300', parse: count(0, 1_000_000_000), example: '300',
    meaning: 'requests per minute from one source address; `0` is off',
  },
  partnerQuota: {
    name: 'PARTNER_QUOTA', fallback: '120', parse: count(1, QUOTA_MAX), example: '120',
    meaning: 'requests per minute of a credential without a quota of its own',
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES', fallback: '', parse: networks, example: '10.0.0.0/8,192.168.1.5/32',
    meaning: 'networks of your proxies, in CIDR notation; only their `X-Forwarded-For` is trusted',
  },
  bodyLimitBytes: {
    name: 'BODY_LIMIT_BYTES', fallback: '16384', parse: count(1, 16_777_216), example: '16384',
    meaning: 'largest body of a quote request',
  },
  supplyBodyLimitBytes: {
    name: 'SUPPLY_BODY_LIMIT_BYTES', fallback: '10485760', parse: count(1, 1_073_741_824), example: '10485760',
    meaning: 'largest body of a supply request',
  },
  headersTimeoutSeconds: {
    name: 'HEADERS_TIMEOUT_SECONDS', fallback: '10', parse: count(1, 3600), example: '10',
    meaning: 'time for the headers of a request; slower clients get a problem and a closed connection; one on which nothing was sent is only closed',
  },
  requestTimeoutSeconds: {
    name: 'REQUEST_TIMEOUT_SECONDS', fallback: '15', parse: count(1, 3600), example: '15',
    meaning: 'time for a whole request; slower clients get a problem and a closed connection',
  },
  writeTimeoutSeconds: {
    name: 'WRITE_TIMEOUT_SECONDS', fallback: '30', parse: count(1, 3600), example: '30',
    meaning: 'time until a client that reads nothing is disconnected, at most twice that',
  },
  maxConnections: {
    name: 'MAX_CONNECTIONS', fallback: '10000', parse: count(1, 1_000_000), example: '10000',
    meaning: 'concurrent connections of partners on this machine, and as many of travellers; lowered if the limit of open files is low or the heap is small (a quarter of it, at 40 KB a connection)',
  },
  maxConnectionsPerAddress: {
    name: 'MAX_CONNECTIONS_PER_ADDRESS', fallback: '256', parse: count(0, 1_000_000), example: '256',
    meaning: 'concurrent connections from one source address (IPv6: one /64) to each listener, divided among the workers; `0` is off. `TRUSTED_PROXIES` are not limited',
  },
  waitingBytesMax: {
    name: 'WAITING_BYTES_MAX', fallback: 'auto', parse: countOrAuto(1_048_576, 1_099_511_627_776), example: '134217728', see: 'operating.md#floods',
    meaning: 'bytes that waiting requests and unread answers of all connections may hold in each worker; `auto` is an eighth of its heap',
  },
  drainSeconds: {
    name: 'DRAIN_SECONDS', fallback: '0', parse: count(0, 3600), example: '10', see: 'operating.md#restarting-without-a-failed-request',
    meaning: 'time after SIGTERM in which requests are still answered; `/readyz` is 503 at once',
  },
  horizonNights: {
    name: 'HORIZON_NIGHTS', fallback: '730', parse: count(1, HORIZON_NIGHTS_MAX), example: '730',
    meaning: 'nights from today that can be offered',
  },
  stalenessMaxSeconds: {
    name: 'STALENESS_MAX_SECONDS', fallback: '60', parse: count(1, 86_400), example: '60',
    meaning: 'time without contact to the database after which partners get 503',
  },
  workers: {
    name: 'WORKERS', fallback: '1', parse: countOrAuto(1, 1024), example: '1',
    meaning: 'threads that handle requests; `auto` is one per core. Above 1 on Linux only',
  },
  webHost: {
    name: 'WEB_HOST', fallback: '127.0.0.1', parse: host, example: '0.0.0.0',
    meaning: 'address of the web listener',
  },
  webPort: {
    name: 'WEB_PORT', fallback: '8443', parse: portOrOff, example: '8443', see: 'traveller.md',
    meaning: 'port of the web listener, where travellers open handoff links; 0 takes a free one, `off`: no listener. If the default is taken, the service runs without it',
  },
  webTlsCert: {
    name: 'WEB_TLS_CERT', parse: filePath, example: '/etc/stayport/web.crt',
    meaning: 'certificate chain of the web listener, a PEM file; needs `WEB_TLS_KEY`. Unless set: plain HTTP, for a proxy in front; where `HANDOFF_BASE_URL` is not set either, a self-signed one beside the database',
  },
  webTlsKey: {
    name: 'WEB_TLS_KEY', parse: filePath, example: '/etc/stayport/web.key',
    meaning: 'private key of that certificate, a PEM file',
  },
  webName: {
    name: 'WEB_NAME', fallback: 'Stayport', parse: shownName, example: 'Bridge Hotels', ofSite: 'text',
    meaning: 'name of the operator on the traveller\'s page',
  },
  webLogo: {
    name: 'WEB_LOGO', parse: pictureFile, example: '/etc/stayport/logo.svg', ofSite: 'file',
    meaning: 'logo on the traveller\'s page, `.svg` or `.png`, up to 256 KB',
  },
  webImages: {
    name: 'WEB_IMAGES', parse: filePath, example: '/srv/stayport/images', see: 'traveller.md#pictures',
    meaning: 'folder of the pictures that property documents name; served as `/images/…`. Files up to 8 MB: JPEG, PNG, WebP, AVIF, SVG. Unless set: `images` beside the SQLite file, made by the first upload; with PostgreSQL `data/images`',
  },
  webImageOrigins: {
    name: 'WEB_IMAGE_ORIGINS', fallback: '', parse: httpsOrigins, example: 'https://cdn.example.com', see: 'traveller.md#pictures', ofSite: 'text',
    meaning: '`https://` origins from which the page may show pictures, with commas, without paths and wildcards',
  },
  webAccent: {
    name: 'WEB_ACCENT', fallback: '#1d5c57', parse: colour, example: '#1d5c57', ofSite: 'text',
    meaning: 'colour of buttons and links on the traveller\'s page; made darker or lighter if text would be hard to read',
  },
  webContact: {
    name: 'WEB_CONTACT', parse: personUrl, example: 'mailto:stay@example.com', ofSite: 'text',
    meaning: 'contact for travellers, `mailto:`, `tel:` or `https:`',
  },
  webImprintUrl: {
    name: 'WEB_IMPRINT_URL', parse: pageUrl, example: 'https://www.example.com/imprint', see: 'traveller.md#turn-it-on', ofSite: 'text',
    meaning: 'link to the legal notice in the footer of every page of the web listener, `https://`',
  },
  webPrivacyUrl: {
    name: 'WEB_PRIVACY_URL', parse: pageUrl, example: 'https://www.example.com/privacy', see: 'traveller.md#turn-it-on', ofSite: 'text',
    meaning: 'link to the privacy notice in the footer of every page of the web listener, `https://`',
  },
  webTermsUrl: {
    name: 'WEB_TERMS_URL', parse: pageUrl, example: 'https://www.example.com/terms', see: 'traveller.md#turn-it-on', ofSite: 'text',
    meaning: 'link to the terms in the footer of every page of the web listener, `https://`',
  },
  webAccessibilityUrl: {
    name: 'WEB_ACCESSIBILITY_URL', parse: pageUrl, example: 'https://www.example.com/accessibility', see: 'traveller.md#turn-it-on', ofSite: 'text',
    meaning: 'link to the accessibility statement in the footer of every page of the web listener, `https://`',
  },
  bookingUrlTemplate: {
    name: 'BOOKING_URL_TEMPLATE', parse: bookingUrlTemplate, example: 'https://book.example.com/{propertyId}?from={checkIn}&to={checkOut}&guests={guests}', ofSite: 'text',
    meaning: 'where the traveller\'s button leads, `https://`, with `{propertyId}` `{inventoryTypeId}` `{checkIn}` `{checkOut}` `{guests}` `{adults}` `{children}` `{childAges}` `{locale}` `{partnerId}` `{quoteId}` filled in; unless set, the page shows the contact instead',
  },
  bookingOrigins: {
    name: 'BOOKING_ORIGINS', fallback: '', parse: httpsOrigins, example: 'https://book.example.com', see: 'traveller.md#turn-it-on', ofSite: 'text',
    meaning: '`https://` origins of the booking sites that property documents may name in `bookingUrl`, with commas, without paths and wildcards',
  },
  webLimit: {
    name: 'WEB_LIMIT', fallback: '60', parse: count(0, 1_000_000_000), example: '60',
    meaning: 'requests per minute from one source address to the web listener; `0` is off',
  },
  calendarsBaseUrl: {
    name: 'CALENDARS_BASE_URL', parse: calendarsBaseUrl, example: 'https://book.example.com/calendars', see: 'supply.md#calendars-for-other-platforms',
    meaning: 'where platforms reach the published calendars of the web listener, `https://`; `calendars` beside `HANDOFF_BASE_URL` unless set',
  },
  calendarsLimit: {
    name: 'CALENDARS_LIMIT', fallback: '600', parse: count(0, 1_000_000_000), example: '600',
    meaning: 'requests per minute from one source address for published calendars; `0` is off',
  },
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT', parse: httpUrl, example: 'http://127.0.0.1:4318',
    meaning: 'where traces are sent, as OTLP over HTTP; nothing is traced unless set',
  },
  icalAllowPrivate: {
    name: 'ICAL_ALLOW_PRIVATE', fallback: 'false', parse: flag, example: 'false',
    meaning: '`true`: iCal feeds may come from private, loopback and link-local addresses',
  },
  connectionsAllowPrivate: {
    name: 'CONNECTIONS_ALLOW_PRIVATE', fallback: 'false', parse: flag, example: 'false',
    meaning: '`true`, for tests: a connection may have a `base` of its own, also on this machine',
  },
  webhookAllowPrivate: {
    name: 'WEBHOOK_ALLOW_PRIVATE', fallback: 'false', parse: flag, example: 'false', see: 'webhooks.md#addresses',
    meaning: '`true`: webhooks may lead to private, loopback and link-local addresses',
  },
  logLevel: {
    name: 'LOG_LEVEL', fallback: 'info', parse: oneOf(LOG_LEVELS), example: 'info',
    meaning: 'lowest level that is logged; JSON lines unless on a terminal',
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

/** Names of the settings of the site. */
export type SiteSettingName = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { readonly ofSite: string } ? Name : never;
}[SettingName];

/** In the order of the table. */
export const SETTING_ROWS = Object.entries(SETTINGS) as readonly (readonly [SettingName, Setting])[];

type ValueOf<Row extends Setting> =
  | Exclude<ReturnType<Row['parse']>, Wrong>
  | (Row extends { readonly fallback: string } ? never : undefined);

/** The value of each setting. */
export type SettingValues = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

/** Settings of the site, in the order of the table. */
export const SITE_ROWS: typeof SETTING_ROWS = SETTING_ROWS.filter(([, { ofSite }]) => ofSite !== undefined);
