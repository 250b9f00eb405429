/**
 * Writes `docs/images/traveller-*.png`: the traveller's page in every state, as a phone and a desktop show it. Run it
 * after a change of the page: `npm run screenshots`. With names of states, only these.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { startBrowser } from '../test/kit/browser.ts';
import { type Locale, startTravelling, type State, type Travelling } from '../test/kit/traveller-states.ts';

const FOLDER = join(import.meta.dirname, '..', 'docs', 'images');
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

/** Pictures that are far below are not loaded before they come near. */
const LOAD_ALL = `Promise.all([...document.images].map((image) => { image.loading = 'eager'; return image.decode(); }))`;

interface Shot {
  readonly name: string;
  readonly state: State;
  readonly locale: Locale;
  readonly look: BrowserContextOptions;
}

const SHOWN: readonly State[] = ['unchanged', 'price_changed', 'unavailable', 'expired', 'invalid'];
const SHOTS: readonly Shot[] = [
  ...SHOWN.flatMap((state) => [
    shot(state, 'it-IT', 'phone', { viewport: PHONE, colorScheme: 'light' }),
    shot(state, 'en-GB', 'desktop', { viewport: DESKTOP, colorScheme: 'light' }),
  ]),
  shot('unchanged', 'en-GB', 'phone-dark', { viewport: PHONE, colorScheme: 'dark' }),
  shot('unavailable', 'it-IT', 'desktop-dark', { viewport: DESKTOP, colorScheme: 'dark' }),
];

function shot(state: State, locale: Locale, size: string, look: BrowserContextOptions): Shot {
  return { name: `traveller-${state}-${size}`, state, locale, look };
}

const wanted = process.argv.slice(2);
const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

mkdirSync(FOLDER, { recursive: true });
const browser = await startBrowser();
const travelling = await startTravelling();
try {
  for (const each of shots) await take(browser, travelling, each);
} finally {
  await browser.close();
  await travelling.installation.close();
}

async function take(on: Browser, { linkOf }: Travelling, { name, state, locale, look }: Shot): Promise<void> {
  const context = await on.newContext({ locale, deviceScaleFactor: 1, ...look });
  const page = await context.newPage();
  await page.goto(linkOf(state, locale));
  // The bar of a phone stays at the bottom of the screen: of one that is as high as the page.
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({ width: look.viewport?.width ?? DESKTOP.width, height });
  await page.evaluate(LOAD_ALL);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path, fullPage: true });
  await context.close();
  process.stdout.write(`${path}\n`);
}
