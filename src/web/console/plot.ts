/** Numbers by day as lines, drawn by uPlot from the table beneath: without script the table is all there is. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Content, type Html, html } from '../kit/html.ts';
import { consoleAsset } from './asset.ts';

/** A global of a classic script; as a module it has to be exported. */
const UPLOT_SOURCE = readFileSync(fileURLToPath(import.meta.resolve('uplot/dist/uPlot.iife.min.js')), 'utf8');
export const UPLOT_SCRIPT = consoleAsset('uplot.js', `${UPLOT_SOURCE}\nexport default uPlot;\n`);
const UPLOT_STYLE_SOURCE = readFileSync(
  fileURLToPath(import.meta.resolve('uplot/dist/uPlot.min.css')),
  'utf8',
);
const PLOT_SOURCE = readFileSync(join(import.meta.dirname, 'plot.js'), 'utf8');
export const PLOT_SCRIPT = consoleAsset(
  'plot.js',
  PLOT_SOURCE.replace('./uplot.js', `./${basename(UPLOT_SCRIPT.path)}`),
);
export const PLOT_STYLE = consoleAsset(
  'plot.css',
  `${UPLOT_STYLE_SOURCE}\n${readFileSync(join(import.meta.dirname, 'plot.css'), 'utf8')}`,
);

/** What a page with a plot loads. */
export const PLOT_PARTS = { scripts: [PLOT_SCRIPT.path], stylesheets: [PLOT_STYLE.path] };

/** `table` has a day in the first column, and a number in each other one. */
export function plotted(table: Content): Html {
  return html`<div data-plot>${table}</div>`;
}
