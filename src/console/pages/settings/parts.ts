/** The parts of the settings, each at its own address. */

const PATH = '/console/settings';

export const SETTINGS_PARTS = ['site', 'legal', 'checks', 'environment'] as const;
export type SettingsPart = (typeof SETTINGS_PARTS)[number];
/** Those with a form. */
export type SitePart = Extract<SettingsPart, 'site' | 'legal'>;

export const PATH_OF = {
  site: PATH,
  legal: `${PATH}/legal`,
  checks: `${PATH}/checks`,
  environment: `${PATH}/environment`,
} as const satisfies Readonly<Record<SettingsPart, string>>;

/** The hidden field that says which part was sent: all are sent to the address of the first. */
export const PART_FIELD = 'part';
/** The button that draws the traveller's page, and saves nothing. */
export const PREVIEW_BUTTON = 'preview';

export function isSitePart(text: string): text is SitePart {
  return text === 'site' || text === 'legal';
}

/** Settings that most people come for. */
const FIRST = [
  'WEB_NAME',
  'WEB_LOGO',
  'WEB_ACCENT',
  'WEB_CONTACT',
  'HANDOFF_BASE_URL',
  'BOOKING_URL_TEMPLATE',
  'BOOKING_ORIGINS',
];

/** Where a setting stands in its form; equal for all that stand last. */
export function placeOf(name: string): number {
  const place = FIRST.indexOf(name);
  return place === -1 ? FIRST.length : place;
}

const LEGAL = /^WEB_(?:IMPRINT|PRIVACY|TERMS|ACCESSIBILITY)_URL$/;

/** The part in which a setting of the site is changed. */
export function partOf(name: string): SitePart {
  return LEGAL.test(name) ? 'legal' : 'site';
}
