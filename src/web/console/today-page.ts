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
      ${sentence(view, item)} ${linkTo(view, item.path, texts.acts[item.what])}
    </li>`;
  });
  return {
    title: bar.today,
    main:
      items.length === 0
        ? html`<p class="good">${texts.allWell}</p>`
        : html`<ol class="todo">
            ${items}
          </ol>`,
  };
}

function sentence(view: PageView, { what, subject, values }: TodayItem): Content {
  const { nights, guests, today } = view.messages;
  const { says } = today;
  const name = named(subject);
  const text = (key: string): string => String(values[key]);
  switch (what) {
    case 'notReady':
      return says.notReady(text('reason'));
    case 'heldFeed':
      return says.heldFeed(name);
    case 'failingFeed':
      return says.failingFeed(name, text('reason'));
    case 'silentSource':
      return says.silentSource(name, timeText(view, text('since')));
    case 'expiringCredential':
      return says.expiringCredential(name, timeText(view, text('until')));
    case 'errorsRose':
      return says.errorsRose(name, text('code'), Number(values['count']), Number(values['before']));
    case 'unmetDemand': {
      const stay = `${nights(Number(values['nights']))}, ${guests(Number(values['guests']))}`;
      return says.unmetDemand(name, dateText(view, text('checkIn')), stay, Number(values['count']));
    }
  }
}
