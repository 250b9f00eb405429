/** A Chromium of the system for tests of pages, driven by playwright-core. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { skippedFor } from './skipped-suites.ts';
import { installWithApt } from './system-package.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const MAC_PATH = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Why no browser can be started here, as the reason for which tests are skipped; false when one can. */
export function browserMissing(): string | false {
  if (findBrowser() !== undefined || (installWithApt('chromium') && findBrowser() !== undefined))
    return false;
  return skippedFor('Chromium is not on PATH', 'the tests of pages in a browser');
}

export async function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('Chromium is not on PATH');
  // Root has no sandbox to go into, and containers often have no shared memory worth the name.
  return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

function findBrowser(): string | undefined {
  const found = NAMES.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  if (found === undefined) return existsSync(MAC_PATH) ? MAC_PATH : undefined;
  return spawnSync('which', [found], { encoding: 'utf8' }).stdout.trim();
}
