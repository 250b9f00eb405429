/**
 * Every comparison of two revisions in the program. After a restore or a failover the database assigns the same numbers
 * to other writes, so two numbers may be compared only where both are known to be of one history. Each row says how
 * that is known. Comparisons in SQL are not listed: one statement sees one history.
 *
 * A new comparison fails here first. Compare marks with `isSameHistory` or `hasReached` (`storage/history/revision.ts`), or
 * ask the database with `readHistory` or `readMarks`, and then add a row.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';

const ROOT = join(import.meta.dirname, '..');

interface Row {
  readonly path: string;
  readonly compares: readonly string[];
  /** Why both numbers are of one history, or what is done about it if they are not. */
  readonly why: string;
}

const LIST: readonly Row[] = [
  {
    path: 'src/access/audit-events.ts',
    compares: ['old?.revision !== row.revision'],
    why:
      'Decides which rows are compared field by field for a line of the log. After a loss, a row that has ' +
      'the same number in both histories goes without its line; what may be done follows the rows ' +
      'themselves.',
  },
  {
    path: 'src/handoff/handoff-keys.ts',
    compares: [
      'b.revision - a.revision',
      'b.revision - a.revision',
      'row.revision > revision',
      'a.revision - b.revision',
    ],
    why: 'All rows are of one read of access.',
  },
  {
    path: 'src/partner/changes/catalogue-feed.ts',
    compares: [
      'place.revision > upTo',
      'revision < partnerRevision',
      'cursor.place.revision > upTo.revision',
      'revision <= upTo.revision',
      'Math.max(readTo.revision, cursor.seen.revision) <= upTo.revision',
      'Math.max(readTo.revision, cursor.seen.revision)',
      'seen.revision > cursor.seen.revision',
    ],
    why:
      "`ask` has the cursor's marks and, where it is not behind, the recent changes looked up in the " +
      'database (`continues`, `isStored`); `#begin` and `#catchUp` look up what they compared before they ' +
      'answer; the announcer forgets where it looked when a mark is lost.',
  },
  {
    path: 'src/partner/changes/recent-changes.ts',
    compares: [
      'one.revision !== other.revision',
      'one.revision < other.revision',
      'mark.revision <= upTo.revision',
      'Math.min(last.revision, now.revision)',
      'revision < known.upTo.revision',
      'revision === last.revision',
      'now.revision >= revision',
      'revision === upTo.revision',
      'change.revision > upTo',
    ],
    why:
      'Every mark that was compared is looked up once more in the database before the changes are kept ' +
      '(`seen`); places are compared for cursors whose marks were looked up; the states of memory are ' +
      'compared with their stamps.',
  },
  {
    path: 'src/partner/changes/sandbox-feed.ts',
    compares: ['now - revision', 'Math.max(now, revision)'],
    why: 'The sandbox has no database: its numbers are slices of the clock.',
  },
  {
    path: 'src/partner/content/content-cache.ts',
    compares: ['shown < content.revision', 'shown === content.revision'],
    why:
      'Entries from before a loss of history are not looked at (`lossCount`). Before the loss is noticed, ' +
      'one that memory does not show yet is reused for `AHEAD_MS_MAX`.',
  },
  {
    path: 'src/partner/quotes/find-offer.ts',
    compares: ['content?.revision !== stored.revision'],
    why:
      'Of the database as it is, but for terms that `ContentCache` remembers: those of a lost history pass for ' +
      'the same number until the loss is noticed.',
  },
  {
    path: 'src/partner/webhooks/announce-changes.ts',
    compares: [
      'committed === changesRevision',
      'committed === known?.committed',
      'known.from.revision >= changesRevision',
    ],
    why:
      'Both are of the database as it is; what was looked at is forgotten when the mark of the last round ' +
      'is lost.',
  },
  {
    path: 'src/read-model/catalogue/catalogue-reader.ts',
    compares: ['Math.max(revision, block.slots.revision(slot))'],
    why: 'Both are of one version of memory.',
  },
  {
    path: 'src/read-model/catalogue/catalogue-writer.ts',
    compares: ['held.open.block.slots.revision(held.slot) > change.revision'],
    why:
      'After a loss of history the intake forgets each held property before it takes the new one, ' +
      'whatever its number.',
  },
  {
    path: 'src/read-model/catalogue/index/block.ts',
    compares: ['given.revision >= this.slots.revision(slot)'],
    why: 'As in the writer, which forgot what was of another history.',
  },
  {
    path: 'src/read-model/following/catalogue-follower.ts',
    compares: [
      'history.revision === this.#appliedRevision',
      'revision > reached',
      'page.cursor.revision >= this.#cursor.revision',
    ],
    why:
      '`readHistory` and `readPropertyChanges` throw `HistoryLost` unless the database continues the ' +
      'history of the cursor.',
  },
  {
    path: 'src/read-model/following/follower.ts',
    compares: ['Math.min(revision, access.revision)', 'access.revision - revision'],
    why:
      'Shown to people as the lag. Each follower begins at 0 again when it notices a loss. A caller that ' +
      'waits for a revision asks with the history (`createRevisionReader`).',
  },
  {
    path: 'src/read-model/following/lag.ts',
    compares: [
      'this.#mark.revision > revision',
      'Math.max(this.#applied, revision)',
      'this.#applied < this.#mark.revision',
    ],
    why: 'The follower calls `lose` as soon as the history is another one; the lag begins at 0 then.',
  },
  {
    path: 'src/storage/access/access-mark.ts',
    compares: ['Math.max(newest, row.revision)', 'mark.revision === other.revision'],
    why:
      '`readAccessMark` throws `HistoryLost` unless the database continues the history of the rows that ' +
      'are known.',
  },
  {
    path: 'src/storage/catalogue/change-reads.ts',
    compares: [
      'found.row_revision === found.revision',
      'known?.rowRevision === revision',
      'mark.revision <= newest',
    ],
    why: 'The first two are of one statement; the third is compared together with the stamp.',
  },
  {
    path: 'src/storage/catalogue/change-row.ts',
    compares: [
      'row?.rowRevision === revision',
      'row?.rowRevision === revision',
      'row.contentRevision > revision',
      'view > revision',
      'row.calendarRevision > revision',
      '-view > revision',
    ],
    why: 'Two columns of one row, or a row with a place whose marks the feed has looked up.',
  },
  {
    path: 'src/storage/catalogue/sqlite.ts',
    compares: ['state?.revision !== kept.stored.revision'],
    why: 'A connection stays with the file that it opened, and the hash of the content is compared as well.',
  },
  {
    path: 'src/storage/copy/copy-database.ts',
    compares: ['(await readRevision(before)) !== (await readRevision(now))'],
    why:
      'The transaction that reads `before` is open all the time, and does not survive a restore or a ' +
      'failover.',
  },
  {
    path: 'src/storage/history/history.ts',
    compares: ['revision - Number(found.slice(0, end))', 'newest.revision < known.revision'],
    why: 'This is where the history is compared: by number and stamp.',
  },
  {
    path: 'src/storage/history/revision.ts',
    compares: ['one.revision === other.revision', 'one.revision > other.revision'],
    why: 'Compares the stamp at equal numbers. For a higher number the caller has asked the database.',
  },
  {
    path: 'src/storage/site/sql.ts',
    compares: ['newestOf(stored) !== basedOn'],
    why:
      'Saving settings on a page from before a restore: its fields are written as they were sent, and ' +
      'noted in the audit trail.',
  },
  {
    path: 'src/storage/site/store.ts',
    compares: ['Math.max(newest, revision)'],
    why: 'All rows are of one read.',
  },
  {
    path: 'src/supply/messages/supply-context.ts',
    compares: ['reached < revision'],
    why: 'The number that is reached counts only if the database continues its history (`readHistory`).',
  },
  {
    path: 'src/supply/published/calendar-cache.ts',
    compares: ['shown <= calendar.revision'],
    why: 'Entries from before a loss of history are not looked at (`lossCount`).',
  },
  {
    path: 'src/supply/published/watch-published.ts',
    compares: [
      'newest.revision > known.revision',
      'Math.max(table.revision, newest.revision)',
      'Math.max(this.revision, revision)',
    ],
    why: '`readNewest` asks with the history of what is known; after a loss a new table is read.',
  },
];

const ORDERS: ReadonlySet<string> = new Set(['<', '>', '<=', '>=', '===', '!==', '-']);

type Node = Parameters<NonNullable<ConstructorParameters<typeof Visitor>[0]['BinaryExpression']>>[0]['right'];

/** The last name of an operand: `revision` of `known.upTo.revision`, of `readRevision()`, of `this.#revision`. */
function lastNameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression')
    return 'name' in node.property ? String(node.property.name) : undefined;
  if (node.type === 'CallExpression') return lastNameOf(node.callee as Node);
  if (node.type === 'AwaitExpression') return lastNameOf(node.argument as Node);
  const isWrapped =
    node.type === 'ChainExpression' ||
    node.type === 'ParenthesizedExpression' ||
    node.type === 'TSNonNullExpression';
  return isWrapped ? lastNameOf(node.expression as Node) : undefined;
}

/** The comparisons of a text, as written. */
function findComparisons(path: string, text: string): string[] {
  const { program } = parseSync(path, text);
  // Whatever they are called: parameters, variables and members of the type.
  const declared = new Set<string>();
  for (const [, name] of text.matchAll(/(\w{1,60})\??: (?:\(\) => )?Revision\b(?!\[)/g)) declared.add(name!);
  const isRevision = (node: Node): boolean => {
    const name = lastNameOf(node);
    if (name === undefined) return false;
    return /revision$/i.test(name) || (node.type === 'Identifier' && declared.has(name));
  };
  const found: string[] = [];
  const isValue = ({ type, ...rest }: Node): boolean =>
    type === 'Literal' ||
    (type === 'Identifier' && 'name' in rest && /^(?:undefined|[A-Z_]+)$/.test(String(rest.name)));
  new Visitor({
    BinaryExpression({ operator, left, right, start, end }) {
      if (!ORDERS.has(operator) || isValue(left as Node) || isValue(right)) return;
      if (isRevision(left as Node) || isRevision(right)) found.push(text.slice(start, end));
    },
    CallExpression({ callee, arguments: given, start, end }) {
      const of = text.slice(callee.start, callee.end);
      if (!/^Math\.(?:max|min)$/.test(of)) return;
      const named = given.filter((one) => one.type !== 'SpreadElement' && isRevision(one));
      if (named.length > 0 && !given.some((one) => isValue(one as Node))) found.push(text.slice(start, end));
    },
  }).visit(program);
  return found.map((one) => one.replaceAll(/\s+/g, ' '));
}

function findAll(): Map<string, string[]> {
  const paths = globSync('src/**/*.ts', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.test.ts'))
    .sort();
  const all = paths.map(
    (path) => [path, findComparisons(path, readFileSync(join(ROOT, path), 'utf8'))] as const,
  );
  return new Map(all.filter(([, found]) => found.length > 0));
}

describe('Comparisons of revisions', () => {
  it('are found however the numbers are named and reached', () => {
    const text = `
      function later(one: Revision, place: { revision: number }, from: string) {
        if (one < place.revision || from === 'x') return Math.max(place.revision, one);
        const isNone = place.revision === undefined || place.revision > 0;
        return (await storage.readRevision()) !== newest || known?.from.revision >= 7 + one || this.#appliedRevision - one;
      }`;
    assert.deepEqual(findComparisons('x.ts', text), [
      'one < place.revision',
      'Math.max(place.revision, one)',
      '(await storage.readRevision()) !== newest',
      'known?.from.revision >= 7 + one',
      'this.#appliedRevision - one',
    ]);
  });

  it('are all in the list, each with a reason', () => {
    const listed = Object.fromEntries(LIST.map(({ path, compares }) => [path, compares]));
    assert.deepEqual(Object.fromEntries(findAll()), listed);
    assert.deepEqual(
      LIST.map(({ path }) => path).filter((path, index, all) => all.indexOf(path) !== index),
      [],
      'a file has one row',
    );
    assert.ok(LIST.every(({ why }) => why.length > 20));
  });
});
