/**
 * Answers for people: a list of named values, or a table.
 */

type Cell = string | number | boolean | null | readonly string[];

/** One `name  value` line per entry, values in one column. */
export function formatFields(fields: Readonly<Record<string, Cell>>): string {
  const width = Math.max(0, ...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}`.trimEnd())
    .join('\n');
}

/** Columns in the order of `columns`, with a line of names above; `empty` when there are no rows. */
export function formatTable<Row extends Readonly<Record<Column, Cell>>, Column extends string>(
  columns: readonly Column[],
  rows: readonly Row[],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const lines = [
    columns as readonly string[],
    ...rows.map((row) => columns.map((column) => formatCell(row[column]))),
  ];
  // Not one call of Math.max: its arguments are on the stack, which has no room for those of a long table.
  const widths = columns.map((_, index) =>
    lines.reduce((width, line) => Math.max(width, line[index]?.length ?? 0), 0),
  );
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function formatCell(value: Cell): string {
  if (value === null) return '-';
  if (typeof value === 'object') return value.length === 0 ? '-' : value.join(' ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // Names from before there were rules for them hold anything; a row is a line.
  return String(value).replaceAll('\n', '\\n');
}
