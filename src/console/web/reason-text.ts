/** Why something is refused, as a page says it: in the reader's language, with settings by their labels. */
import { isSayable, sayAlone, sayDetail, sayWrong, type Told } from '../../domain/wrong.ts';
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

/** A sentence beside the place of what is refused. */
export function reasonDetail({ locale }: Pick<PageView, 'locale'>, wrong: Told): string {
  return withSettingLabels(locale, sayDetail(wrong, locale));
}

/** A stored reason, or its English where this program can't say it: another release stored it. */
export function storedReason(
  view: PageView,
  wrong: unknown,
  english: string,
  say: typeof reasonText = reasonText,
): Html {
  return isSayable(wrong) ? named(say(view, wrong)) : html`<span lang="en">${named(english)}</span>`;
}
