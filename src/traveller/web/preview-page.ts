/** The traveller's page of a property as somebody is about to save it: marked, and without a way on. */
import type { HandoffReview } from '../../partner/quotes/check-handoff.ts';
import { chooseIcon, dataUrl, type Look, makeStyle } from './assets.ts';
import { formatPage, makeView, type Operator } from './frame.ts';
import { pageHeaders, reviewPage } from './handoff-page.ts';
import type { ShownImage } from './property-section.ts';

export interface PreviewMaker {
  /** Flat list of names and values. */
  readonly headers: readonly string[];
  /** `root`: the way from the page to the root of its listener. */
  readonly format: (review: HandoffReview, images: readonly ShownImage[], root: string) => string;
}

/** The page carries its look, which may be one that nobody has saved. `operatorWith` takes the path of the icon. */
export function makePreview(
  operatorWith: (iconPath: string) => Operator,
  look: Look,
  imageOrigins: readonly string[],
): PreviewMaker {
  const { kind, bytes } = chooseIcon(look);
  const icon = { path: dataUrl(kind, bytes) };
  const assets = { icon, style: { path: dataUrl('css', Buffer.from(makeStyle(look))) } };
  const operator = operatorWith(icon.path);
  return {
    headers: pageHeaders(imageOrigins, ['data:']),
    format(review, images, root) {
      const view = makeView(operator, review.handoff.locale, root, true);
      const { previewBanner: testBanner, previewEndsHere: testEndsHere } = view.messages;
      const marked = { ...view, messages: { ...view.messages, testBanner, testEndsHere } };
      const extras = { images, partnerName: undefined, canContinue: false };
      const { reference: _reference, ...parts } = reviewPage(marked, review, '', extras);
      return formatPage(marked, assets, parts);
    },
  };
}
