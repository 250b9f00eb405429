/** The values of the settings of the web listener. */
import { findUnknownPlace } from '../handoff/booking-url.ts';
import { httpUrl, type Parse } from './setting-values.ts';

const NAME_LENGTH_MAX = 60;
const CONTACT_LENGTH_MAX = 500;
/** Longer URLs are cut by some browsers and proxies; the values need some of it. */
const TEMPLATE_LENGTH_MAX = 1_500;

/** A path; what is in the file is looked at when the listener starts. */
export const filePath: Parse<string> = (text) =>
  text.includes('\0') ? { problem: 'is not a path of a file' } : { value: text };

export const pictureFile: Parse<string> = (text) =>
  /\.(?:svg|png)$/i.test(text) ? { value: text } : { problem: 'is not a file that ends in .svg or .png' };

export const shownName: Parse<string> = (text) =>
  text.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(text)
    ? { value: text }
    : { problem: `is not a line of at most ${NAME_LENGTH_MAX} characters` };

export const colour: Parse<string> = (text) =>
  /^#[0-9a-f]{6}$/i.test(text) ? { value: text.toLowerCase() } : { problem: 'is not a colour like #rrggbb' };

/** Where a traveller finds a person. */
export const personUrl: Parse<string> = (text) => {
  const isContact =
    text.length <= CONTACT_LENGTH_MAX &&
    (/^mailto:[^\s@?]+@[^\s@?]+(?:\?\S*)?$/i.test(text) ||
      /^tel:\+?[0-9().-]{3,40}$/i.test(text) ||
      (/^https:\/\/\S+$/i.test(text) && URL.canParse(text)));
  return isContact ? { value: text } : { problem: 'is not a mailto:, tel: or https: address' };
};

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Its URLs hold secrets: plain HTTP is for this machine only. */
export const calendarsBaseUrl: Parse<string> = (text) => {
  const parsed = httpUrl(text);
  if ('problem' in parsed) return parsed;
  const { protocol, hostname } = new URL(parsed.value);
  return protocol === 'https:' || LOOPBACK.has(hostname)
    ? parsed
    : { problem: 'is not an https:// URL; http:// is for localhost only' };
};

export const bookingUrlTemplate: Parse<string> = (text) => {
  if (text.length > TEMPLATE_LENGTH_MAX) {
    return { problem: `is longer than ${TEMPLATE_LENGTH_MAX} characters` };
  }
  const unknown = findUnknownPlace(text);
  if (unknown !== undefined) return { problem: `holds ${unknown}, which is not a placeholder` };
  const filled = text.replaceAll(/\{\w+\}/g, 'x');
  const url = URL.canParse(filled) ? new URL(filled) : undefined;
  // The host is the operator's own: it may not contain a placeholder.
  const hasOwnHost = /^https:\/\/[^/?#{}\s]+(?:[/?#]|$)/i.test(text);
  return url?.protocol === 'https:' && hasOwnHost && url.username === ''
    ? { value: text }
    : { problem: 'is not an https:// URL with placeholders after its host' };
};
