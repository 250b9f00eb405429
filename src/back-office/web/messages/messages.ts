/** The console's texts by language. To add a language, add its file, and its row here. */
import type { Locale } from '../../../domain/property.ts';
import { EN_GB, type Messages } from './en-gb.ts';
import { IT_IT } from './it-it.ts';

export type { Messages };

export const MESSAGES: Readonly<Record<Locale, Messages>> = { 'en-GB': EN_GB, 'it-IT': IT_IT };
