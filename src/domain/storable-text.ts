/**
 * Text that a column holds as it is, outside any JSON: well-formed Unicode without NUL. SQLite would replace a lone
 * surrogate silently, PostgreSQL refuses a NUL; code that takes such text in from outside has to refuse it before.
 */
export function assertStorableText(text: string): void {
  if (!text.isWellFormed() || text.includes('\0')) {
    throw new TypeError(`not storable as text: ${JSON.stringify(text.slice(0, 80))}`);
  }
}

/** Every text of such a row, its lists apart, must be storable as it is; throws a TypeError otherwise. */
export function assertStorableRow(row: object): void {
  for (const value of Object.values(row)) if (typeof value === 'string') assertStorableText(value);
}
