/**
 * Parsers of settings.
 */
import ipaddr from 'ipaddr.js';
import { parseRedisUrl } from '../../limits/redis-url.ts';
import { type HandoffKeyring, parseHandoffKeys } from '../../handoff/handoff-keys.ts';
import { findTemplateProblem } from '../../handoff/booking-url.ts';
import { type Parse, Wrong } from '../../domain/wrong.ts';

/** Keeps the URL with `?handoff=` and the longest value under 2,000 characters, which every client can carry. */
export const HANDOFF_BASE_URL_LENGTH_MAX = 900;

const PORT_MAX = 65_535;
const HOST = /^[A-Za-z0-9._:%-]{1,253}$/;

export const port: Parse<number> = count(0, PORT_MAX);

/** `off`: no listener. */
export const portOrOff: Parse<number | undefined> = (text) => (text === 'off' ? undefined : port(text));

export function count(min: number, max: number): Parse<number> {
  return (text) => {
    const value = Number(text);
    return /^\d{1,15}$/.test(text) && value >= min && value <= max
      ? value
      : new Wrong(`is not a whole number from ${min} to ${max}`);
  };
}

export function countOrAuto(min: number, max: number): Parse<number | 'auto'> {
  const parseCount = count(min, max);
  return (text) => {
    if (text === 'auto') return 'auto';
    const parsed = parseCount(text);
    return parsed instanceof Wrong
      ? new Wrong(`is neither "auto" nor a whole number from ${min} to ${max}`)
      : parsed;
  };
}

export function oneOf<const T extends string>(choices: readonly T[]): Parse<T> {
  return (text) => {
    const value = choices.find((choice) => choice === text);
    return value === undefined ? new Wrong(`is not one of ${choices.join(', ')}`) : value;
  };
}

export const flag: Parse<boolean> = (text) =>
  text === 'true' || text === 'false' ? text === 'true' : new Wrong('is neither true nor false');

export const host: Parse<string> = (text) =>
  HOST.test(text) ? text : new Wrong('is not a host name or IP address');

/** Host names or addresses, separated by commas. */
export const hosts: Parse<readonly string[]> = (text) => {
  const value = splitList(text);
  const wrong = value.find((part) => !HOST.test(part));
  return wrong === undefined ? value : new Wrong(`holds "${wrong}", which is not a host name`);
};

/** Without a final slash, so that paths can be appended. */
export const httpUrl: Parse<string> = (text) =>
  baseUrl(text, ['http:', 'https:'], 'is not an http:// or https:// URL');

/** The handoff value is the only query parameter, so the base has none; its length leaves space for the value. */
export const handoffBaseUrl: Parse<string> = (text) =>
  text.length > HANDOFF_BASE_URL_LENGTH_MAX
    ? new Wrong(`is longer than ${HANDOFF_BASE_URL_LENGTH_MAX} characters`)
    : baseUrl(text, ['https:'], 'is not an https:// URL');

/** An origin, because the console's cookie is for a whole host; plain HTTP carries no cookie over a network. */
export const consoleUrl: Parse<string> = (text) => {
  const parsed = baseUrl(text, ['http:', 'https:'], 'is not an http:// or https:// URL');
  if (parsed instanceof Wrong) return parsed;
  const { origin, protocol, hostname } = new URL(parsed);
  if (parsed.toLowerCase() !== origin) return new Wrong('has a path, where only a host may stand');
  if (protocol === 'http:' && !isLoopbackHost(hostname))
    return new Wrong(
      'is http:// of an address that is not loopback: sessions would cross the network in the clear',
    );
  return origin;
};

/** `localhost`, 127.0.0.0/8 or ::1, in brackets or not. */
export function isLoopbackHost(name: string): boolean {
  const bare = name.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (bare === 'localhost') return true;
  return isAddress(bare) && ipaddr.parse(bare).range() === 'loopback';
}

export const contactUrl: Parse<string> = (text) =>
  /^(?:mailto:[^@\s]+@[^@\s]+|tel:\+?[0-9()./ -]+|https:\/\/.+)$/.test(text) &&
  /^[!-~]+$/.test(text) &&
  URL.canParse(text)
    ? text
    : new Wrong('is not a mailto:, tel: or https:// URL');

function baseUrl(text: string, protocols: readonly string[], problem: string): string | Wrong {
  // The URL parser drops line breaks and tabs; in a Location header they would not be dropped.
  if (/[^\x21-\x7e]/.test(text))
    return new Wrong('holds a blank, a line break or a letter that must be escaped');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !protocols.includes(url.protocol) || url.hostname === '')
    return new Wrong(problem);
  if (url.search !== '' || url.hash !== '' || text.includes('?') || text.includes('#')) {
    return new Wrong('has a query or a fragment, where only a path may follow the host');
  }
  if (url.username !== '' || url.password !== '') return new Wrong('holds a user name or a password');
  return text.replace(/(?<!\/)\/+$/, '');
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Networks in CIDR notation, separated by commas; a single address is allowed. */
export const networks: Parse<readonly string[]> = (text) => {
  const value = splitList(text);
  const wrong = value.find((part) => !ipaddr.isValidCIDR(part) && !isAddress(part));
  return wrong === undefined ? value : new Wrong(`holds "${wrong}", which is not a network in CIDR notation`);
};

/** `ipaddr.isValid` reads `10.1` as 10.0.0.1, as C libraries did; an operator who writes that has made a mistake. */
function isAddress(text: string): boolean {
  return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);
}

export const databaseUrl: Parse<string> = (text) => {
  if (/^sqlite:(?!:|\/\/(?:[^/]|$)|\/{4}).+/.test(text)) return text;
  if (/^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text)) return text;
  return new Wrong('is neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE');
};

export const redisUrl: Parse<string> = (text) => {
  const parsed = parseRedisUrl(text);
  return parsed.ok ? text : new Wrong(parsed.problem);
};

/** `kid:base64,kid:base64`: the first seals, all open. */
export const handoffKeys: Parse<HandoffKeyring> = (text) => {
  const parsed = parseHandoffKeys(text);
  return parsed.ok ? parsed.keyring : new Wrong(`is not a list of keys: ${parsed.problem}`);
};

// The values of the settings of the web listener.

const NAME_LENGTH_MAX = 60;
const CONTACT_LENGTH_MAX = 500;

/** A path; the listener reads the file at its start. */
export const filePath: Parse<string> = (text) =>
  text.includes('\0') ? new Wrong('is not a path of a file') : text;

export const pictureFile: Parse<string> = (text) =>
  /\.(?:svg|png)$/i.test(text) ? text : new Wrong('is not a file that ends in .svg or .png');

export const shownName: Parse<string> = (text) => {
  if (text.length > NAME_LENGTH_MAX || /[\p{Cc}\u2028\u2029]/u.test(text))
    return new Wrong(`is not a line of at most ${NAME_LENGTH_MAX} characters`);
  return DIRECTIONS.test(text) ? new Wrong('holds a mark that turns the direction of text') : text;
};

/** Marks, embeddings, overrides and isolates (Unicode Bidirectional Algorithm): they turn the texts beside a name. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export const colour: Parse<string> = (text) =>
  /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : new Wrong('is not a colour like #rrggbb');

/** A contact of a person for the traveller. */
export const personUrl: Parse<string> = (text) => {
  const isContact =
    text.length <= CONTACT_LENGTH_MAX &&
    (/^mailto:[^\s@?]+@[^\s@?]+(?:\?\S*)?$/i.test(text) ||
      /^tel:\+?[0-9().-]{3,40}$/i.test(text) ||
      (/^https:\/\/\S+$/i.test(text) && URL.canParse(text)));
  return isContact ? text : new Wrong('is not a mailto:, tel: or https: address');
};

export const pageUrl: Parse<string> = (text) =>
  text.length <= CONTACT_LENGTH_MAX && /^https:\/\/\S+$/i.test(text) && URL.canParse(text)
    ? text
    : new Wrong('is not an https:// URL');

const ORIGINS_MAX = 20;

/** Origins alone, so that pages lead to and load from hosts that the operator chose, and no more. */
export const httpsOrigins: Parse<readonly string[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => part !== '' && originOf(part) === undefined);
  if (wrong !== undefined)
    return new Wrong(`holds "${wrong}", which is not an https:// origin without path or wildcard`);
  const value = [...new Set(parts.filter((part) => part !== '').map((part) => originOf(part) ?? ''))];
  return value.length > ORIGINS_MAX ? new Wrong(`has more than ${ORIGINS_MAX} origins`) : value;
};

function originOf(text: string): string | undefined {
  const isOrigin = /^https:\/\/[^\s/?#@*,;'"\\]+$/.test(text) && URL.canParse(text);
  return isOrigin ? new URL(text).origin : undefined;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Its URLs hold secrets: plain HTTP is for this machine only. */
export const calendarsBaseUrl: Parse<string> = (text) => {
  const parsed = httpUrl(text);
  if (parsed instanceof Wrong) return parsed;
  const { protocol, hostname } = new URL(parsed);
  return protocol === 'https:' || LOOPBACK.has(hostname)
    ? parsed
    : new Wrong('is not an https:// URL; http:// is for localhost only');
};

export const bookingUrlTemplate: Parse<string> = (text) => {
  const problem = findTemplateProblem(text);
  return problem === undefined ? text : new Wrong(problem);
};
