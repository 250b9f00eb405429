/** What the parts of the traveller's page are made from: who shows it, in which language, from where links start. */
import type { Locale } from '../../domain/property.ts';
import { type Formats, makeFormats } from './formats.ts';
import { EN_GB, type Messages } from './messages/en-gb.ts';
import { IT_IT } from './messages/it-it.ts';

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
  /** Of a quote of the sandbox: the page says so, and has no way on. */
  readonly isTest: boolean;
}

const WORDS: Readonly<Record<Locale, Pick<View, 'messages' | 'formats'>>> = {
  'it-IT': { messages: IT_IT, formats: makeFormats('it-IT') },
  'en-GB': { messages: EN_GB, formats: makeFormats('en-GB') },
};

export function makeView(operator: Operator, locale: Locale, root: string, isTest = false): View {
  return { operator, root, isTest, ...WORDS[locale] };
}
