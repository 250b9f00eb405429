/** `/console`: what needs a person. */
import type { TodayItem, TodayShown } from '../../console/today.ts';
import { type Content, html } from '../kit/html.ts';
import { dateText, linkTo, named, type PageView, timeText } from './elements.ts';
import type { PageParts } from './frame.ts';

export function todayPage(view: PageView, { rows }: TodayShown): PageParts {
  const { today: texts, bar } = view.messages;
  const items = rows.map((item) => {
    const look = item.what === 'notReady' ? 'bad' : 'warn';
    return html`<li class="${look}" data-what="${item.what}">
      ${texts.says[item.what](named(item.subject), saidOf(view, item))}
      ${linkTo(view, item.path, texts.acts[item.what])}
    </li>`;
  });
  const list = html`<ol class="todo">
    ${items}
  </ol>`;
  return { title: bar.today, main: items.length === 0 ? html`<p class="good">${texts.allWell}</p>` : list };
}

/** Values that are not said as they are. */
const WORDINGS: Readonly<Record<string, (view: PageView, value: string) => Content>> = {
  since: timeText,
  until: timeText,
  checkIn: dateText,
  nights: ({ messages }, count) => messages.nights(Number(count)),
  guests: ({ messages }, count) => messages.guests(Number(count)),
};

function saidOf(view: PageView, { values }: TodayItem): Readonly<Record<string, Content>> {
  const said = Object.entries(values).map(([name, value]) => {
    const { [name]: wording } = WORDINGS;
    return [name, wording === undefined ? value : wording(view, String(value))];
  });
  return Object.fromEntries(said) as Readonly<Record<string, Content>>;
}
