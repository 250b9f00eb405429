import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { fillProgram, readProgram, readTypeScript } from './program-files.ts';

const FOLDER = import.meta.dirname;
const NAMES = globSync('*.md', { cwd: FOLDER }).map((path) => basename(path, '.md'));
/** For those who have the client for TypeScript. */
const OF_CLIENT = new Set(['follow-changes', 'verify-webhook']);

describe('program files', () => {
  it('have a program in each language, or one for the client', () => {
    for (const name of NAMES) {
      if (OF_CLIENT.has(name)) assert.match(readTypeScript(name), /^\w/);
      else for (const text of Object.values(filledByNames(name))) assert.match(text, /^\w/, name);
    }
  });

  it('keep the indentation of the line for all lines of a value', () => {
    const body = '{\n  "guests": 2\n}';
    const { python } = fillProgram(readProgram('quote'), { api: 'https://api', body });
    assert.match(python, /\n {4}data=json\.dumps\(\{\n {6}"guests": 2\n {4}\}\)\.encode\(\),\n/);
  });

  it('refuse a name without a value, and a value without a name', () => {
    const program = readProgram('first-call');
    assert.throws(() => fillProgram(program, { api: 'https://api' }), /\{\{city\}\} has no value/);
    assert.throws(
      () => fillProgram(program, { api: 'https://api', city: 'Rome', guests: '2' }),
      /first-call\.md has no \{\{guests\}\}/,
    );
  });
});

function filledByNames(name: string) {
  const text = readFileSync(join(FOLDER, `${name}.md`), 'utf8');
  const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, found]) => [found!, found!] as const);
  return fillProgram(readProgram(name), Object.fromEntries(names));
}
