/** What the parts of the traveller's page are made from: who shows it, in which language, from where links start. */
import type { Locale } from '../../domain/property.ts';
import { type Formats, makeFormats } from './formats.ts';
import { EN_GB } from './messages/en-gb.ts';
import { IT_IT } from './messages/it-it.ts';
import type { Messages } from './messages/messages.ts';

/** The operator, as travellers see them. */
export interface Operator {
  readonly name: string;
  /** Path of the logo below the root of the listener; undefined: the name is shown as text. */
  readonly logoPath: string | undefined;
  /** `mailto:`, `tel:` or `https:`. */
  readonly contact: string | undefined;
  /** Whether there is a booking site to go on to. */
  readonly canContinue: boolean;
}

export interface View {
  readonly operator: Operator;
  readonly messages: Messages;
  readonly formats: Formats;
  /** The way from the page to the root of the listener: `./`, or `../` one level below. */
  readonly root: string;
}

const WORDS: Readonly<Record<Locale, Pick<View, 'messages' | 'formats'>>> = {
  'it-IT': { messages: IT_IT, formats: makeFormats('it-IT') },
  'en-GB': { messages: EN_GB, formats: makeFormats('en-GB') },
};

export function makeView(operator: Operator, locale: Locale, root: string): View {
  return { operator, root, ...WORDS[locale] };
}
