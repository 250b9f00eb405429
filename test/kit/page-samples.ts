/** The code samples of a page of documentation, as somebody copies them. */

/** Every sample, in the order of the page. */
export function samplesOf(page: string): readonly string[] {
  return [...page.matchAll(/<pre tabindex="0"[^>]*><code>([^]*?)<\/code>/g)].map(([, code = '']) =>
    textOf(code),
  );
}

/** The programs that are shown in several languages, by name and language: `search-python`. */
export function programsOf(page: string): ReadonlyMap<string, string> {
  const found = page.matchAll(/<pre tabindex="0" data-example="([^"]*)"><code>([^]*?)<\/code>/g);
  return new Map([...found].map(([, name = '', code = '']) => [name, textOf(code)]));
}

/** Without the marks of its colours. */
function textOf(code: string): string {
  const characters: Record<string, string> = {
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
    '#x27': "'",
    amp: '&',
  };
  return code
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|quot|#39|#x27|amp);/g, (_, name: string) => characters[name] ?? '');
}
