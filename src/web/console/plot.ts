/** Numbers by day as lines, drawn by uPlot from the table beneath: without script the table is all there is. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Content, type Html, html } from '../kit/html.ts';
import { consoleAsset } from './asset.ts';

const read = (url: string): string => readFileSync(fileURLToPath(url), 'utf8');
const OWN_SOURCE = readFileSync(join(import.meta.dirname, 'plot.js'), 'utf8');

/** A global of a classic script; as a module it has to be exported. */
export const UPLOT_SCRIPT = consoleAsset(
  'uplot.js',
  `${read(import.meta.resolve('uplot/dist/uPlot.iife.min.js'))}\nexport default uPlot;\n`,
);
export const PLOT_SCRIPT = consoleAsset(
  'plot.js',
  OWN_SOURCE.replace('./uplot.js', `./${basename(UPLOT_SCRIPT.path)}`),
);
export const PLOT_STYLE = consoleAsset('uplot.css', read(import.meta.resolve('uplot/dist/uPlot.min.css')));

/** What a page with a plot loads. */
export const PLOT_PARTS = { scripts: [PLOT_SCRIPT.path], stylesheets: [PLOT_STYLE.path] };

/** `table` has a day in the first column, and a number in each other one. */
export function plotted(table: Content): Html {
  return html`<div data-plot>${table}</div>`;
}
