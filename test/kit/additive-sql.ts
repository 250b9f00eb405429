/**
 * An allow-list for migrations while an older release uses the same database: tables, indexes and columns that it need
 * not know. Everything else is refused.
 */

/** Why each statement that the older release could feel is refused; empty: the migration only adds. */
export function findChangesOfOld(sql: string): readonly string[] {
  const statements = withoutComments(sql)
    .split(';')
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
  const created = new Set(statements.flatMap((text) => /^CREATE TABLE (\w+) /i.exec(text)?.[1] ?? []));
  return statements.flatMap((text) => {
    const problem = problemOf(text, created);
    return problem === undefined ? [] : [`${problem}: ${text}`];
  });
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--[^\n]*/g, '').replaceAll(/\/\*[\s\S]*?\*\//g, '');
}

function problemOf(text: string, created: ReadonlySet<string>): string | undefined {
  // Rows of the older release would be refused, or kept from being deleted.
  if (/\bREFERENCES\b/i.test(text)) return 'a reference ties rows of the older release';
  if (/^CREATE TABLE \w+ \(/i.test(text)) return undefined;
  const index = /^CREATE (UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?\w+ ON (\w+) /i.exec(text);
  if (index !== null)
    return index[1] === undefined || created.has(index[2] ?? '')
      ? undefined
      : 'a unique index tightens an old table';
  const insert = /^INSERT INTO (\w+) /i.exec(text);
  if (insert !== null) return created.has(insert[1] ?? '') ? undefined : 'rows of an old table change';
  const added = /^ALTER TABLE \w+ (ADD COLUMN .*)$/i.exec(text)?.[1];
  if (added === undefined) return 'only new tables, indexes, columns, and rows of new tables add';
  return added
    .split(/,\s*(?=(?:ADD|DROP|ALTER|RENAME)\b)/i)
    .map(columnProblem)
    .find((problem) => problem !== undefined);
}

function columnProblem(clause: string): string | undefined {
  if (!/^ADD COLUMN \w+ (?:\w+|\{\w+\})/i.test(clause)) return 'only ADD COLUMN adds';
  if (/\b(?:UNIQUE|CHECK|PRIMARY KEY)\b/i.test(clause)) return 'a constraint tightens an old table';
  if (/\bNOT NULL\b/i.test(clause) && !/\bDEFAULT\b/i.test(clause))
    return 'NOT NULL without a default refuses rows of the older release';
  return undefined;
}
