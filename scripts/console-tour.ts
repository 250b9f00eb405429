/**
 * Pictures of every page of the console for those who change one: empty and full, in both languages, light and dark, on a
 * phone and a desktop, with forms that are refused, secrets that are shown once, and files that are looked at.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hotel } from '../test/kit/catalogue-lines.ts';
import { unfold } from '../test/kit/browser.ts';
import { type Console, PROPERTY_ID, startConsole } from '../test/kit/console-states.ts';
import { signInTo } from '../test/kit/console-client.ts';
import { startInstallation } from '../test/kit/installation.ts';

const PICTURE = join(import.meta.dirname, '..', 'test', 'fixtures', 'pictures', 'front.jpg');
const PROPERTY = `/console/properties/${PROPERTY_ID}`;
const PAGES =
  ' setup properties partners tokens requests supply funnel demand audit import settings people passkeys new-property new-connection new-connection/smoobu'.split(
    ' ',
  );

const LOOKS = (['en-GB', 'it-IT'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((colorScheme) => [
    {
      name: `${locale.slice(0, 2)}-${colorScheme}-desktop`,
      options: { locale, colorScheme, viewport: { width: 1280, height: 800 } },
    },
    {
      name: `${locale.slice(0, 2)}-${colorScheme}-phone`,
      options: {
        locale,
        colorScheme,
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      },
    },
  ]),
);

/** A page, and the way to it. */
interface Stop {
  readonly name: string;
  /** Resolves to another page where one opens. */
  readonly go: (page: Page, url: string) => Promise<Page | void>;
}

const at =
  (path: string): Stop['go'] =>
  async (page, url) =>
    void (await page.goto(url + path));

async function sent(page: Page, act: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = page.locator(`form[data-act="${act}"]`).first();
  if (!(await form.isVisible())) await unfold(page, act);
  for (const [name, text] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(text);
  await Promise.all([page.waitForNavigation(), form.locator('button').last().click()]);
}

let files = 0;

/** New properties each time: a file that changes nothing cannot be applied. */
function makeLines(): string {
  files += 1;
  const lines = [hotel(`casa-${files}-1`), hotel(`casa-${files}-2`), { propertyId: 'casa 3' }];
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

async function looked(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/console/import`);
  const buffer = Buffer.from(makeLines());
  const file = { name: 'flats.ndjson', mimeType: 'application/x-ndjson', buffer };
  const form = page.locator('[data-act="import-catalogue"]');
  await form.locator('[type=file]').setInputFiles(file);
  await form.locator('button').click();
  await page.waitForSelector('[data-phase="shown"]');
}

async function previewed(page: Page, url: string): Promise<Page> {
  await page.goto(`${url}${PROPERTY}/edit`);
  await page.fill('[name="preview.checkIn"]', '2026-12-10');
  await page.fill('[name="preview.checkOut"]', '2026-12-12');
  const [preview] = await Promise.all([page.context().waitForEvent('page'), page.click('[name=preview]')]);
  await preview.waitForLoadState();
  return preview;
}

const FULL: readonly Stop[] = [
  { name: 'property-chosen', go: chosen },
  {
    name: 'property-forms',
    go: async (page, url) => {
      await page.goto(url + PROPERTY);
      for (const act of ['nights-save', 'feed-add', 'publish', 'property-withdraw']) await unfold(page, act);
    },
  },
  {
    name: 'nights-refused',
    go: async (page, url) => {
      await page.goto(url + PROPERTY);
      await sent(page, 'nights-save', { from: '2026-12-24', to: '2026-12-26', rate: 'cheap' });
    },
  },
  { name: 'edit', go: at(`${PROPERTY}/edit`) },
  {
    name: 'edit-refused',
    go: async (page, url) => {
      await page.goto(`${url}${PROPERTY}/edit`);
      await page.fill('[name="bathrooms"]', 'two');
      await page.press('[name="bathrooms"]', 'Enter');
      await page.waitForSelector('#mistakes');
    },
  },
  {
    name: 'edit-pictures',
    go: async (page, url) => {
      await page.goto(`${url}${PROPERTY}/edit#section-pictures`);
      await page.setInputFiles('[name="file"]', PICTURE);
      await page.waitForSelector('[name="images[0].alt.en-GB"]');
    },
  },
  { name: 'preview', go: previewed },
  {
    name: 'partner-forms',
    go: async (page, url) => {
      await page.goto(`${url}/console/partners/acme`);
      for (const act of ['issue', 'partner-update', 'webhook-create']) await unfold(page, act);
    },
  },
  {
    name: 'issue-refused',
    go: async (page, url) => {
      await page.goto(`${url}/console/partners/acme`);
      await sent(page, 'issue', { quota: 'many', expires: 'soon' });
    },
  },
  {
    name: 'issued',
    go: async (page, url) => {
      await page.goto(`${url}/console/partners/acme`);
      await sent(page, 'issue', {});
    },
  },
  { name: 'import-shown', go: looked },
  {
    name: 'import-applied',
    go: async (page, url) => {
      await looked(page, url);
      await page.click('[data-act="import-catalogue"] button');
      await page.waitForSelector('[data-phase="applied"]');
    },
  },
];

async function chosen(page: Page, url: string): Promise<void> {
  await page.goto(url + PROPERTY);
  const cell = page.locator('td[data-type="double"] a');
  await cell.nth(20).focus();
  await page.keyboard.press(' ');
  await cell.nth(22).focus();
  await page.keyboard.press(' ');
}

/** Writes all of them into the folder; `isWanted` chooses by name. */
export async function tourConsole(
  browser: Browser,
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const images = mkdtempSync(join(tmpdir(), 'stayport-tour-'));
  const full = await startConsole({ WEB_IMAGES: images });
  await visitAll(full, [
    ...Object.entries(full.paths).map(([name, path]) => ({ name, go: at(path) })),
    ...PAGES.slice(1).map((path) => ({ name: path.replaceAll('/', '-'), go: at(`/console/${path}`) })),
    ...FULL,
  ]);
  await full.installation.close();
  const { installation, service } = await startInstallation([]);
  const admin = await signInTo(installation, service.operatorUrl, { role: 'admin' });
  const [name = '', value = ''] = admin.cookie!.split('=');
  const cookie = { name, value, url: service.operatorUrl };
  await visitAll(
    { url: service.operatorUrl, cookie },
    PAGES.map((path) => ({
      name: `empty-${path.replaceAll('/', '-') || 'today'}`,
      go: at(`/console/${path}`),
    })),
  );
  await visitAll({ url: service.operatorUrl }, [{ name: 'sign-in', go: at('/console') }]);
  await installation.close();
  rmSync(images, { recursive: true });

  async function visitAll(
    shown: Pick<Console, 'url'> & Partial<Pick<Console, 'cookie'>>,
    stops: readonly Stop[],
  ): Promise<void> {
    for (const { name: look, options } of LOOKS) {
      const context = await browser.newContext(options);
      if (shown.cookie !== undefined) await context.addCookies([shown.cookie]);
      for (const stop of stops)
        if (isWanted(`${stop.name}-${look}`)) await visit(context, shown.url, stop, look);
      await context.close();
    }
  }

  async function visit(context: BrowserContext, url: string, stop: Stop, look: string): Promise<void> {
    const page = await context.newPage();
    const shown = (await stop.go(page, url)) ?? page;
    const path = join(folder, `${stop.name}-${look}.png`);
    await shown.screenshot({ path, fullPage: true });
    for (const one of context.pages()) await one.close();
    process.stdout.write(`${path}\n`);
  }
}
