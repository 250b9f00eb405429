/**
 * docs/performance.md: the figures of the last full run stand between two marks; what people write around them stays.
 */
import { formatMachine } from '../machine/machine.ts';
import { type Figure, isMet } from '../section.ts';
import { formatBar, formatValue, wrap } from './format-figure.ts';
import type { Report, SectionReport } from './report.ts';

const BEGIN = '<!-- figures: written by `npm run bench`, changes here are overwritten -->';
const END = '<!-- end of figures -->';
/** More figures of a section with the same bar are one row. */
const ALIKE_MAX = 3;

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
  lines.push(...formatBars(sections));
  return `${lines.join('\n')}\n`;
}

/** One table of all bars, and the sections that could not be measured. Other figures stay in `bench/results/`. */
function formatBars(sections: readonly SectionReport[]): string[] {
  const rows = sections.flatMap(({ name, figures }) =>
    Map.groupBy(
      figures.filter(({ bar }) => bar !== undefined),
      formatBar,
    )
      .values()
      .flatMap((alike) => (alike.length > ALIKE_MAX ? [formatWorst(name, alike)] : alike.map(rowOf(name))))
      .toArray(),
  );
  const leftOut = sections
    .filter((section) => section.leftOut !== undefined)
    .flatMap(({ title }) => [`**Not measured:** ${title}.`, '']);
  return ['| section | figure | measured | wanted | |', '|---|---|---:|---|---|', ...rows, '', ...leftOut];
}

function rowOf(section: string): (figure: Figure) => string {
  return (figure) => formatRow(section, figure.what, figure);
}

/** Figures with the same bar share a row: the worst of them. */
function formatWorst(section: string, alike: readonly Figure[]): string {
  const worst = alike.reduce((one, other) => (isWorse(other, one) ? other : one));
  return formatRow(section, `worst of ${alike.length}: ${worst.what}`, worst);
}

function isWorse(figure: Figure, than: Figure): boolean {
  return figure.bar?.is === 'at least' ? figure.value < than.value : figure.value > than.value;
}

function formatRow(section: string, what: string, figure: Figure): string {
  const verdict = isMet(figure) === true ? 'met' : '**missed**';
  return `| ${section} | ${what} | ${formatValue(figure.value, figure.unit)} | ${formatBar(figure)} | ${verdict} |`;
}
