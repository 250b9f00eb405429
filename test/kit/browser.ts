/** A Chromium of the system for tests of pages, driven by playwright-core. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type ConsoleMessage, type Page, type Request } from 'playwright-core';
import { findProgram, programsMissing } from './system-programs.ts';

const MAC_PATH = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
/** On a machine that does much else. */
const LAUNCH_MS_MAX = 90_000;
/** For a page or an element of it; seconds on a quiet machine. */
const WAIT_MS_MAX = 150_000;

const FLAGS = [
  // Root has no sandbox to go into, and containers often have no shared memory worth the name.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  // Nothing of the browser's own goes out.
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why no browser can be started here, as the reason for which tests are skipped; false when one can. */
export function browserMissing(): string | false {
  return existsSync(MAC_PATH) ? false : programsMissing('Chromium');
}

/** `hosts` are names that only this browser knows, each with the `address:port` that it stands for. */
export async function startBrowser(hosts: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('Chromium is not on PATH');
  const rules = Object.entries(hosts).map(([name, place]) => `MAP ${name} ${place}`);
  const args = [...FLAGS, `--host-resolver-rules=${rules.join(',')}`];
  const browser = await chromium.launch({ executablePath, args, timeout: LAUNCH_MS_MAX });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_MS_MAX);
    return context;
  };
  return browser;
}

/** Events of a page for its test. */
export interface Watched {
  /** Every request, as `METHOD URL`. */
  readonly requests: readonly string[];
  /** Messages of the console and errors of scripts. */
  readonly complaints: readonly string[];
  readonly stop: () => void;
}

/** Writes down what the page does from now on. */
export function watchPage(page: Page): Watched {
  const requests: string[] = [];
  const complaints: string[] = [];
  const onRequest = (request: Request): unknown => requests.push(`${request.method()} ${request.url()}`);
  // The place names an address that could not be loaded, of which the text has the status alone.
  const onConsole = (message: ConsoleMessage): unknown =>
    complaints.push(`console: ${message.text()} ${message.location().url}`.trimEnd());
  const onError = (error: Error): unknown => complaints.push(`error: ${error.message}`);
  page.on('request', onRequest).on('console', onConsole).on('pageerror', onError);
  const stop = (): unknown =>
    page.off('request', onRequest).off('console', onConsole).off('pageerror', onError);
  return { requests, complaints, stop };
}

function findBrowser(): string | undefined {
  const found = findProgram('Chromium');
  if (found === undefined) return existsSync(MAC_PATH) ? MAC_PATH : undefined;
  return execFileSync('which', [found], { encoding: 'utf8' }).trim();
}

/** Opens the folds around the form of an act, as somebody with a keyboard does. */
export async function unfold(page: Page, act: string): Promise<void> {
  const folds = page.locator('details', { has: page.locator(`form[data-act="${act}"]`) });
  for (const fold of await folds.all())
    if ((await fold.getAttribute('open')) === null) await fold.locator(':scope > summary').press('Enter');
}
