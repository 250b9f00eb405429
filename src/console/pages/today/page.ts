/** `/console`: what needs a person. */
import { withWrittenAges } from '../../../domain/child-ages.ts';
import { storedReason } from '../../web/reason-text.ts';
import { pageRow } from '../../web/page-row.ts';
import { type FoundItem, readToday, type TodayShown } from './read.ts';
import type { WeekNumber } from './week-numbers.ts';
import { type Content, type Html, html } from '../../../http/html/html.ts';
import { dateText, linkButton, linkTo, named, type PageView, timeText } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { SETUP_TEXTS } from '../setup/messages.ts';
import { nextStep, progressBar } from '../setup/page.ts';
import { TODAY_TEXTS } from './messages.ts';

export function todayPage(view: PageView, { items, numbers, progress }: TodayShown): PageParts {
  const today = TODAY_TEXTS[view.locale];
  const { bar } = view.messages;
  // The card of the set-up says more than the task that leads there.
  const tasks = items.filter(({ what }) => progress === undefined || what !== 'noQuote');
  const [first] = tasks;
  const next = progress?.next;
  return {
    title: bar.today,
    act:
      (next && { path: next.path, text: SETUP_TEXTS[view.locale].buttons[next.step], isInPage: true }) ??
      (first && { path: first.path, text: today.buttons[first.what], isInPage: true }),
    main: [
      progress && setupCard(view, progress),
      tasks.length > 0 &&
        html`<h2>${today.needed}</h2>
          <ol class="todo">
            ${tasks.map((item) => taskOf(view, item))}
          </ol>`,
      items.length === 0 && html`<p class="good">${today.allWell}</p>`,
      numbers.length > 0 &&
        html`<h2>${today.numbers}</h2>
          <ul class="numbers">
            ${numbers.map((number) => numberOf(view, number))}
          </ul>`,
    ],
  };
}

/** The way through the set-up, with the button of the next step. */
function setupCard(
  view: PageView,
  { doneCount, stepCount, next }: NonNullable<TodayShown['progress']>,
): Html {
  return html`<section class="setup-card" data-what="noQuote" aria-label="${view.messages.bar.setup}">
    ${progressBar(view, doneCount, stepCount)} ${next && nextStep(view, next)}
    <p>${linkTo(view, '/console/setup', TODAY_TEXTS[view.locale].buttons.noQuote)}</p>
  </section>`;
}

/** A number of this week, how it changed, and a line of both weeks. */
function numberOf(view: PageView, { name, currency, now, before, days }: WeekNumber): Html {
  const today = TODAY_TEXTS[view.locale];
  const { words } = view.messages;
  const { locale } = view;
  const format = new Intl.NumberFormat(locale, {
    useGrouping: 'always',
    maximumFractionDigits: name === 'p99' ? 1 : 0,
  });
  const unit = name === 'p99' ? ' ms' : currency === undefined ? '' : ` ${currency}`;
  const textOf = (value: number | null): string =>
    value === null ? '–' : `${format.format(name === 'p99' ? value / 1000 : value)}${unit}`;
  const label =
    name === 'requests' || name === 'value' || name === 'p99' || name === 'refused'
      ? today[name]
      : words[name];
  return html`<li data-number="${name}">
    <span>${label}</span> <b>${textOf(now)}</b> <small>${today.before(textOf(before))}</small>
    ${sparkline(days, lineText(view, label, days, textOf))}
  </li> `;
}

/** First, highest and last of the measured days. */
function lineText(
  view: PageView,
  label: string,
  days: readonly (number | null)[],
  textOf: (value: number | null) => string,
): string {
  const measured = days.filter((day) => day !== null);
  const high = measured.length === 0 ? null : Math.max(...measured);
  return TODAY_TEXTS[view.locale].line(
    label,
    textOf(measured[0] ?? null),
    textOf(high),
    textOf(measured.at(-1) ?? null),
  );
}

const LINE_WIDTH = 120;
const LINE_HEIGHT = 24;

/** A day without a value is a gap; one between two gaps is a dot. */
function sparkline(days: readonly (number | null)[], text: string): Html {
  const high = Math.max(...days.map((day) => day ?? 0), 1);
  const step = LINE_WIDTH / (days.length - 1);
  const placeOf = (count: number, at: number): string =>
    `${(at * step).toFixed(1)},${(LINE_HEIGHT - (count / high) * LINE_HEIGHT).toFixed(1)}`;
  const lines: string[][] = [[]];
  for (const [at, count] of days.entries()) {
    if (count === null) lines.push([]);
    else lines.at(-1)!.push(placeOf(count, at));
  }
  const stretches = lines.filter((points) => points.length > 0);
  return html`<svg viewBox="-2 -2 124 28" role="img" aria-label="${text}">
    ${stretches.map(
      (points) =>
        html`<polyline
          points="${(points.length === 1 ? [points[0], points[0]] : points).join(' ')}"
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
          stroke-linecap="round"
        />`,
    )}
  </svg>`;
}

type Wording = (view: PageView, value: string, item: FoundItem) => Content;

/** Values that are not said as they are. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  reason: (view, english, { wrong }) => storedReason(view, wrong, english),
  since: timeText,
  until: timeText,
  checkIn: dateText,
  nights: ({ messages }, count) => messages.nights(Number(count)),
  guests: ({ messages }, count, { values: { childAges = '' } }) =>
    messages.party({ guests: Number(count), ...withWrittenAges(String(childAges)) }),
};

/** A plain sentence, and the button that leads to where it is done. */
function taskOf(view: PageView, item: FoundItem): Html {
  const { what, subject, values, path } = item;
  const said = Object.entries(values).map(([name, value]) => [
    name,
    WORDINGS[name]?.(view, String(value), item) ?? value,
  ]);
  const text = TODAY_TEXTS[view.locale].says[what](named(subject), Object.fromEntries(said));
  return html`<li class="${what === 'notReady' ? 'bad' : 'warn'}" data-what="${what}">
    <span>${text}</span> ${linkButton(view, path, TODAY_TEXTS[view.locale].buttons[what], 'quiet')}
  </li>`;
}

export const TODAY_PAGE = pageRow('today', '/console', readToday, todayPage);
