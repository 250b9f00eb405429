/** HTML as values: what is put into a template is escaped, unless it is HTML itself. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** html`<p>${'a < b'}</p>` is `<p>a &lt; b</p>`; lists are put in one after the other. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = strings[0] ?? '';
  for (const [index, content] of contents.entries()) text += textOf(content) + (strings[index + 1] ?? '');
  return new Html(text);
}

/** A long name with the places at which a narrow screen may end a line: after what joins its words. */
export function breakable(text: string): Content {
  return text.split(/(?<=[_/.:=?&@,-])/).map((part, index) => (index === 0 ? part : html`<wbr />${part}`));
}

/** A name of a program's, within a sentence. */
export function codeText(text: string): Html {
  return html`<code>${breakable(text)}</code>`;
}

/** Text in which `backticks` mark code, as descriptions of the contract are written. */
export function prose(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? codeText(part) : html`${part}`));
}

const CHARACTERS = new Map(Object.entries(ESCAPES).map(([character, entity]) => [entity, character]));

/** What was escaped by a template, as it was before. */
export function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS.get(entity) ?? entity);
}

function textOf(content: Content): string {
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
