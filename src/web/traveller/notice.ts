/** The sentence that says what became of the stay. */
import { formatMoney, getMoney } from '../../domain/money.ts';
import { storedPropertyName } from '../../quotes/present-quote.ts';
import type { HandoffReview } from '../../quotes/check-handoff.ts';
import { type Html, html } from '../kit/html.ts';
import type { Notice } from './messages/en-gb.ts';
import type { View } from './frame.ts';

export function noticeBox(tone: 'good' | 'warn' | 'bad', { heading, text }: Notice): Html {
  return html`<div class="notice ${tone}" role="status">
    <p class="heading">${heading}</p>
    <p>${text}</p>
  </div>`;
}

export function reviewNotice(view: View, review: HandoffReview): Html {
  const { messages } = view;
  if (review.stored === undefined) {
    return noticeBox('bad', messages.notice.withdrawn(storedPropertyName(review.quote.breakdown)));
  }
  switch (review.outcome) {
    case 'unchanged':
      return noticeBox('good', messages.notice.unchanged);
    case 'price_changed':
      return priceNotice(view, review);
    case 'unavailable':
      return noticeBox('bad', messages.notice.unavailable);
    case 'expired':
      return noticeBox(review.offer === undefined ? 'bad' : 'warn', expiryNotice(view, review));
  }
}

/** Only when the price is known and is another one. */
function priceNotice({ messages, formats }: View, { handoff, stored, offer }: HandoffReview): Html {
  const currency = stored?.property.currency ?? handoff.currency;
  const total = offer?.price.total ?? 0n;
  const quoted = formats.money(handoff.total, handoff.currency);
  const now = formats.money(formatMoney(total), currency);
  if (currency !== handoff.currency) return noticeBox('warn', messages.notice.otherCurrency(quoted, now));
  const difference = total - getMoney(handoff.total);
  const amount = formats.money(formatMoney(difference < 0n ? -difference : difference), currency);
  return difference < 0n
    ? noticeBox('good', messages.notice.less(quoted, now, amount))
    : noticeBox('warn', messages.notice.more(quoted, now, amount));
}

function expiryNotice({ messages, formats }: View, { handoff, stored, offer }: HandoffReview): Notice {
  const until = formats.instant(handoff.expiresAtMs, stored?.property.timezone ?? 'UTC');
  const quoted = formats.money(handoff.total, handoff.currency);
  return offer === undefined
    ? messages.notice.expiredAndUnavailable(until, quoted)
    : messages.notice.expired(until, quoted);
}
