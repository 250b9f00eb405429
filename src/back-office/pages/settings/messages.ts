import { inLanguages, said } from '../../web/messages/said.ts';

export const SETTINGS_TEXTS = inLanguages({
  checks: said('Checks of this installation (doctor)', 'Controlli di questa installazione (doctor)'),
  checksRun: said(
    'The checks are still running: open this page again in a moment.',
    'I controlli sono ancora in corso: riapri questa pagina tra poco.',
  ),
  states: {
    ok: said('in order', 'in ordine'),
    warn: said('could be better', 'da migliorare'),
    fail: said('wrong', 'errato'),
  },
  values: said('What is set', 'Valori in uso'),
  about: said(
    'Settings come from the environment, and a change there counts after a restart; those of the site are changed above. Secrets are not shown.',
    'Le impostazioni vengono dall’ambiente, e lì una modifica vale dopo il riavvio; quelle del sito si cambiano qui sopra. I segreti non sono mostrati.',
  ),
  origins: {
    environment: said('environment', 'ambiente'),
    site: said('site', 'sito'),
    default: said('default', 'predefinito'),
  },

  site: said('Settings of the site', 'Impostazioni del sito'),
  aboutSite: said(
    'A change counts everywhere within a second, without a restart. An empty field stands for the default.',
    'Una modifica vale ovunque entro un secondo, senza riavvio. Un campo vuoto vale il valore predefinito.',
  ),
  ofEnvironment: said(
    'Set in the environment, which wins: it is changed there.',
    'Impostato nell’ambiente, che prevale: si cambia lì.',
  ),
  defaultIs: said(
    (value: string) => `Default: ${value}.`,
    (value) => `Predefinito: ${value}.`,
  ),
  example: said(
    (value: string) => `For example ${value}.`,
    (value) => `Ad esempio ${value}.`,
  ),
  wrong: said(
    'Nothing was changed. Please look at these fields; what you typed is still here:',
    'Nulla è cambiato. Controlla questi campi; ciò che hai scritto è ancora qui:',
  ),
  meanwhile: said(
    'Nothing was changed yet: somebody has changed these settings since the form was shown. What you typed is still here; save once more if it should count.',
    'Nulla è ancora cambiato: nel frattempo qualcuno ha modificato queste impostazioni. Ciò che hai scritto è ancora qui; salva di nuovo se deve valere.',
  ),
  now: said(
    (value: string) => `now: ${value || '(empty)'}`,
    (value) => `ora: ${value || '(vuoto)'}`,
  ),
  stored: said(
    (value: string) => `Stored: ${value}.`,
    (value) => `Salvato: ${value}.`,
  ),
  kept: said('The file that you chose is kept until you save.', 'Il file che hai scelto resta finché salvi.'),
  removeFile: said('Remove it', 'Rimuovilo'),

  /** By name. */
  labels: {
    HANDOFF_BASE_URL: said('Address of the traveller’s page', 'Indirizzo della pagina per i viaggiatori'),
    QUOTE_TTL_SECONDS: said('A quote is valid for, seconds', 'Validità di un preventivo, in secondi'),
    WEB_NAME: said('Name that travellers see', 'Nome mostrato ai viaggiatori'),
    WEB_LOGO: said('Logo (SVG or PNG, at most 256 KB)', 'Logo (SVG o PNG, al massimo 256 KB)'),
    WEB_IMAGE_ORIGINS: said(
      'Other sites whose pictures are shown',
      'Altri siti di cui si mostrano le immagini',
    ),
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
  },
});
