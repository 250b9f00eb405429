/** The pages of the web listener as answers: what is shown, with the headers that every one of them has. */
import type { Handoff } from '../../handoff/handoff-value.ts';
import type { Locale } from '../../domain/property.ts';
import type { HandoffReview } from '../../quotes/check-handoff.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../web/kit/security-headers.ts';
import type { Asset, TravellerAssets } from '../../web/traveller/assets.ts';
import {
  formatPage,
  type FrameParts,
  makeView,
  type Operator,
  type View,
} from '../../web/traveller/frame.ts';
import { type PageExtras, plainPage, reviewPage, uncheckedPage } from '../../web/traveller/handoff-page.ts';

export type PlainPage = Parameters<typeof plainPage>[1];

/** HTML of each page. `root` is the way from the page to the root of the listener. */
export interface TravellerPages {
  readonly assets: readonly Asset[];
  readonly icon: Asset;
  /** Flat list of names and values. */
  readonly headers: readonly string[];
  review(review: HandoffReview, value: string, extras: PageExtras): string;
  /** `propertyName` is undefined where it isn't known. */
  unchecked(handoff: Handoff, value: string, propertyName: string | undefined): string;
  plain(kind: PlainPage, locale: Locale, root: string): string;
}

const ROOT = './';

/**
 * Pages hold the traveller's stay: nobody keeps a copy. The form may lead to any https address, because the booking
 * site may send the traveller on, and browsers hold `form-action` against every step of it.
 */
const pageHeaders = (imageOrigins: readonly string[]): string[] => [
  ...SECURITY_HEADERS,
  'Content-Security-Policy',
  contentSecurityPolicy({
    'style-src': "'self'",
    'img-src': ["'self'", ...imageOrigins].join(' '),
    'form-action': "'self' https:",
  }),
  'Permissions-Policy',
  'camera=(), geolocation=(), microphone=(), payment=()',
  'X-Robots-Tag',
  'noindex, nofollow',
];

/** Pictures may come from `imageOrigins` too. */
export function makeTravellerPages(
  operator: Operator,
  assets: TravellerAssets,
  imageOrigins: readonly string[] = [],
): TravellerPages {
  const format = (view: View, parts: FrameParts): string => formatPage(view, assets, parts);
  return {
    assets: [assets.style, assets.icon],
    icon: assets.icon,
    headers: pageHeaders(imageOrigins),
    review(review, value, extras) {
      const view = makeView(operator, review.handoff.locale, ROOT, review.quote.isTest);
      return format(view, reviewPage(view, review, value, extras));
    },
    unchecked(handoff, value, propertyName) {
      const view = makeView(operator, handoff.locale, ROOT, handoff.isTest);
      return format(view, uncheckedPage(view, handoff, value, propertyName));
    },
    plain(kind, locale, root) {
      const view = makeView(operator, locale, root, kind === 'testEnd');
      return format(view, plainPage(view, kind));
    },
  };
}
