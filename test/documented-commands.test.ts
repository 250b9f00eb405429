/** The commands and settings that the pages for people name, held against the program. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Setting, SETTINGS } from '../src/app/settings/settings-table.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

const ROOT = join(import.meta.dirname, '..');
const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** Up to the end of the line, of the code, or to a comment. */
const COMMAND_LINE = /\bbin\/stayport ([^`#\n]+)/g;
const SETTING_ROW = /^\| (`[A-Z_`, ]+) \| ([^|]*) \|/gm;

/** `credential rotate` to the options that the pages give it. */
function documentedCommands(): Map<string, Set<string>> {
  const commands = new Map<string, Set<string>>();
  for (const page of [
    'README.md',
    'docs/operating.md',
    'docs/supply.md',
    'docs/console.md',
    'docs/traveller.md',
    'mcp/README.md',
  ]) {
    for (const [, line] of readText(page).matchAll(COMMAND_LINE)) {
      const [words] = line!.match(/^(?:[a-z][a-z-]*(?= |$) ?)+/) ?? [''];
      // A shell function that takes any command.
      if (words === '') continue;
      const options = commands.get(words.trim()) ?? new Set();
      for (const [option] of line!.matchAll(/--[a-z-]+/g)) options.add(option);
      commands.set(words.trim(), options);
    }
  }
  return commands;
}

describe('the calls of the pages that people start with', () => {
  it('name no date that will pass: the nights are counted from today', () => {
    for (const page of ['README.md', 'docs/contract.md']) {
      const text = readFileSync(join(import.meta.dirname, '..', page), 'utf8');
      const calls = text.split('\n').filter((line) => /^ {4}.*(?:curl|CHECK_IN|-d )/.test(line));
      assert.ok(calls.length > 3, page);
      for (const call of calls) assert.doesNotMatch(call, /\b20\d\d-\d\d-\d\d\b/, page);
    }
  });
});

describe('The commands on the pages', () => {
  const workplace = new WorkplaceHere();
  after(() => workplace.remove());
  const commands = documentedCommands();

  it('are found: more than ten', () => assert.ok(commands.size > 10, [...commands.keys()].join()));

  for (const [command, options] of commands) {
    it(`include ${command}, which has the options ${[...options].join(' ') || 'that all have'}`, async () => {
      const { code, stdout } = await workplace.run([...command.split(' '), '--help']);
      assert.equal(code, 0);
      assert.ok(stdout.startsWith(`Usage: stayport ${command} `), stdout);
      const unknown = [...options].filter((option) => !new RegExp(`${option}\\b`).test(stdout));
      assert.deepEqual(unknown, []);
    });
  }
});

describe('The settings on the page of operators', () => {
  const rows = [...readText('docs/operating.md').matchAll(SETTING_ROW)].map(([, names, defaults]) => ({
    names: [...names!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!),
    defaults: defaults!,
  }));

  it('are all that there are, and no others', () => {
    const documented = rows.flatMap(({ names }) => names);
    assert.deepEqual(
      documented.toSorted(),
      Object.values(SETTINGS)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it('have the defaults that the program has', () => {
    for (const { name, fallback = '' } of Object.values<Setting>(SETTINGS)) {
      const { defaults } = rows.find(({ names }) => names.includes(name))!;
      assert.ok(fallback === '' || defaults.includes(`\`${fallback}\``), `${name}: ${defaults}`);
    }
  });
});
