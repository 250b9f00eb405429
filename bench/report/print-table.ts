/** The table on the terminal. */
import { formatMachine } from '../machine/machine.ts';
import { isMet } from '../section.ts';
import { formatBar, formatValue } from './format-figure.ts';
import type { Report } from './report.ts';

export function formatTable(report: Report): string {
  const rows: string[][] = [];
  for (const section of report.sections) {
    rows.push([`${section.name}: ${section.title}`]);
    if (section.leftOut !== undefined) rows.push([`  left out: ${section.leftOut}`]);
    for (const figure of section.figures) {
      rows.push([
        `  ${figure.what}`,
        formatValue(figure.value, figure.unit),
        formatBar(figure),
        verdict(isMet(figure)),
      ]);
    }
    for (const note of section.notes) rows.push([`  (${note})`]);
  }
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.filter((row) => row.length > 1).map((row) => row[column]!.length), 0),
  );
  const lines = rows.map(([what = '', value, bar = '', met = '']) =>
    value === undefined
      ? what
      : `${what.padEnd(widths[0]!)}  ${value.padStart(widths[1]!)}  ${bar.padEnd(widths[2]!)}  ${met}`.trimEnd(),
  );
  return [formatMachine(report.machine), `${report.date}, ${report.pinning}`, '', ...lines, ''].join('\n');
}

function verdict(met: boolean | undefined): string {
  if (met === undefined) return '';
  return met ? 'met' : 'MISSED';
}
