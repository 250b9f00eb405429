/** A person at a page, with a keyboard alone or with a mouse: what this person does is counted. */
import type { ElementHandle, Locator, Page } from 'playwright-core';

export type Means = 'keyboard' | 'mouse';

/** So many times Tab from where one is to what one wants; a page that needs more is not usable by keyboard. */
const TABS_MAX = 60;

/**
 * The keystroke-level model: seconds of an average person for a key, for pointing at something and pressing the
 * button of the mouse, and for thinking before each act (Card, Moran and Newell, Communications of the ACM 23:7, 1980).
 */
const MODEL = { keySeconds: 0.28, pointSeconds: 1.3, thinkSeconds: 1.35 };

type Wanted = ElementHandle<HTMLElement | SVGElement>;

export class Hands {
  /** Something pressed, ticked, filled in, chosen or moved; Tab is none. */
  acts = 0;
  /** Presses of the mouse, or of keys: Tab and arrows are among them, characters of a text are not. */
  presses = 0;
  readonly #page: Page;
  readonly means: Means;
  #keys = 0;
  #pointings = 0;

  constructor(page: Page, means: Means) {
    this.#page = page;
    this.means = means;
  }

  /** By the keystroke-level model, without waiting for the machine. */
  get minutes(): number {
    const { keySeconds, pointSeconds, thinkSeconds } = MODEL;
    return (this.#keys * keySeconds + this.#pointings * pointSeconds + this.acts * thinkSeconds) / 60;
  }

  /** A button, a link, or the heading of a fold. */
  async press(what: Locator): Promise<void> {
    this.acts += 1;
    await this.#activate(what, 'Enter');
  }

  async tick(box: Locator): Promise<void> {
    this.acts += 1;
    await this.#activate(box, ' ');
  }

  /** In place of what the field has. */
  async fill(field: Locator, text: string): Promise<void> {
    this.acts += 1;
    if (this.means === 'mouse') await this.point(field);
    else await this.reach(field);
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.keyboard.type(text);
    this.#keys += text.length + 1;
    if (this.means === 'keyboard') this.presses += 1;
  }

  /** Enter in the field that was filled in. */
  async send(): Promise<void> {
    await this.key('Enter');
  }

  /** A key that acts where the focus is. */
  async key(name: string): Promise<void> {
    this.acts += 1;
    await this.move(name);
  }

  /** A key that moves the focus, such as an arrow. */
  async move(name: string): Promise<void> {
    this.#keys += 1;
    this.presses += 1;
    await this.#page.keyboard.press(name);
  }

  async choose(
    field: Locator,
    files: string | { name: string; mimeType: string; buffer: Buffer },
  ): Promise<void> {
    this.acts += 1;
    const [chooser] = await Promise.all([
      this.#page.waitForEvent('filechooser'),
      this.#activate(field, 'Enter'),
    ]);
    await chooser.setFiles(files);
  }

  /** Opens the folds around something. */
  async unfold(what: Locator): Promise<void> {
    await what.first().waitFor({ state: 'attached' });
    const folds = this.#page.locator('details', { has: what });
    for (const fold of await folds.all())
      if ((await fold.getAttribute('open')) === null) await this.press(fold.locator(':scope > summary'));
  }

  async #activate(what: Locator, key: string): Promise<void> {
    if (this.means === 'mouse') return await this.point(what);
    await this.reach(what);
    await this.move(key);
  }

  async point(what: Locator, modifiers: readonly 'Shift'[] = []): Promise<void> {
    this.#pointings += 1;
    this.presses += 1;
    await what.click({ modifiers: [...modifiers] });
  }

  /** By the link within the page that saves most stops of Tab, if one does. */
  async #skip(what: Locator): Promise<void> {
    const shortcut = (await what.evaluateHandle(findShortcut)).asElement();
    if (shortcut === null) return;
    await this.#tabTo(shortcut);
    await this.move('Enter');
  }

  /** As a person does who sees where the focus is, and what lies before and behind it. */
  async reach(what: Locator): Promise<void> {
    await what.waitFor();
    await this.#skip(what);
    await this.#tabTo((await what.elementHandle())!);
  }

  async #tabTo(wanted: Wanted): Promise<void> {
    for (let tabs = 0; tabs <= TABS_MAX; tabs += 1) {
      const where = await wanted.evaluate((element) => {
        const active = document.activeElement!;
        if (active === element) return 'here';
        const isBefore = active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
        return isBefore ? 'before' : 'behind';
      });
      if (where === 'here') return;
      await this.move(where === 'before' ? 'Shift+Tab' : 'Tab');
    }
    throw new Error(`${TABS_MAX} times Tab do not lead to ${String(wanted)}`);
  }
}

/** Runs in the page: the link within it that leads there in the fewest stops; null: Tab alone does. */
function findShortcut(wanted: Element): HTMLElement | null {
  const focusable = document.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex]',
  );
  const stops = [...focusable].filter(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled, [type=hidden]') && one.checkVisibility(),
  );
  const isBehind = (one: Element, other: Element): boolean =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  /** Between two stops for what is none. */
  const placeOf = (one: Element): number =>
    stops.includes(one as HTMLElement)
      ? stops.indexOf(one as HTMLElement)
      : stops.filter((stop) => isBehind(stop, one)).length - 0.5;
  const active = document.activeElement!;
  const here = active === document.body ? -1 : placeOf(active);
  const there = placeOf(wanted);
  let shortest = Math.abs(there - here);
  let shortcut: HTMLElement | null = null;
  for (const link of stops.filter((stop) => stop.matches('a[href^="#"]')) as HTMLAnchorElement[]) {
    const target = document.getElementById(link.hash.slice(1));
    if (target === null) continue;
    const length = Math.abs(placeOf(link) - here) + 1 + Math.abs(there - placeOf(target));
    if (length >= shortest) continue;
    shortest = length;
    shortcut = link;
  }
  return shortcut;
}
