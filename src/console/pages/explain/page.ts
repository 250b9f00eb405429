/** `/console/properties/ID/explain`: a stay, type by type and rule by rule, with its price. */
import { pageRow, PROPERTY_PATH } from '../../web/page-row.ts';
import type { PageQuestion } from '../../reading/console-page.ts';
import { type ExplainShown, readExplanation } from './read.ts';
import { pathOf } from '../../reading/paths.ts';
import { isRestriction, presentValue } from '../../../domain/calendar-fields.ts';
import { formatAges } from '../../../domain/child-ages.ts';
import type { EligibilityRule } from '../../../domain/eligibility.ts';
import { parseMoney } from '../../../domain/money.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../../../domain/stay-limits.ts';
import type { PresentedReason } from '../../../domain/stay-reasons.ts';
import type {
  ExplainedChild,
  ExplainedTax,
  ExplainedType,
  QuoteExplanation,
} from '../../../partner/quotes/explain-quote.ts';
import { breakable, codeText, type Content, type Html, html } from '../../../http/html/html.ts';
import * as elements from '../../web/elements.ts';
import { dateText, linkTo, type PageView } from '../../web/elements.ts';
import { askAct, type PageParts } from '../../web/frame.ts';
import { nightPath, valueText } from '../night/page.ts';
import { PROPERTY_TEXTS } from '../properties/messages.ts';
import { stayForm } from '../properties/page.ts';
import { priceFields } from '../quote/page.ts';
import { EXPLAIN_TEXTS } from './messages.ts';

export function explainPage(view: PageView, shown: ExplainShown, { query }: PageQuestion): PageParts {
  const { rows, propertyId, name } = shown;
  const texts = EXPLAIN_TEXTS[view.locale];
  const { frame } = view.messages;
  const request = query.get('request');
  const { checkIn, checkOut, guests } = rows?.stay ?? { checkIn: 'DATE', checkOut: 'DATE', guests: 'N' };
  const written = formatAges(rows?.stay.childAges);
  const ages = written && ` --child-ages ${written}`;
  return {
    title: texts.title,
    act: askAct(PROPERTY_TEXTS[view.locale].explain),
    above: [{ path: pathOf('properties', propertyId), text: elements.named(name) }],
    main: html`<p>
        ${codeText(propertyId)}
        ${request !== null && html` · ${linkTo(view, pathOf('requests', request), frame.request)}`}
      </p>
      ${stayForm(view, propertyId, query)}
      ${rows === null ? html`<p>${texts.ask(STAY_NIGHTS_MAX, STAY_GUESTS_MAX)}</p>` : explanation(view, rows)}`,
    command: `quote explain --property ${propertyId} --check-in ${checkIn} --check-out ${checkOut} --guests ${guests}${ages}`,
  };
}

function explanation(view: PageView, rows: QuoteExplanation): Content {
  const texts = EXPLAIN_TEXTS[view.locale];
  const { stay, offered, outcome, quoting, inventoryTypes } = rows;
  const first = dateText(view, offered.firstNight);
  const about = texts.about(stay.nights, stay, first, dateText(view, offered.lastNight));
  const quoted = inventoryTypes.find((type) => type.inventoryTypeId === rows.inventoryTypeId);
  const pricing = quoted?.pricing ?? undefined;
  const total = pricing && `${view.messages.decimal(pricing.total)} ${rows.currency}`;
  // The type that would be quoted comes first, then others that can host the stay.
  const rank = (type: ExplainedType): number => (type === quoted ? 0 : type.eligible ? 1 : 2);
  const ranked = inventoryTypes.toSorted((one, other) => rank(one) - rank(other));
  const isToldUnquoted = quoting || outcome === 'QUOTE_UNAVAILABLE';
  const reasons = isToldUnquoted ? rows.reasons : [...rows.reasons, NOT_QUOTING];
  return html`<p class="${outcome === 'priced' ? 'good' : 'warn'}">
      ${breakable(texts.outcomes[outcome])}
      ${quoted !== undefined && total !== undefined && html`<b><bdi>${quoted.name}</bdi>, ${view.messages.words.total}: ${total}</b>`}
    </p>
    ${reasonList(view, reasons)}
    <p>${about}</p>
    ${listOf((rows.taxPayers ?? []).map((tax) => payersText(view, tax)))}
    ${ranked.map((type) => typeSection(view, rows, type))}`;
}

function typeSection(view: PageView, rows: QuoteExplanation, type: ExplainedType): Html {
  const texts = EXPLAIN_TEXTS[view.locale];
  const { words } = view.messages;
  const { eligible, inventoryTypeId, name, pricing, discount } = type;
  const isQuoted = rows.inventoryTypeId === inventoryTypeId;
  const nights = type.nights.map(({ date, rate, ratesByGuests, ...night }) => ({
    ...night,
    date: nightLink(view, rows, type, date),
    rate: valueText(view, ratesByGuests ?? rate),
  }));
  const price = html`${pricing !== null && html`<h3>${words.price}</h3>`}
    ${pricing !== null && priceFields(view, pricing, discount, rows.currency)}
    <h3>${words.nights}</h3>
    <div class="numeric">
      ${elements.dataTable(view, {
        caption: `${words.nights}, ${name}`,
        columns: ['date', 'open', 'availability', 'rate', 'extraGuests', 'price'],
        rows: nights,
      })}
    </div>`;
  return html`<section data-type="${inventoryTypeId}" data-eligible="${String(eligible)}">
    <h2>
      <bdi>${name}</bdi>: ${texts[eligible ? 'eligible' : 'notEligible']}${isQuoted && `, ${texts.isQuoted}`}
    </h2>
    ${refusalTable(view, rows, type)} ${listOf((type.children ?? []).map((child) => childText(view, child)))}
    ${
      eligible
        ? price
        : html`<details>
            <summary>${texts.folded}</summary>
            ${price}
          </details>`
    }
  </section>`;
}

function listOf(lines: readonly string[]): Content {
  if (lines.length === 0) return '';
  return html`<ul>
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`;
}

/** `1 child (4): sleeps in a cot, pays 0.00 a night` */
function childText(view: PageView, { age, takesPlace, rate }: ExplainedChild): string {
  const texts = EXPLAIN_TEXTS[view.locale];
  const pays = rate === null ? texts.asAdult : texts.paysRate(view.messages.decimal(rate));
  return texts.child(age, takesPlace ? texts.takesPlace : texts.inCot, pays);
}

/** `city-tax: 2 adults at 3.50, 1 child (4) free` */
function payersText(view: PageView, { code, payers }: ExplainedTax): string {
  const texts = EXPLAIN_TEXTS[view.locale];
  const parts = payers.map(({ count, childAges, amount }) => {
    const who = texts.payers(count, childAges);
    if (amount === null) return who;
    return parseMoney(amount) === 0n ? texts.free(who) : texts.at(who, view.messages.decimal(amount));
  });
  return `${code}: ${parts.join(', ')}`;
}

/** A property without quotes has no price of any stay. */
const NOT_QUOTING: PresentedReason = { code: 'NO_PRICE', dates: [] };

/** A sentence each, as partners hear them. */
export function reasonList(view: PageView, reasons: readonly PresentedReason[]): Content {
  if (reasons.length === 0) return '';
  const said = reasons.map(
    (reason) => html`<li data-reason="${reason.code}">${elements.reasonText(view, reason)}</li>`,
  );
  return html`<ul>
    ${said}
  </ul>`;
}

/** Empty for a type that nothing is against; `heading` replaces the usual one. */
export function refusalTable(
  view: PageView,
  rows: QuoteExplanation,
  type: ExplainedType,
  heading?: Content,
): Content {
  const explain = EXPLAIN_TEXTS[view.locale];
  const { words } = view.messages;
  if (type.reasons.length === 0) return '';
  const refusals = type.refusals.map(({ rule, date, value }) => ({
    rule: words[rule],
    limit: limitText(view, rule, value),
    date: date && nightLink(view, rows, type, date),
  }));
  const caption = `${explain.refusals}, ${type.name}`;
  return html`<h3>${heading ?? explain.refusals}</h3>
    ${reasonList(view, type.reasons)}
    ${
      refusals.length > 0 &&
      elements.dataTable(view, { caption, columns: ['rule', 'limit', 'date'], rows: refusals })
    }`;
}

function limitText(view: PageView, rule: EligibilityRule, value: string | number): Content {
  if (typeof value === 'string') return dateText(view, value);
  return isRestriction(rule) ? valueText(view, presentValue(rule, value)) : value;
}

function nightLink(view: PageView, rows: QuoteExplanation, type: ExplainedType, date: string): Html {
  return linkTo(view, nightPath(rows.propertyId, type.inventoryTypeId, date), dateText(view, date));
}

export const EXPLAIN_PAGE = pageRow('explain', `${PROPERTY_PATH}/explain`, readExplanation, explainPage);
