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
});
