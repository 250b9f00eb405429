/** Mistakes of polled calendars, of what is deleted after days, and of the sandbox. */
import type { Mistakes } from './mistake.ts';

export const FEEDS_MISTAKES = {
  'a calendar that opens all nights counts at once': {
    file: 'src/supply/ical/poll-feed.ts',
    edits: [['if (!isRepeated && opensTooMuch(', 'if (false && opensTooMuch(']],
  },
  'a calendar that is suddenly empty counts when it is said twice': {
    file: 'src/supply/ical/poll-feed.ts',
    edits: [['if (isRepeated && nowMs < (before.notBeforeMs ?? 0)) {', 'if (nowMs < 0) {']],
  },
  'a calendar that is held back is known as the one that counts': {
    file: 'src/supply/ical/poll-feed.ts',
    edits: [
      [
        'const state = { ...held.state, ...counts, heldNights',
        'const state = { ...held.state, ...fetched.validators, ...counts, heldNights',
      ],
    ],
  },
  'a feed that ends leaves its nights closed': {
    file: 'src/supply/ical/feed-changes.ts',
    edits: [['    await dropLayer(deps, nameOf(feed));\n', '']],
  },
  'a feed that ends keeps its nights where its property is withdrawn': {
    file: 'src/supply/ical/feed-layer.ts',
    edits: [["if (verdict !== 'refused') return;", 'if (verdict !== undefined) return;']],
  },
  'quotes that were opened are deleted with the others': {
    file: 'src/storage/quotes/sql.ts',
    edits: [['found.filter(({ quoteId }) => !opened.has(quoteId))', 'found']],
  },
  'quotes that nobody opened are kept as long as the others': {
    file: 'src/partner/quotes/quote-retention.ts',
    edits: [['      after = slice.last;\n', '      after = { ...slice.last, expiresAtMs: nowMs };\n']],
  },
  'deliveries are kept as long as quotes': {
    file: 'src/partner/webhooks/delivery-retention.ts',
    edits: [['nowMs - DELIVERY_DAYS_MAX * DAY_MS', 'nowMs - 2 * DELIVERY_DAYS_MAX * DAY_MS']],
  },
  'a test quote is looked at with live properties': {
    file: 'src/partner/quotes/check-handoff.ts',
    edits: [['quote.isTest ? await deps.findTestProperty(handoff.propertyId) : live', 'live']],
  },
  'a test quote leads to the booking site': {
    file: 'src/traveller/http/traveller.ts',
    edits: [
      [
        "  return page.kind === 'review' ? page.review.quote.isTest",
        "  return page.kind === 'review' ? false",
      ],
    ],
  },
  'the sandbox stays at the day of its first question': {
    file: 'src/partner/sandbox/sandbox.ts',
    edits: [['if (current?.days !== days)', 'if (current === undefined)']],
  },
} as const satisfies Mistakes;
