/** `/console/setup`: the next step with its button, what is done, and what is left. */
import { pageRow } from '../../web/page-row.ts';
import type { ShownBy } from '../../reading/console-page.ts';
import { countDone, type OtherWay, readSetup, type SetupRow } from './read.ts';
import { breakable, type Content, type Html, html } from '../../../http/html/html.ts';
import { linkButton, linkTo, type PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { SETUP_TEXTS } from './messages.ts';

export function setupPage(view: PageView, { rows }: ShownBy<typeof readSetup>): PageParts {
  const texts = SETUP_TEXTS[view.locale];
  const next = rows.find(({ state }) => state === 'next');
  return {
    title: view.messages.bar.setup,
    act: next && { path: next.path, text: texts.buttons[next.step], isInPage: true },
    main: [
      progressBar(view, countDone(rows), rows.length),
      html`<ol class="steps-to-do">
        ${rows.map(
          (row) =>
            html`<li data-step="${row.step}" data-state="${row.state}">
              ${row.state === 'next' ? nextStep(view, row) : stepLine(view, row)}
            </li> `,
        )}
      </ol>`,
    ],
  };
}

export function progressBar({ locale }: PageView, doneCount: number, stepCount: number): Html {
  const text = SETUP_TEXTS[locale].progress(doneCount, stepCount);
  return html`<p class="progress">
    <progress max="${stepCount}" value="${doneCount}" aria-label="${text}"></progress> <span>${text}</span>
  </p>`;
}

/** The step with what it is for, its button, and the other way to do it. */
export function nextStep(view: PageView, { step, path, otherPath, connectPath, count }: SetupRow): Html {
  const texts = SETUP_TEXTS[view.locale];
  return html`<div class="card">
    <h2>${texts.steps[step]}</h2>
    <p>${breakable(texts.hints[step])} ${countText(view, step, count)}</p>
    <p class="acts">
      ${linkButton(view, path, texts.buttons[step], 'act')}
      ${otherPath !== undefined && linkTo(view, otherPath, texts.otherWays[step as OtherWay])}
      ${connectPath !== undefined && linkTo(view, connectPath, texts.connect)}
    </p>
  </div>`;
}

function stepLine(view: PageView, { step, state, path, connectPath, count }: SetupRow): Html {
  const texts = SETUP_TEXTS[view.locale];
  return html`${linkTo(view, path, texts.steps[step])}
    <span class="sr-only">${texts.states[state]}</span>
    ${state !== 'done' && html`<small>${countText(view, step, count) || (state === 'unknown' && texts.states.unknown)} ${connectPath !== undefined && linkTo(view, connectPath, texts.connect)}</small>`}`;
}

function countText({ locale }: PageView, step: SetupRow['step'], count: number): Content {
  const texts = SETUP_TEXTS[locale];
  return count > 0 && (step === 'prices' ? `${texts.unpriced(count)}.` : `${texts.findings(count)}.`);
}

export const SETUP_PAGE = pageRow('setup', '/console/setup', readSetup, setupPage);
