/**
 * Writes `docs/images/traveller-*.png`, the traveller's page in every state, `docs/images/console-*.png`, pages of the
 * console, as a phone and a desktop show them, `docs/images/cards.png`, stays in an assistant's window, and
 * `docs/images/month.png`, the month of a city. Run it after a change of a page: `npm run screenshots`. With parts of
 * names, only these: `npm run screenshots console-night`. `npm run screenshots -- --all DIR` writes every page of the
 * console in every look into a folder, for eyes alone.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { exampleDates } from '../src/contract/partner/example-dates.ts';
import { DAY_MS } from '../src/domain/local-date.ts';
import { cityMonth, LIVE_SAMPLE } from '../src/portal/programs/guide-programs.ts';
import { firstLine } from '../test/kit/command-line.ts';
import { FAMILY_TAX, nights } from '../test/kit/catalogue-lines.ts';
import { WorkplaceHere } from '../test/kit/commands-here.ts';
import { startAssistantCards } from '../test/kit/assistant-cards.ts';
import { startBrowser } from '../test/kit/browser.ts';
import { type Console, startConsole } from '../test/kit/console-states.ts';
import { tourConsole } from './console-tour.ts';
import {
  type Locale,
  startTravelling,
  type State,
  travellersHotel,
  type Travelling,
} from '../test/kit/traveller-states.ts';

const FOLDER = join(import.meta.dirname, '..', 'docs', 'images');
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

/** Pages of the console, by the names of `console-states.ts`. */
const ON_DESKTOP = ['today', 'request', 'property', 'night', 'funnel', 'demand', 'connection'];
const ON_PHONE = ['property', 'request', 'funnel'];

/** Pictures that are far below are not loaded before they come near. */
const LOAD_ALL = `Promise.all([...document.images].map((image) => { image.loading = 'eager'; return image.decode(); }))`;

interface Shot {
  readonly name: string;
  readonly url: string;
  readonly options: BrowserContextOptions;
  /** For pages that need a sign-in. */
  readonly cookie?: Console['cookie'];
  /** The screen alone of a page that is long. */
  readonly isCut?: boolean;
  readonly prepare?: (context: BrowserContext) => Promise<void>;
}

const SHOWN: readonly State[] = ['unchanged', 'price_changed', 'unavailable', 'expired', 'invalid'];
const LIGHT_PHONE = { viewport: PHONE, colorScheme: 'light' } as const;
const DARK_PHONE = { viewport: PHONE, colorScheme: 'dark' } as const;
const LIGHT_DESKTOP = { viewport: DESKTOP, colorScheme: 'light' } as const;
const DARK_DESKTOP = { viewport: DESKTOP, colorScheme: 'dark' } as const;

/** Four may sleep here; an infant has a cot, children pay less, and the city tax leaves them out. */
const FAMILY_HOTEL = travellersHotel('family', [], {
  ageBands: [
    { untilAge: 2, occupies: false },
    { untilAge: 12, rate: '15.00' },
  ],
  taxes: [FAMILY_TAX],
  inventoryTypes: [
    {
      inventoryTypeId: 'garden-family',
      name: { 'it-IT': 'Familiare sul giardino', 'en-GB': 'Garden family room' },
      guestsMax: 4,
      includedGuests: 2,
      extraGuestRate: '30.00',
      calendar: [nights('2026-11-20', '2027-01-31', { availability: 1, rate: '148.00' })],
    },
  ],
});

/** A quote of four adults, asked again with the ages of two children. */
async function familyShots({ link }: Travelling): Promise<readonly Shot[]> {
  const url = `${await link('family', 'en-GB', 4)}&childAges=1,8`;
  return [{ name: 'traveller-family-desktop', url, options: { ...LIGHT_DESKTOP, locale: 'en-GB' } }];
}

async function allTravellerShots(travelling: Travelling): Promise<readonly Shot[]> {
  return [...travellerShots(travelling), ...(await familyShots(travelling))];
}

function travellerShots({ linkOf }: Travelling): readonly Shot[] {
  const shot = (state: State, locale: Locale, size: string, look: BrowserContextOptions): Shot => ({
    name: `traveller-${state}-${size}`,
    url: linkOf(state, locale),
    options: { ...look, locale },
  });
  return [
    ...SHOWN.flatMap((state) => [
      shot(state, 'it-IT', 'phone', LIGHT_PHONE),
      shot(state, 'en-GB', 'desktop', LIGHT_DESKTOP),
    ]),
    shot('unchanged', 'en-GB', 'phone-dark', DARK_PHONE),
    shot('unavailable', 'it-IT', 'desktop-dark', DARK_DESKTOP),
  ];
}

function consoleShots({ url, cookie, paths }: Console): readonly Shot[] {
  const shot = (page: string, size: string, options: BrowserContextOptions): Shot => ({
    name: `console-${page}-${size}`,
    url: url + paths[page],
    cookie,
    // Its rooms are below.
    isCut: page !== 'connection',
    options,
  });
  return [
    ...ON_DESKTOP.map((page) => shot(page, 'desktop', { ...LIGHT_DESKTOP, locale: 'en-GB' })),
    ...ON_PHONE.map((page) =>
      shot(page, 'phone', { ...DARK_PHONE, hasTouch: true, isMobile: true, locale: 'it-IT' }),
    ),
  ];
}

const isTour = process.argv[2] === '--all';
const wanted = process.argv.slice(isTour ? 4 : 2);
const isWanted = (kind: string): boolean =>
  wanted.length === 0 || wanted.some((part) => part.startsWith(kind) || kind.startsWith(part));

mkdirSync(FOLDER, { recursive: true });
const browser = await startBrowser();
try {
  if (isTour) await tourConsole(browser, process.argv[3] ?? '', isOfTour);
  else await takeDocumented();
} finally {
  await browser.close();
}

function isOfTour(name: string): boolean {
  return wanted.length === 0 || wanted.some((part) => name.includes(part));
}

async function takeDocumented(): Promise<void> {
  if (isWanted('traveller')) await takeAll(await startTravelling({}, [FAMILY_HOTEL]), allTravellerShots);
  if (isWanted('console')) await takeAll(await startConsole(), consoleShots);
  if (isWanted('cards')) await takeCards();
  if (isWanted('month')) await takeMonth();
}

async function takeCards(): Promise<void> {
  const cards = await startAssistantCards();
  const stay = { city: 'Venezia', checkIn: '2026-12-11', checkOut: '2026-12-14', guests: 2 };
  const url = await cards.show('search_properties', { ...stay, locale: 'en-GB' });
  const options = { viewport: { width: 816, height: 400 }, colorScheme: 'light', locale: 'en-GB' } as const;
  await take({ name: 'cards', url, options, prepare: cards.routePictures });
  await cards.close();
}

/** The page that the program of /docs/any-dates writes, of the demo's largest city. */
async function takeMonth(): Promise<void> {
  const workplace = new WorkplaceHere({ PORT: '0', OPERATOR_PORT: '0', WEB_PORT: '0' });
  try {
    const { token, partnerUrl } = JSON.parse(await firstLine(workplace.start(['demo', '--json']))) as Demo;
    const today = Math.floor(Date.now() / DAY_MS);
    const { typescript } = cityMonth(partnerUrl, LIVE_SAMPLE.largeCity, exampleDates(today));
    const program = join(workplace.directory, 'month.mts');
    const page = join(workplace.directory, 'month.html');
    writeFileSync(program, typescript);
    writeFileSync(page, execFileSync(process.execPath, [program], { env: { STAYPORT_TOKEN: token } }));
    const options = { viewport: { width: 816, height: 400 }, colorScheme: 'light' } as const;
    await take({ name: 'month', url: pathToFileURL(page).href, options });
  } finally {
    await workplace.remove();
  }
}

interface Demo {
  readonly token: string;
  readonly partnerUrl: string;
}

async function takeAll<Shown extends Pick<Console, 'installation'>>(
  shown: Shown,
  shotsOf: (shown: Shown) => readonly Shot[] | Promise<readonly Shot[]>,
): Promise<void> {
  const shots = (await shotsOf(shown)).filter(
    ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  );
  for (const shot of shots) await take(shot);
  await shown.installation.close();
}

async function take({ name, url, options, cookie, isCut = false, prepare }: Shot): Promise<void> {
  const context = await browser.newContext({ deviceScaleFactor: 1, ...options });
  if (cookie !== undefined) await context.addCookies([cookie]);
  await prepare?.(context);
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  if (!isCut) {
    // The bar of a phone stays at the bottom of the screen: of one that is as high as the page.
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    await page.setViewportSize({ width: options.viewport?.width ?? DESKTOP.width, height });
  }
  await page.evaluate(LOAD_ALL);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path, fullPage: !isCut });
  await context.close();
  process.stdout.write(`${path}\n`);
}
