/** `/console`: what needs a person. */
import type { TodayItem, TodayShown } from '../../console/today.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { dateText, linkTo, named, type PageView, timeText } from './elements.ts';
import type { PageParts } from './frame.ts';

export function todayPage(view: PageView, { rows }: TodayShown): PageParts {
  const { today, bar } = view.messages;
  const list = html`<ol class="todo">
    ${rows.map((item) => itemOf(view, item))}
  </ol>`;
  return { title: bar.today, main: rows.length === 0 ? html`<p class="good">${today.allWell}</p>` : list };
}

/** Values that are not said as they are. */
const WORDINGS: Readonly<Record<string, (view: PageView, value: string) => Content>> = {
  reason: (_view, text) => html`<span lang="en">${text}</span>`,
  since: timeText,
  until: timeText,
  checkIn: dateText,
  nights: ({ messages }, count) => messages.nights(Number(count)),
  guests: ({ messages }, count) => messages.guests(Number(count)),
};

function itemOf(view: PageView, { what, subject, values, path }: TodayItem): Html {
  const said = Object.entries(values).map(([name, value]) => [
    name,
    WORDINGS[name]?.(view, String(value)) ?? value,
  ]);
  const text = view.messages.today.says[what](named(subject), Object.fromEntries(said));
  return html`<li class="${what === 'notReady' ? 'bad' : 'warn'}" data-what="${what}">
    ${linkTo(view, path, text)}
  </li>`;
}
