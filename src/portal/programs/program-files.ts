/** Programs of the pages, as files: a fence for each language, with `{{names}}` in place of what differs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Snippet } from '../frame/code-tabs.ts';

const FENCES = { curl: 'sh', typescript: 'ts', python: 'python' } as const satisfies Record<
  keyof Snippet,
  string
>;

/** Texts with names to be filled. */
export interface Program extends Snippet {
  readonly file: string;
}

/** The program of `NAME.md` in this folder, in each language. */
export function readProgram(name: string): Program {
  const text = readText(name);
  return {
    file: `${name}.md`,
    curl: fenceOf(text, FENCES.curl),
    typescript: fenceOf(text, FENCES.typescript),
    python: fenceOf(text, FENCES.python),
  };
}

/** Throws where a name of the file has no value, or a value no name. */
export function fillProgram(
  { file, curl, typescript, python }: Program,
  values: Readonly<Record<string, string>>,
): Snippet {
  for (const name of Object.keys(values))
    if (![curl, typescript, python].some((text) => text.includes(`{{${name}}}`)))
      throw new Error(`${file} has no {{${name}}}`);
  return {
    curl: fillNames(curl, values),
    typescript: fillNames(typescript, values),
    python: fillNames(python, values),
  };
}

/** One that uses the client for TypeScript, and has nothing to be filled. */
export function readTypeScript(name: string): string {
  return fenceOf(readText(name), FENCES.typescript);
}

function readText(name: string): string {
  return readFileSync(join(import.meta.dirname, `${name}.md`), 'utf8');
}

function fenceOf(text: string, fence: string): string {
  const begin = `\n\`\`\`${fence}\n`;
  const start = text.indexOf(begin) + begin.length;
  return text.slice(start, text.indexOf('\n```', start));
}

/** Lines of a value are indented as the line that names it. */
function fillNames(program: string, values: Readonly<Record<string, string>>): string {
  return program
    .split('\n')
    .map((line) => {
      const [indent = ''] = /^ */.exec(line)!;
      return line.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
        const value = values[name];
        if (value === undefined) throw new Error(`{{${name}}} has no value`);
        return value.replaceAll('\n', `\n${indent}`);
      });
    })
    .join('\n');
}
