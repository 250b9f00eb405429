/**
 * Part of `npm run check`: lines of Markdown wrap at 120 columns, and words of a private dialect stay out of pages,
 * comments, messages and help texts. Doc comments begin with their subject.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';

const COLUMNS_MAX = 120;

/** Words to avoid, and better ones. */
const DIALECT: readonly { readonly pattern: RegExp; readonly better: string }[] = [
  { pattern: /\bmend(?:s|ed|ing)?\b/i, better: 'fix' },
  { pattern: /\banew\b/i, better: 'again' },
  { pattern: /\bwhoever\b/i, better: 'name who: the caller, the operator, the sender' },
  {
    pattern:
      /(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|later\b|other\b|different\b|such\b|faster\b|harm\b)[a-z]/,
    better: 'is not a',
  },
  { pattern: /\b(?:is|are) told as\b/i, better: 'is reported as, counts as' },
  { pattern: /\b(?:tells?|told) apart\b/i, better: 'distinguish' },
  { pattern: /\bbelieved?\b/i, better: 'trust, accept' },
  { pattern: /\bleads? nowhere\b/i, better: 'is unknown, is not mapped, does not resolve' },
  { pattern: /\bas (?:it|they) stands?\b/i, better: 'unchanged, as it is' },
  { pattern: /\bstands? behind\b/i, better: 'follows' },
  { pattern: /\bwho asks\b/i, better: 'the caller' },
  { pattern: /\bcomes? again\b/i, better: 'is repeated, tries again' },
  { pattern: /\b(?:a|no) say\b/i, better: 'may (not) change' },
  { pattern: /\bthe desk\b/i, better: 'manual override' },
  { pattern: /\bhouse of\b/i, better: 'name the thing' },
];

/** Comments here begin with their subject, not with a relative clause or a missing noun. */
const SUBJECT_FIRST = /^(?:src|scripts|test\/kit)\//;
const OPENING = /^\s*(?:\/\*\*(?:\s*\n\s*\*)?|\/\/) (?:What|Of) /gm;

const files = listFiles()
  .filter((path) => existsSync(path))
  .filter((path) => /\.(?:md|ts|css)$|^bin\/stayport$|^ops\//.test(path))
  .filter(
    (path) => !/^(?:bench\/results|test\/fixtures|sample)\//.test(path) && path !== 'scripts/check-words.ts',
  );

/** The files of the checkout; in a folder without git, such as an unpacked archive of the source, all but packages. */
function listFiles(): string[] {
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  if (listed.status === 0) return listed.stdout.split('\n');
  return globSync('**/*', { exclude: ['**/node_modules', '**/dist', 'data'] });
}

const findings = files.flatMap((path) => findingsIn(path, readFileSync(path, 'utf8')));
for (const finding of findings) process.stderr.write(`${finding}\n`);
if (findings.length > 0) process.exitCode = 1;

function findingsIn(path: string, text: string): string[] {
  const lines = text.split('\n');
  return [
    ...wordsIn(path, lines),
    ...(path.endsWith('.md') ? wideIn(path, lines) : []),
    ...(SUBJECT_FIRST.test(path) ? openingsIn(path, text) : []),
  ];
}

function openingsIn(path: string, text: string): string[] {
  return [...text.matchAll(OPENING)].map(
    ({ index }) =>
      `${path}:${text.slice(0, index).split('\n').length}: begin the comment with its subject, not "What" or "Of"`,
  );
}

function wordsIn(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) =>
    DIALECT.filter(({ pattern }) => pattern.test(line)).map(
      ({ pattern, better }) => `${path}:${index + 1}: "${pattern.exec(line)?.[0]}": write "${better}"`,
    ),
  );
}

/** Tables, code and lines of one long link can't be wrapped. */
function wideIn(path: string, lines: readonly string[]): string[] {
  let isCode = false;
  return lines.flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode;
    const isFixed = isCode || /^(?:\s*\||    |\s*[-*]? ?!?\[)/.test(line) || !line.trim().includes(' ');
    return isFixed || [...line].length <= COLUMNS_MAX
      ? []
      : [`${path}:${index + 1}: ${[...line].length} columns; wrap at ${COLUMNS_MAX}`];
  });
}
