/** `/console/setup`: what is done, and what is next. */
import type { ShownBy } from '../../console/console-page.ts';
import type { readSetup } from '../../console/setup.ts';
import { html } from '../kit/html.ts';
import { linkTo, type PageView } from './elements.ts';
import type { PageParts } from './frame.ts';

export function setupPage(view: PageView, { rows }: ShownBy<typeof readSetup>): PageParts {
  const { setup: texts } = view.messages;
  const doneCount = rows.filter(({ state }) => state === 'done').length;
  return {
    title: texts.title,
    main: [
      html`<p>${texts.progress(doneCount, rows.length)}</p>`,
      html`<ol class="todo">
        ${rows.map(
          ({ step, state, count, path }) =>
            html`<li class="${state === 'done' ? 'good' : 'warn'}" data-step="${step}" data-state="${state}">
              ${linkTo(view, path, texts.steps[step])} · ${texts.states[state]}
              ${count > 0 && html`(${texts.failing(count)})`} <br /><small>${texts.hints[step]}</small>
            </li> `,
        )}
      </ol>`,
    ],
  };
}
