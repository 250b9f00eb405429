/** Why something is refused, as a page says it: in the reader's language, with settings by their labels. */
import { sayAlone, sayWrong, type Told } from '../../domain/wrong.ts';
import { type Html, html } from '../../http/html/html.ts';
import { named, type PageView } from './elements.ts';
import { withSettingLabels } from './messages/setting-labels.ts';

/** Goes on after what is refused. */
export function reasonText({ locale }: Pick<PageView, 'locale'>, wrong: Told): string {
  return withSettingLabels(locale, sayWrong(wrong, locale));
}

/** A sentence. */
export function reasonAlone({ locale }: Pick<PageView, 'locale'>, wrong: Told): string {
  return withSettingLabels(locale, sayAlone(wrong, locale));
}

/** A stored reason, or its English where it was stored without a code, as an earlier release did. */
export function storedReason(
  view: PageView,
  wrong: Told | null | undefined,
  english: string,
  say: typeof reasonText = reasonText,
): Html {
  if (wrong !== null && wrong !== undefined) return named(say(view, wrong));
  return html`<span lang="en">${named(english)}</span>`;
}
