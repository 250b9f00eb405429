/** The names of settings as people see them, beside the names that programs know. */
import type { Locale } from '../../../domain/property.ts';
import { inLanguages, said } from './said.ts';

export const SETTING_LABELS = inLanguages({
  HANDOFF_BASE_URL: said('Address of the traveller’s page', 'Indirizzo della pagina per i viaggiatori'),
  QUOTE_TTL_SECONDS: said('A quote is valid for, seconds', 'Validità di un preventivo, in secondi'),
  PARTNER_REASONS: said(
    'Partners and travellers read why a stay is not available (on, off)',
    'Partner e viaggiatori leggono perché un soggiorno non è disponibile (on, off)',
  ),
  WEB_NAME: said('Name that travellers see', 'Nome mostrato ai viaggiatori'),
  WEB_LOGO: said('Logo (SVG or PNG, at most 256 KB)', 'Logo (SVG o PNG, al massimo 256 KB)'),
  WEB_IMAGE_ORIGINS: said('Other sites whose pictures are shown', 'Altri siti di cui si mostrano le immagini'),
  WEB_ACCENT: said('Colour of buttons and links', 'Colore di pulsanti e link'),
  WEB_CONTACT: said('Contact for travellers', 'Contatto per i viaggiatori'),
  WEB_IMPRINT_URL: said('Legal notice', 'Note legali'),
  WEB_PRIVACY_URL: said('Privacy notice', 'Informativa sulla privacy'),
  WEB_TERMS_URL: said('Terms', 'Condizioni'),
  WEB_ACCESSIBILITY_URL: said('Accessibility statement', 'Dichiarazione di accessibilità'),
  BOOKING_URL_TEMPLATE: said('Address of the booking site', 'Indirizzo del sito di prenotazione'),
  BOOKING_ORIGINS: said(
    'Booking sites that properties may name',
    'Siti di prenotazione che le strutture possono indicare',
  ),
});

/** The sentence with the label of each setting that it names. */
export function withSettingLabels(locale: Locale, sentence: string): string {
  return Object.entries(SETTING_LABELS[locale]).reduce(
    (text, [name, label]) => text.replaceAll(name, () => `“${label}”`),
    sentence,
  );
}
