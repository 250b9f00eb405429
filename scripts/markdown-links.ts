/** Links of Markdown pages to files and headings beside them. Addresses such as `https://…` are none. */
import { posix } from 'node:path';

const LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;
const CODE_BLOCK = /^```[^]*?^```/gm;
const ADDRESS = /^[a-z]+:/;

export interface PageSet {
  /** Text of the page at this path; undefined for other files and for none. */
  readonly read: (path: string) => string | undefined;
  readonly has: (path: string) => boolean;
}

/** Targets of links of the page that lead to no file, or to no heading, as they are written. */
export function brokenLinks(page: string, pages: PageSet): string[] {
  const text = (pages.read(page) ?? '').replaceAll(CODE_BLOCK, '');
  return [...text.matchAll(LINK)].flatMap(([, , , target = '']) =>
    isBroken(target, page, pages) ? [target] : [],
  );
}

/** The page without links to files that are not among the pages: their text stays. */
export function withoutForeignLinks(text: string, page: string, { has }: Pick<PageSet, 'has'>): string {
  return text.replaceAll(LINK, (link, isPicture: string, words: string, target: string) => {
    if (ADDRESS.test(target) || has(pathOf(target, page))) return link;
    return isPicture === '' ? words : '';
  });
}

function isBroken(target: string, page: string, pages: PageSet): boolean {
  if (ADDRESS.test(target)) return false;
  const path = pathOf(target, page);
  if (!pages.has(path)) return true;
  const [, anchor] = target.split('#');
  const text = pages.read(path);
  return anchor !== undefined && text !== undefined && !anchorsOf(text).has(anchor);
}

function pathOf(target: string, page: string): string {
  const [path = ''] = target.split('#');
  return path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '');
}

/** As GitHub names headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(CODE_BLOCK, '').matchAll(/^#+ (.*)$/gm)) {
    const words = heading.replaceAll(LINK, '$2').trim().toLowerCase();
    const name = words.replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '').replaceAll(' ', '-');
    let anchor = name;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${name}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}
