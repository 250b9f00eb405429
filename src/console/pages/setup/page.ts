/** `/console/setup`: what is done, and what is next. */
import { pageRow } from '../../web/page-row.ts';
import type { ShownBy } from '../../reading/console-page.ts';
import { type OtherWay, readSetup } from './read.ts';
import { breakable, html } from '../../../http/html/html.ts';
import { linkTo, type PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { SETUP_TEXTS } from './messages.ts';

const LOOKS = { done: 'good', next: 'warn', open: 'later', unknown: 'later' } as const;

export function setupPage(view: PageView, { rows }: ShownBy<typeof readSetup>): PageParts {
  const texts = SETUP_TEXTS[view.locale];
  const doneCount = rows.filter(({ state }) => state === 'done').length;
  return {
    title: view.messages.bar.setup,
    main: [
      html`<p>${texts.progress(doneCount, rows.length)}</p>`,
      html`<ol class="todo">
        ${rows.map(
          ({ step, state, count, path, otherPath }) =>
            html`<li class="${LOOKS[state]}" data-step="${step}" data-state="${state}">
              ${linkTo(view, path, texts.steps[step])} · ${texts.states[state]}
              ${count > 0 && html`(${step === 'prices' ? texts.unpriced(count) : texts.findings(count)})`}
              <small
                >${breakable(texts.hints[step])}
                ${otherPath !== undefined && linkTo(view, otherPath, texts.otherWays[step as OtherWay])}</small
              >
            </li> `,
        )}
      </ol>`,
    ],
  };
}

export const SETUP_PAGE = pageRow('setup', '/console/setup', readSetup, setupPage);
