/**
 * Every regular expression of the program, against the worst texts that can be found for it. `recheck` judges each by
 * its automaton, or counts the steps of a backtracking matcher on texts that it makes: nothing here measures time. It
 * was taken because it also knows patterns that begin anywhere in a text, look-behind and counted repetitions.
 *
 * A pattern must take steps in proportion to its text, whatever bound that has. One that does not is rewritten, unless it
 * reads texts of this repository alone.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';

const ROOT = join(import.meta.dirname, '..');
/** They read texts of this repository alone, such as its documentation, when a process starts. */
const READS_OWN_TEXT: ReadonlySet<string> = new Set([
  'src/portal/frame/highlight.ts',
  'src/portal/frame/search-pages.ts',
  'src/traveller/web/assets.ts',
]);

/** Patterns that are put together: the modules that do so when they are loaded. */
const MADE_ON_LOADING: readonly string[] = [
  'src/operator/listener/supply-query.ts',
  'src/contract/reading/field-rules.ts',
  'src/domain/layers.ts',
  'src/domain/money.ts',
  'src/domain/place-name.ts',
  'src/domain/property-details.ts',
  'src/domain/property.ts',
  'src/domain/text-direction.ts',
  'src/portal/frame/highlight.ts',
  'src/supply/sheet/encodings.ts',
  'src/supply/spreadsheet/cell.ts',
];

/** Those that are put together later, each with an example. */
const MADE_LATER: Readonly<Record<string, string>> = {
  'src/contract/reading/router.ts': String.raw`^/console/properties/([^/]*)/nights/([^/]*)/([^/]*)$`,
  'src/limits/inspect-redis.ts': String.raw`^redis_version:(.*?)\r?$`,
  // In the browser, of the words that its own reader types.
  'src/portal/frame/docs-page.js': '(quote|stays)',
};

interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** `src/domain/money.ts:17` */
  readonly place: string;
}

const paths = globSync('{src,mcp/src,sdk/src}/**/*.{ts,js}', { cwd: ROOT })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.ts'));
const found = paths.map((path) => ({ path, ...findPatterns(path) }));

function findPatterns(path: string): { readonly literals: readonly Pattern[]; readonly isMaker: boolean } {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const literals: Pattern[] = [];
  let isMaker = false;
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const line = text.slice(0, node.start).split('\n').length;
      literals.push({ source: node.regex.pattern, flags: node.regex.flags, place: `${path}:${line}` });
    },
    NewExpression({ callee }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') isMaker = true;
    },
  }).visit(parseSync(path, text).program);
  return { literals, isMaker };
}

/** Empty: its steps grow no faster than its text. */
async function findFault({ source, flags, place }: Pattern): Promise<string> {
  // A difference of sets of characters is one character, like the set itself.
  const known = flags.includes('v') ? source.replaceAll(/--\[[^\]]*\]/g, '') : source;
  const { status, ...rest } = await check(known, flags.replace('v', 'u'), {
    randomSeed: 20_261_128,
    timeout: null,
  });
  if (status === 'safe') return '';
  const why = 'attack' in rest && rest.attack !== undefined ? rest.attack.pattern : JSON.stringify(rest);
  return `${place}: ${source} is slow on ${why}`;
}

async function findFaults(patterns: Iterable<Pattern>): Promise<string[]> {
  const faults: string[] = [];
  for (const pattern of patterns) {
    const fault = await findFault(pattern);
    if (fault !== '') faults.push(fault);
  }
  return faults;
}

/** What `import` makes by `new RegExp`; equal ones once. */
async function patternsMadeBy(path: string): Promise<readonly Pattern[]> {
  const made = new Map<string, Pattern>();
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct(target, given: [string, string?]) {
      const pattern = new target(...given);
      const { source, flags } = pattern;
      made.set(`/${source}/${flags}`, { source, flags, place: path });
      return pattern;
    },
  });
  try {
    // As if it had not been loaded before.
    await import(`${join(ROOT, path)}?made`);
  } finally {
    globalThis.RegExp = original;
  }
  return [...made.values()];
}

describe('Patterns', () => {
  it('that are slow on some text are found', async () => {
    const slow = [String.raw`[\s_.-]*\(?\d{1,4}\)?$`, String.raw`\s+$`, '(a|a)*b', '^(a+)+$', 'a.*b.*c$'];
    const patterns = slow.map((source) => ({ source, flags: '', place: 'here' }));
    assert.equal((await findFaults(patterns)).length, slow.length);
    assert.deepEqual(await findFaults([{ source: String.raw`^(\w+)-\d{1,4}$`, flags: '', place: '' }]), []);
  });

  it('that are written take steps in proportion to their text', async () => {
    const literals = found.flatMap((file) => file.literals);
    assert.ok(literals.length > 250, String(literals.length));
    const distinct = new Map(
      literals
        .filter(({ place }) => !READS_OWN_TEXT.has(place.replace(/:\d{1,6}$/, '')))
        .map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]),
    );
    assert.deepEqual(await findFaults(distinct.values()), []);
  });

  it('that are put together are all known', () => {
    const makers = found.filter(({ isMaker }) => isMaker).map(({ path }) => path);
    assert.deepEqual(makers.toSorted(), [...MADE_ON_LOADING, ...Object.keys(MADE_LATER)].toSorted());
  });

  it('that are put together take steps in proportion to their text', async () => {
    const ofFields = await patternsMadeBy('src/contract/partner/extra-operations.ts');
    const later = Object.entries(MADE_LATER).map(([place, source]) => ({ place, source, flags: 'm' }));
    const faults = await findFaults([...ofFields, ...later]);
    for (const path of MADE_ON_LOADING)
      if (!READS_OWN_TEXT.has(path)) faults.push(...(await findFaults(await patternsMadeBy(path))));
    assert.deepEqual(faults, []);
  });
});
