/** Why something is refused, as a page says it: in the reader's language, with settings by their labels. */
import { sayAlone, sayWrong, type Told } from '../../domain/wrong.ts';
import type { PageView } from './elements.ts';
import { withSettingLabels } from './messages/setting-labels.ts';

/** Goes on after what is refused. */
export function reasonText({ locale }: Pick<PageView, 'locale'>, wrong: Told): string {
  return withSettingLabels(locale, sayWrong(wrong, locale));
}

/** A sentence. */
export function reasonAlone({ locale }: Pick<PageView, 'locale'>, wrong: Told): string {
  return withSettingLabels(locale, sayAlone(wrong, locale));
}
