/** `/console/properties/ID/explain`: a stay, type by type and rule by rule, with its price. */
import type { PageQuestion } from '../../console/console-page.ts';
import type { ExplainShown } from '../../console/explain.ts';
import { pathOf } from '../../console/paths.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import type { ExplainedType, QuoteExplanation } from '../../quotes/explain-quote.ts';
import { breakable, type Content, type Html, html } from '../kit/html.ts';
import { dataTable, dateText, linkTo, type PageView } from './elements.ts';
import type { PageParts } from './frame.ts';
import { amountsByGuests, nightPath } from './night-page.ts';
import { stayForm } from './property-page.ts';

export function explainPage(view: PageView, shown: ExplainShown, { query }: PageQuestion): PageParts {
  const { rows, propertyId } = shown;
  const texts = view.messages.explain;
  const { checkIn, checkOut, guests } = rows?.stay ?? { checkIn: 'DATE', checkOut: 'DATE', guests: 'N' };
  return {
    title: texts.title,
    main: html`<p>${linkTo(view, pathOf('properties', propertyId), texts.back)}</p>
      ${stayForm(view, propertyId, query)}
      ${rows === null ? html`<p>${texts.ask(STAY_NIGHTS_MAX, STAY_GUESTS_MAX)}</p>` : explanation(view, rows)}`,
    command: `quote explain --property ${propertyId} --check-in ${checkIn} --check-out ${checkOut} --guests ${guests}`,
  };
}

function explanation(view: PageView, rows: QuoteExplanation): Content {
  const texts = view.messages.explain;
  const { stay, offered, outcome, quoting, inventoryTypes } = rows;
  const first = dateText(view, offered.firstNight);
  const about = texts.about(stay.nights, stay.guests, first, dateText(view, offered.lastNight));
  return html`<p class="${outcome === 'priced' ? 'good' : 'warn'}">${breakable(texts.outcomes[outcome])}</p>
    <p>${about} ${!quoting && texts.notQuoting}</p>
    ${inventoryTypes.map((type) => typeSection(view, rows, type))}`;
}

function typeSection(view: PageView, rows: QuoteExplanation, type: ExplainedType): Html {
  const { explain: texts, words } = view.messages;
  const { eligible, inventoryTypeId, name } = type;
  const isQuoted = rows.inventoryTypeId === inventoryTypeId;
  const verdict = eligible ? texts.eligible : texts.notEligible;
  return html`<section data-type="${inventoryTypeId}" data-eligible="${String(eligible)}">
    <h2><bdi>${name}</bdi>: ${verdict}${isQuoted && `, ${texts.isQuoted}`}</h2>
    ${refusalTable(view, rows.propertyId, type)} ${priceTable(view, rows.currency, type)}
    <h3>${words.nights}</h3>
    ${dataTable(view, {
      ...{ caption: `${words.nights}, ${name}`, rows: type.nights },
      cells: ({ date, open, availability, rate, ratesByGuests }) => ({
        night: nightLink(view, rows.propertyId, inventoryTypeId, date),
        open: words[open ? 'yes' : 'no'],
        ...{ availability, rate: ratesByGuests === null ? rate : amountsByGuests(view, ratesByGuests) },
      }),
    })}
  </section>`;
}

/** Nothing of a type that can host the stay. */
export function refusalTable(view: PageView, propertyId: string, type: ExplainedType): Content {
  const { inventoryTypeId, name, refusals } = type;
  const { refusals: caption, rules } = view.messages.explain;
  if (refusals.length === 0) return '';
  return html`<h3>${caption}</h3>
    ${dataTable(view, {
      ...{ caption: `${caption}, ${name}`, rows: refusals },
      cells: ({ rule, date, value }) => ({
        rule: rules[rule](String(value)),
        night: date === null ? null : nightLink(view, propertyId, inventoryTypeId, date),
      }),
    })}`;
}

const PARTS = ['accommodation', 'cleaningFee', 'taxes', 'total'] as const;

function priceTable(view: PageView, currency: string, { name, pricing, discount }: ExplainedType): Html {
  const { explain: texts, words } = view.messages;
  const rows = PARTS.map((part) => ({ part: words[part], amount: pricing?.[part] }));
  if (discount !== null)
    rows.splice(1, 0, { part: texts.discount(discount.code, discount.percent), amount: discount.amount });
  return html`<h3>${words.price}</h3>
    ${dataTable(view, {
      caption: `${words.price}, ${name}`,
      rows: pricing === null ? [] : rows,
      cells: ({ part, amount = '–' }) => ({ part, amount: `${amount} ${currency}` }),
      empty: texts.noPrice,
    })}`;
}

function nightLink(view: PageView, propertyId: string, inventoryTypeId: string, date: string): Content {
  return linkTo(view, nightPath(propertyId, inventoryTypeId, date), dateText(view, date));
}
