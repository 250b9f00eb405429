/** The question whether children travel along, and the total with them beside the quoted one. */
import { TYPED_AGES_LENGTH_MAX } from '../../domain/child-ages.ts';
import { formatMoney } from '../../domain/money.ts';
import type { HandoffReview } from '../../partner/quotes/check-handoff.ts';
import { type Content, html, type Html } from '../../http/html/html.ts';
import type { View } from './frame.ts';
import { sayParty } from './party-words.ts';
import { CHILD_AGES, continueForm, row } from './price-section.ts';

/** Empty where nothing is asked. The form shows the same page again; it needs no script. */
export function familySection(view: View, review: HandoffReview, value: string): Content {
  const { family } = review;
  if (family === undefined) return '';
  const { messages, root } = view;
  return html`<section class="card family" aria-labelledby="family-heading">
    <h2 id="family-heading">${messages.withChildren}</h2>
    ${family.childAges === undefined ? '' : familyTotal(view, review, value, family.childAges)}
    <form method="get" action="${root}handoff">
      <input type="hidden" name="handoff" value="${value}" />
      <label for="child-ages">${messages.childAges}</label>
      <input
        id="child-ages"
        name="${CHILD_AGES}"
        value="${family.typed}"
        inputmode="text"
        autocomplete="off"
        maxlength="${TYPED_AGES_LENGTH_MAX}"
        aria-describedby="child-ages-help"
      />
      <p class="fine" id="child-ages-help">
        ${family.typed !== '' && family.childAges === undefined ? messages.childAgesWrong(review.handoff.guests - 1) : messages.childAgesHelp}
      </p>
      <button class="button second">${messages.seeTotal}</button>
    </form>
  </section>`;
}

function familyTotal(
  view: View,
  { family, handoff, stored }: HandoffReview,
  value: string,
  childAges: readonly number[],
): Html {
  const { messages, formats, operator, isTest } = view;
  const who = sayParty(view, { guests: handoff.guests, childAges });
  const offer = family?.offer;
  if (offer === undefined || stored === undefined)
    return html`<p role="status">${messages.notForFamily(who)}</p>`;
  const total = formats.money(formatMoney(offer.price.total), stored.property.currency);
  const canContinue = operator.canContinue && !isTest;
  return html`<div role="status">
      <dl class="price">
        ${row(messages.quotedTotal, formats.money(handoff.total, handoff.currency))}
        ${row(messages.totalOfFamily(who), total, 'total')}
      </dl>
    </div>
    ${canContinue ? html`<div class="next">${continueForm(view, value, { text: messages.continue, said: `(${who})`, childAges })}</div>` : ''}`;
}
