/** /favicon.ico: browsers request it for every page without an icon. */
import { contentSecurityPolicy, SECURITY_HEADERS } from './security-headers.ts';
import type { Page } from './page.ts';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5c8a"/>' +
  '<path d="M8 25V12l8-5 8 5v13h-5v-7h-6v7z" fill="#fff"/></svg>';

/** An SVG, whatever its name: browsers go by the media type. */
export const FAVICON: Page = {
  path: '/favicon.ico',
  mediaType: 'image/svg+xml',
  body: Buffer.from(ICON),
  cacheControl: 'public, max-age=86400',
  headers: [...SECURITY_HEADERS, 'Content-Security-Policy', contentSecurityPolicy({})],
};
