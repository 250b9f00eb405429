/**
 * docs/performance.md: the figures of the last full run stand between two marks; what people write around them stays.
 */
import { formatMachine } from '../machine/machine.ts';
import { type Figure, isMet } from '../section.ts';
import { formatBar, formatValue, wrap } from './format-figure.ts';
import type { Report, SectionReport } from './report.ts';

const BEGIN = '<!-- figures: written by `npm run bench`, changes here are overwritten -->';
const END = '<!-- end of figures -->';
/** The page with the figures of this run in the place of the old ones. Throws when it does not say where they are. */
export function writePage(page: string, report: Report): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin)
    throw new Error('docs/performance.md has lost the marks around its figures');
  return `${page.slice(0, begin + BEGIN.length)}\n\n${formatFigures(report)}${page.slice(end)}`;
}

function formatFigures(report: Report): string {
  const { date, command, seconds, machine, pinning, loadAverageAtStart, sections } = report;
  const lines = [
    ...wrap(
      `Measured on ${date.slice(0, 10)} by \`${command}\`, which took ${(seconds / 60).toFixed(1)} minutes: ${formatMachine(machine)}; ${pinning}; 50 kept-alive connections unless stated otherwise.`,
    ),
    '',
  ];
  if (loadAverageAtStart > 0.5) {
    const load = loadAverageAtStart.toFixed(1);
    lines.push(
      ...wrap(
        `The machine was busy with other work (load average ${load} at the start): expect better figures on a quiet one.`,
      ),
      '',
    );
  }
  lines.push(...formatBars(sections), ...sections.flatMap(formatSection));
  return `${lines.join('\n')}\n`;
}

/** Everything that has a bar in one table, and what could not be measured. */
function formatBars(sections: readonly SectionReport[]): string[] {
  const figures = sections.flatMap((section) => section.figures.filter(({ bar }) => bar !== undefined));
  const leftOut = sections
    .filter((section) => section.leftOut !== undefined)
    .map(({ title }) => `**Not measured:** ${title}.`);
  return ['### The bars', '', ...formatTable(figures), ...leftOut.flatMap((line) => [line, ''])];
}

function formatSection({ title, leftOut, figures, notes }: SectionReport): string[] {
  return [
    `### ${title}`,
    '',
    ...(leftOut === undefined ? [] : [...wrap(`Left out: ${leftOut}.`), '']),
    ...formatTable(figures),
    ...notes.flatMap((note) => [...wrap(note), '']),
  ];
}

function formatTable(figures: readonly Figure[]): string[] {
  if (figures.length === 0) return [];
  const rows = figures.map((figure) => {
    const value = formatValue(figure.value, figure.unit);
    return `| ${figure.what} | ${value} | ${formatBar(figure)} | ${formatVerdict(figure)} |`;
  });
  return ['| what | measured | wanted | |', '|---|---:|---|---|', ...rows, ''];
}

function formatVerdict(figure: Figure): string {
  const met = isMet(figure);
  if (met === undefined) return '';
  return met ? 'met' : '**missed**';
}
