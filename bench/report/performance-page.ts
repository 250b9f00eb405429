/**
 * docs/performance.md: the figures of the last full run stand between two marks; what people write around them stays.
 */
import { formatMachine } from '../machine/machine.ts';
import { isMet } from '../section.ts';
import { formatBar, formatValue } from './format-figure.ts';
import type { Report, SectionReport } from './report.ts';

const BEGIN = '<!-- figures: written by `npm run bench`, changes here are overwritten -->';
const END = '<!-- end of figures -->';
const FRESH_PAGE = `# Performance

\`npm run bench\` measures what this page says, in one run, and writes it here. How it measures: [bench/README.md](../bench/README.md).

${BEGIN}
${END}
`;

/** The page with the figures of this run in the place of the old ones. `page` is undefined when there was none. */
export function writePage(page: string | undefined, report: Report): string {
  const old = page ?? FRESH_PAGE;
  const begin = old.indexOf(BEGIN);
  const end = old.indexOf(END);
  if (begin === -1 || end < begin)
    throw new Error('docs/performance.md has lost the marks around its figures');
  return `${old.slice(0, begin + BEGIN.length)}\n\n${formatFigures(report)}\n${old.slice(end)}`;
}

function formatFigures(report: Report): string {
  const head = [
    `Measured on ${report.date.slice(0, 10)}: ${formatMachine(report.machine)}; ${report.pinning}; 50 kept-alive connections unless said otherwise.`,
  ];
  const { loadAverageAtStart } = report;
  if (loadAverageAtStart > 0.5) {
    const load = loadAverageAtStart.toFixed(1);
    head.push(
      '',
      `The machine was busy with other work (load average ${load} at the start): expect better figures on a quiet one.`,
    );
  }
  return [...head, '', ...report.sections.flatMap(formatSection)].join('\n');
}

function formatSection({ title, leftOut, figures, notes }: SectionReport): string[] {
  const lines = [`## ${title}`, ''];
  if (leftOut !== undefined) lines.push(`Left out: ${leftOut}.`, '');
  if (figures.length > 0) {
    lines.push('| what | measured | wanted | |', '|---|---:|---|---|');
    for (const figure of figures) {
      const met = { true: 'met', false: '**missed**', undefined: '' }[String(isMet(figure)) as 'true'];
      const value = formatValue(figure.value, figure.unit);
      lines.push(`| ${figure.what} | ${value} | ${formatBar(figure)} | ${met} |`);
    }
    lines.push('');
  }
  for (const note of notes) lines.push(note, '');
  return lines;
}
