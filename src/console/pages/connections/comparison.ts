/** The last comparison on the page of a connection: the worst first. */
import { type Content, html } from '../../../http/html/html.ts';
import type { ComparedStay } from '../../../supply/connections/compare-stays.ts';
import { pathOf } from '../../reading/paths.ts';
import * as elements from '../../web/elements.ts';
import { actForm, dataTable, named, type PageView } from '../../web/elements.ts';
import { reasonText } from '../../web/reason-text.ts';
import { CONNECTION_TEXTS } from './messages.ts';
import { type ConnectionShown, typeKey } from './read.ts';

export const COMPARISON_ID = 'comparison';

export function comparisonPart(
  view: PageView,
  path: string,
  shown: ConnectionShown,
  system: string,
): Content {
  const texts = CONNECTION_TEXTS[view.locale];
  const { at, stays, begunAtMs, failure } = shown.comparison;
  const isBeingMade = begunAtMs !== null;
  return [
    html`<h2 id="${COMPARISON_ID}">${texts.comparison}</h2>
      <p>${texts.comparisonAbout(system)}</p>`,
    isBeingMade && html`<p class="warn" role="status" data-comparing>${texts.comparing}</p>`,
    failure !== null && html`<p class="bad">${texts.compareFailed} ${named(reasonText(view, failure))}.</p>`,
    !isBeingMade && actForm(view, 'connection-compare', path, { look: 'quiet' }),
    at !== null && html`<p>${texts.comparedAt} ${elements.timeText(view, at)}</p>`,
    at !== null && stayTable(view, stays, shown.names),
  ];
}

function stayTable(
  view: PageView,
  stays: readonly ComparedStay[],
  names: ReadonlyMap<string, string>,
): Content {
  const texts = CONNECTION_TEXTS[view.locale];
  const rows = stays.map((stay) => ({
    property: elements.linkTo(
      view,
      pathOf('properties', stay.propertyId),
      named(names.get(typeKey(stay)) ?? stay.propertyId),
    ),
    checkIn: stay.checkIn,
    checkOut: elements.dateElement(view, stay.checkOut),
    guests: stay.guests,
    theirs: theirsText(view, stay),
    ours: oursText(view, stay),
    difference: stay.difference === null ? '' : view.messages.decimal(stay.difference),
    explained: stay.explained
      .map(
        ({ what, amount }) =>
          `${texts.explains[what]}${amount === null ? '' : ` ${view.messages.decimal(amount)}`}`,
      )
      .join('; '),
    state: texts.verdicts[stay.verdict],
    verdict: stay.verdict,
  }));
  return dataTable(view, {
    caption: texts.comparison,
    columns: [
      'property',
      'state',
      'checkIn',
      'checkOut',
      'guests',
      'theirs',
      'ours',
      'difference',
      'explained',
    ],
    rows,
    attributes: ({ verdict }) => html` data-verdict="${verdict}"`,
  });
}

function theirsText(view: PageView, { theirs: { available, reason, price } }: ComparedStay): string {
  const texts = CONNECTION_TEXTS[view.locale];
  if (available === null) return '–';
  if (available) return price === null ? texts.free : view.messages.decimal(price);
  const known: Readonly<Record<string, string>> = texts.stayReasons;
  return reason === null ? texts.closed : `${texts.closed}: ${known[reason] ?? reason}`;
}

function oursText(view: PageView, { ours: { available, reason, accommodation } }: ComparedStay): string {
  const texts = CONNECTION_TEXTS[view.locale];
  if (available) return accommodation === null ? texts.free : view.messages.decimal(accommodation);
  const words: Readonly<Record<string, string>> = view.messages.words;
  return reason === null ? texts.closed : `${texts.closed}: ${words[reason] ?? reason}`;
}
