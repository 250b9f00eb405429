import { inLanguages, said } from '../../web/messages/said.ts';

export const SETTINGS_TEXTS = inLanguages({
  /** Titles of the four pages. */
  titles: {
    site: said('Site', 'Sito'),
    legal: said('Legal links', 'Link legali'),
    checks: said('Checks', 'Controlli'),
    environment: said('Environment', 'Ambiente'),
  },
  aboutChecks: said(
    'What stayport doctor finds in this installation.',
    'Che cosa trova stayport doctor in questa installazione.',
  ),
  toCorrect: said('To look at', 'Da guardare'),
  inOrder: said(
    (count: number) => `In order: ${count}`,
    (count) => `In ordine: ${count}`,
  ),
  allInOrder: said('Everything is in order.', 'Tutto è in ordine.'),
  checksRun: said(
    'The checks are still running: open this page again in a moment.',
    'I controlli sono ancora in corso: riapri questa pagina tra poco.',
  ),
  states: {
    ok: said('in order', 'in ordine'),
    warn: said('could be better', 'da migliorare'),
    fail: said('wrong', 'errato'),
  },
  /** By the names that the command prints. */
  checkNames: {
    settings: said('settings', 'impostazioni'),
    'environment file': said('environment file', 'file delle impostazioni'),
    'setting files': said('setting files', 'file indicati dalle impostazioni'),
    node: said('node', 'Node'),
    'open files': said('open files', 'file aperti'),
    disk: said('disk', 'disco'),
    'catalogue file': said('catalogue file', 'file del catalogo'),
    database: said('database', 'database'),
    'database schema': said('database schema', 'schema del database'),
    'database writable': said('database writable', 'scrittura nel database'),
    'database modes': said('database modes', 'sicurezza del database'),
    'database clock': said('database clock', 'orologio del database'),
    'database connections': said('database connections', 'connessioni al database'),
    releases: said('releases', 'versioni'),
    redis: said('redis', 'Redis'),
    'redis settings': said('redis settings', 'impostazioni di Redis'),
    'redis clock': said('redis clock', 'orologio di Redis'),
    ports: said('ports', 'porte'),
    proxies: said('proxies', 'proxy'),
    certificate: said('certificate', 'certificato'),
    'public url': said('public url', 'indirizzo per i partner'),
    'handoff url': said('handoff url', 'indirizzo per i viaggiatori'),
    'legal pages': said('legal pages', 'pagine legali'),
    'handoff keys': said('handoff keys', 'chiavi dei link'),
    'operator tokens': said('operator tokens', 'token dei sistemi'),
    connections: said('connections', 'connessioni'),
    feeds: said('feeds', 'calendari'),
    sources: said('sources', 'fonti'),
    webhooks: said('webhooks', 'webhook'),
    'site settings': said('site settings', 'impostazioni del sito'),
    pictures: said('pictures', 'immagini'),
    'uploaded pictures': said('uploaded pictures', 'immagini caricate'),
    'positions in pictures': said('positions in pictures', 'posizioni nelle immagini'),
    'taxes that end': said('taxes that end', 'tasse che finiscono'),
  },
  given: said('Set here', 'Impostate qui'),
  ofDefault: said(
    (count: number) => `As they are by default: ${count}`,
    (count) => `Al valore predefinito: ${count}`,
  ),
  about: said(
    'A change in the environment counts after a restart; settings of the site are changed on the pages Site and Legal links. Secrets are not shown.',
    'Una modifica nell’ambiente vale dopo il riavvio; le impostazioni del sito si cambiano nelle pagine Sito e Link legali. I segreti non sono mostrati.',
  ),
  origins: {
    environment: said('environment', 'ambiente'),
    site: said('site', 'sito'),
    default: said('default', 'predefinito'),
  },

  aboutSite: said(
    'What travellers see, and where links lead. A change counts within a second; an empty field stands for the default.',
    'Che cosa vedono i viaggiatori e dove portano i link. Una modifica vale entro un secondo; un campo vuoto vale il valore predefinito.',
  ),
  aboutLegal: said(
    'Pages of your own site, linked at the foot of every page that travellers see.',
    'Pagine del tuo sito, collegate in fondo a ogni pagina che vedono i viaggiatori.',
  ),
  seePreview: said('See the traveller’s page', 'Vedi la pagina dei viaggiatori'),
  logo: said('Your logo', 'Il tuo logo'),
  ofEnvironment: said(
    (name: string) => `Set in the environment as ${name}, which wins: it is changed there.`,
    (name) => `Impostato nell’ambiente come ${name}, che prevale: si cambia lì.`,
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
  kept: said('The file that you chose is kept until you save.', 'Il file che hai scelto resta finché salvi.'),
  removeFile: said('Remove it', 'Rimuovilo'),
});
