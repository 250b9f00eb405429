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
      : new Wrong('settingNotWhole', { min, max });
  };
}

export function countOrAuto(min: number, max: number): Parse<number | 'auto'> {
  const parseCount = count(min, max);
  return (text) => {
    if (text === 'auto') return 'auto';
    const parsed = parseCount(text);
    return parsed instanceof Wrong ? new Wrong('settingNotWholeOrAuto', { min, max }) : parsed;
  };
}

export function oneOf<const T extends string>(choices: readonly T[]): Parse<T> {
  return (text) => {
    const value = choices.find((choice) => choice === text);
    return value === undefined ? new Wrong('settingNotChoice', { choices: choices.join(', ') }) : value;
  };
}

export const flag: Parse<boolean> = (text) =>
  text === 'true' || text === 'false' ? text === 'true' : new Wrong('settingNotFlag');

export const host: Parse<string> = (text) => (HOST.test(text) ? text : new Wrong('notHost'));

/** Host names or addresses, separated by commas. */
export const hosts: Parse<readonly string[]> = (text) => {
  const value = splitList(text);
  const wrong = value.find((part) => !HOST.test(part));
  return wrong === undefined ? value : new Wrong('hostNotHost', { host: wrong });
};

/** Without a final slash, so that paths can be appended. */
export const httpUrl: Parse<string> = (text) => baseUrl(text, ['http:', 'https:'], new Wrong('notHttpUrl'));

/** The handoff value is the only query parameter, so the base has none; its length leaves space for the value. */
export const handoffBaseUrl: Parse<string> = (text) =>
  text.length > HANDOFF_BASE_URL_LENGTH_MAX
    ? new Wrong('tooLong', { max: HANDOFF_BASE_URL_LENGTH_MAX })
    : baseUrl(text, ['https:'], new Wrong('notHttpsUrl'));

/** An origin, because the console's cookie is for a whole host; plain HTTP carries no cookie over a network. */
export const consoleUrl: Parse<string> = (text) => {
  const parsed = baseUrl(text, ['http:', 'https:'], new Wrong('notHttpUrl'));
  if (parsed instanceof Wrong) return parsed;
  const { origin, protocol, hostname } = new URL(parsed);
  if (parsed.toLowerCase() !== origin) return new Wrong('hasPath');
  if (protocol === 'http:' && !isLoopbackHost(hostname)) return new Wrong('notLoopback');
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
    : new Wrong('notContactUrl');

function baseUrl(text: string, protocols: readonly string[], problem: Wrong): string | Wrong {
  // The URL parser drops line breaks and tabs; in a Location header they would not be dropped.
  if (/[^\x21-\x7e]/.test(text)) return new Wrong('notInHeader');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !protocols.includes(url.protocol) || url.hostname === '') return problem;
  if (url.search !== '' || url.hash !== '' || text.includes('?') || text.includes('#')) {
    return new Wrong('hasQuery');
  }
  if (url.username !== '' || url.password !== '') return new Wrong('hasLogin');
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
  return wrong === undefined ? value : new Wrong('notNetwork', { network: wrong });
};

/** `ipaddr.isValid` reads `10.1` as 10.0.0.1, as C libraries did; an operator who writes that has made a mistake. */
function isAddress(text: string): boolean {
  return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);
}

export const databaseUrl: Parse<string> = (text) => {
  if (/^sqlite:(?!:|\/\/(?:[^/]|$)|\/{4}).+/.test(text)) return text;
  if (/^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text)) return text;
  return new Wrong('notDatabaseUrl', { one: 'sqlite:PATH', other: 'postgres://USER:PASSWORD@HOST/DATABASE' });
};

export const redisUrl: Parse<string> = (text) => {
  const parsed = parseRedisUrl(text);
  return parsed.ok ? text : new Wrong('notRedisUrl', { why: parsed.problem });
};

/** `kid:base64,kid:base64`: the first seals, all open. */
export const handoffKeys: Parse<HandoffKeyring> = (text) => {
  const parsed = parseHandoffKeys(text);
  return parsed instanceof Wrong ? new Wrong('notKeys', { why: parsed }) : parsed;
};

// The values of the settings of the web listener.

const NAME_LENGTH_MAX = 60;
const CONTACT_LENGTH_MAX = 500;

/** A path; the listener reads the file at its start. */
export const filePath: Parse<string> = (text) => (text.includes('\0') ? new Wrong('notPath') : text);

export const pictureFile: Parse<string> = (text) =>
  /\.(?:svg|png)$/i.test(text) ? text : new Wrong('notLogoFile');

export const shownName: Parse<string> = (text) => {
  if (text.length > NAME_LENGTH_MAX || /[\p{Cc}\u2028\u2029]/u.test(text))
    return new Wrong('notLine', { max: NAME_LENGTH_MAX });
  return DIRECTIONS.test(text) ? new Wrong('marksDirection') : text;
};

/** Marks, embeddings, overrides and isolates (Unicode Bidirectional Algorithm): they turn the texts beside a name. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export const colour: Parse<string> = (text) =>
  /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : new Wrong('notColour', { example: '#rrggbb' });

/** A contact of a person for the traveller. */
export const personUrl: Parse<string> = (text) => {
  const isContact =
    text.length <= CONTACT_LENGTH_MAX &&
    (/^mailto:[^\s@?]+@[^\s@?]+(?:\?\S*)?$/i.test(text) ||
      /^tel:\+?[0-9().-]{3,40}$/i.test(text) ||
      (/^https:\/\/\S+$/i.test(text) && URL.canParse(text)));
  return isContact ? text : new Wrong('notPersonUrl');
};

export const pageUrl: Parse<string> = (text) =>
  text.length <= CONTACT_LENGTH_MAX && /^https:\/\/\S+$/i.test(text) && URL.canParse(text)
    ? text
    : new Wrong('notHttpsUrl');

const ORIGINS_MAX = 20;

/** Origins alone, so that pages lead to and load from hosts that the operator chose, and no more. */
export const httpsOrigins: Parse<readonly string[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => part !== '' && originOf(part) === undefined);
  if (wrong !== undefined) return new Wrong('notOrigin', { origin: wrong });
  const value = [...new Set(parts.filter((part) => part !== '').map((part) => originOf(part) ?? ''))];
  return value.length > ORIGINS_MAX ? new Wrong('originsMany', { max: ORIGINS_MAX }) : value;
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
  return protocol === 'https:' || LOOPBACK.has(hostname) ? parsed : new Wrong('notHttpsUnlessHere');
};

export const bookingUrlTemplate: Parse<string> = (text) => findTemplateProblem(text) ?? text;
