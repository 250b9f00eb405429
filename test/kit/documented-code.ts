/** The code of pages: blocks that are indented by four blanks, as a person pastes them. */

const INDENT = '    ';

/** The blocks below a heading, up to the next one of any level. */
export function codeBlocksOf(page: string, heading: string): readonly string[] {
  const start = page.indexOf(`\n${heading}`);
  if (start < 0) throw new Error(`no heading ${heading}`);
  const section = page.slice(start + 1).split(/\n(?=#+ )/)[0] ?? '';
  return blocksOf(section);
}

/** Every command of `bin/stayport` on the page, with lines that go on behind a `\` joined. */
export function commandLinesOf(page: string): readonly string[] {
  return blocksOf(page)
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .filter((line) => /^(?:[A-Z_]+=\S+ )*bin\/stayport /.test(line))
    .map((line) => line.replace(/\s+#.*$/, ''));
}

function blocksOf(text: string): readonly string[] {
  const blocks: string[][] = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    if (!line.startsWith(INDENT)) isInside = false;
    else {
      if (!isInside) blocks.push([]);
      blocks.at(-1)!.push(line.slice(INDENT.length));
      isInside = true;
    }
  }
  return blocks.map((lines) => lines.join('\n'));
}
