import { inLanguages, said } from '../../web/messages/said.ts';

export const SETTINGS_TEXTS = inLanguages({
  checks: said('Checks of this installation (doctor)', 'Controlli di questa installazione (doctor)'),
  states: {
    ok: said('in order', 'in ordine'),
    warn: said('could be better', 'da migliorare'),
    fail: said('wrong', 'errato'),
  },
  values: said('What is set', 'Valori in uso'),
  about: said(
    'Settings are environment variables. A change counts after a restart. Secrets are not shown.',
    'Le impostazioni sono variabili d’ambiente. Una modifica vale dopo il riavvio. I segreti non sono mostrati.',
  ),
});
