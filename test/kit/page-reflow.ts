/** How a page looks on a narrow screen to somebody who made its text twice as large (WCAG 2.2, 1.4.4 and 1.4.10). */
import type { CDPSession, Page } from 'playwright-core';

const HEIGHT = 844;
const USUAL_PX = 16;
const DOUBLE_PX = 2 * USUAL_PX;

/**
 * Each way that text becomes twice as large: a style that doubles the root, the setting of the browser for its
 * standard size, and a zoom, which leaves half the pixels of the screen.
 */
export const ENLARGEMENTS = ['root', 'setting', 'zoom'] as const;
export type Enlargement = (typeof ENLARGEMENTS)[number];

/** How a page shows itself by now: to change nothing costs as much as a change. */
interface Shown {
  readonly session: CDPSession;
  standardPx: number;
}

const shownPages = new WeakMap<Page, Promise<Shown>>();

async function shownOf(page: Page): Promise<Shown> {
  const opening = async (): Promise<Shown> => ({
    session: await page.context().newCDPSession(page),
    standardPx: USUAL_PX,
  });
  const shown = shownPages.get(page) ?? opening();
  shownPages.set(page, shown);
  return shown;
}

/** Makes the text of the page twice as large on a screen of this width. */
export async function enlarge(page: Page, width: number, how: Enlargement): Promise<void> {
  const standardPx = how === 'setting' ? DOUBLE_PX : USUAL_PX;
  const shown = await shownOf(page);
  if (shown.standardPx !== standardPx) {
    await shown.session.send('Page.setFontSizes', { fontSizes: { standard: standardPx } });
    shown.standardPx = standardPx;
  }
  await page.setViewportSize({ width: how === 'zoom' ? width / 2 : width, height: HEIGHT });
  const root = how === 'root' ? `${DOUBLE_PX}px` : '';
  await page.evaluate(`document.documentElement.style.fontSize = '${root}'`);
}

/** The page on a screen of this width, as its text is unless somebody enlarges it. */
export async function showAsUsual(page: Page, width: number): Promise<void> {
  await enlarge(page, width * 2, 'zoom');
}

/** Faults of the text on the screen, in words; empty without any. */
export async function textFaults(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(${FIND_FAULTS})()`)) as readonly string[];
}

/**
 * Runs in the page. A word that would fit on the screen stands on one line, unless it has an end of a line of its own,
 * such as a hyphen; text stays within the screen; a day of the calendar stays within its cell.
 */
const FIND_FAULTS = `function () {
  const root = document.documentElement;
  const faults = [];
  if (root.scrollWidth > root.clientWidth) faults.push('scrolls sideways: ' + root.scrollWidth + ' of ' + root.clientWidth);
  const isShown = (element) =>
    element.checkVisibility() && element.closest('.said, .sr-only, .screenreader-only, .skip, pre, svg, option') === null;
  const scrolls = (element) => {
    for (let at = element; at !== null && at !== document.body; at = at.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const boxesOf = (node, from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  const WORD = /[\\p{L}\\p{M}\\p{N}]+(?:[.,:’'][\\p{L}\\p{M}\\p{N}]+)*/gu;
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!isShown(node.parentElement)) continue;
    for (const { 0: word, index } of node.data.matchAll(WORD)) {
      const boxes = boxesOf(node, index, index + word.length);
      const width = boxes.reduce((sum, box) => sum + box.width, 0);
      const lines = new Set(boxes.map(({ bottom }) => Math.round(bottom)));
      if (lines.size > 1 && width < root.clientWidth * ROOM) faults.push('broken: ' + word);
      const isOutside = boxes.some(({ left, right }) => right > root.clientWidth + 1 || left < -1);
      if (isOutside && !scrolls(node.parentElement)) faults.push('outside: ' + word);
    }
  }
  for (const cell of document.querySelectorAll('.nights td')) {
    const { left, right } = cell.getBoundingClientRect();
    const time = cell.querySelector('time');
    const boxes = [time.firstChild, time.querySelector('small')?.firstChild ?? undefined]
      .filter((node) => node !== undefined)
      .map((node) => boxesOf(node, 0, node.data.length));
    const isSplit = boxes.some(({ length }) => length !== 1);
    const isOutside = boxes.flat().some((box) => box.left < left - 1 || box.right > right + 1);
    const isBeside = boxes.length === 2 && boxes[0][0].bottom > boxes[1][0].bottom - 1;
    if (isSplit || isOutside || isBeside) faults.push('day: ' + time.textContent);
  }
  return faults;
}`.replace('ROOM', '0.78');

/** Words of cells that stand on two lines; longer ones may have no room on any. */
const WORD_LENGTH_MAX = 20;
const BROKEN_WORDS = `(() => {
  const broken = [];
  for (const cell of document.querySelectorAll('td, th')) {
    const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode())
      for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        if (word.length > ${WORD_LENGTH_MAX}) continue;
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (range.getClientRects().length > 1) broken.push(text.data);
      }
  }
  return broken;
})()`;

/** Texts of table cells with a word that is broken between its letters. */
export async function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(BROKEN_WORDS);
}
