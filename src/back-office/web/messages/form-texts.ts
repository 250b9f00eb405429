/** Texts of the forms: their buttons, their fields, and what is said around them. */
import type { ActName } from '../../console/console-forms.ts';
import { type Said, said } from './said.ts';

export const FORM_TEXTS = {
  /** Buttons of the forms that change something, by `data-act`. */
  acts: {
    issue: said('Issue a credential', 'Emetti una credenziale'),
    'credential-update': said('Change quota or networks', 'Modifica quota o reti'),
    rotate: said('Rotate', 'Rinnova'),
    revoke: said('Revoke for good', 'Revoca per sempre'),
    accept: said('Accept', 'Accetta'),
    'property-save': said('Save the property', 'Salva la struttura'),
    close: said('Close nights', 'Chiudi notti'),
    open: said('Open nights', 'Apri notti'),
    'partner-create': said('Create a partner', 'Crea un partner'),
    'partner-update': said('Change the partner', 'Modifica il partner'),
    'token-issue': said('Issue an operator token', 'Emetti un token operatore'),
    'token-revoke': said('Revoke for good', 'Revoca per sempre'),
    'nights-save': said('Set prices and units', 'Imposta prezzi e unità'),
    'property-withdraw': said('Withdraw the property', 'Ritira la struttura'),
    'feed-add': said('Subscribe to a calendar', 'Abbona un calendario'),
    'feed-update': said('Change a calendar', 'Modifica un calendario'),
    'feed-test': said('Fetch now', 'Leggi ora'),
    'feed-remove': said('Unsubscribe', 'Disdici'),
    publish: said('Publish a calendar', 'Pubblica un calendario'),
    unpublish: said('Stop publishing', 'Smetti di pubblicare'),
    'mapping-set': said('Set a mapping', 'Imposta una corrispondenza'),
    'mapping-delete': said('Delete', 'Elimina'),
    'source-retire': said('Retire…', 'Dismetti…'),
    'webhook-create': said('Create a webhook', 'Crea un webhook'),
    'webhook-test': said('Send a test', 'Invia una prova'),
    'webhook-rotate': said('Make a new secret', 'Crea un nuovo segreto'),
    'webhook-disable': said('Disable', 'Disattiva'),
    'webhook-enable': said('Enable', 'Attiva'),
    'webhook-update': said('Change the URL', 'Cambia URL'),
    'webhook-delete': said('Delete', 'Elimina'),
    'webhook-end-old-keys': said('End old secrets', 'Termina i vecchi segreti'),
    'webhook-replay': said('Send again', 'Invia di nuovo'),
    'ask-again': said('Ask again as this partner, now', 'Chiedi di nuovo come questo partner, ora'),
    'import-catalogue': said('Check the file', 'Controlla il file'),
    'import-rates': said('Check the file', 'Controlla il file'),
    'sign-in': said('Sign in', 'Accedi'),
    'sign-out': said('Sign out', 'Esci'),
    'sign-in-passkey': said('Sign in with a passkey', 'Accedi con una passkey'),
    'sign-in-again': said('Sign in again with your passkey', 'Accedi di nuovo con la tua passkey'),
    'passkey-register': said('Register a passkey', 'Registra una passkey'),
    'passkey-end': said('End', 'Termina'),
  } satisfies Readonly<Record<ActName, Said>>,

  /** Fields of forms, by their names; the others have the heading of their name. */
  labels: {
    partnerId: said('Id', 'Id'),
    origin: said('Browser origins, one a line', 'Origini del browser, una per riga'),
    scope: said('Scopes', 'Ambiti'),
    credentialId: said('Credential', 'Credenziale'),
    feedId: said('Calendar', 'Calendario'),
    network: said('Networks, one a line', 'Reti, una per riga'),
    expires: said('Expires', 'Scade'),
    test: said('For the sandbox', 'Per la sandbox'),
    overlap: said('Old token works for', 'Il vecchio token vale per'),
    type: said('Room type', 'Tipo di camera'),
    from: said('First night', 'Prima notte'),
    to: said('Last night', 'Ultima notte'),
    property: said('Property id', 'Id della struttura'),
    url: said('URL', 'URL'),
    event: said('Events', 'Eventi'),
    every: said('Fetched every', 'Letto ogni'),
    external: said('Its name at the source', 'Il suo nome presso la fonte'),
    rate: said('Rate per night', 'Tariffa per notte'),
    units: said('Units to sell', 'Unità in vendita'),
    minStay: said('Minimum stay', 'Soggiorno minimo'),
    typed: said('The name of the property, once more', 'Il nome della struttura, ancora una volta'),
  },

  /** Below a field. If another form has a field of the same name, the key includes the form. */
  hints: {
    partnerId: said('A random one if empty.', 'Se vuoto, uno casuale.'),
    origin: said(
      'Such as https://shop.example. None: only servers may call.',
      'Ad esempio https://shop.example. Nessuna: chiamano solo i server.',
    ),
    network: said(
      'Such as 192.0.2.0/24 or 2001:db8::/32; from elsewhere the token is unknown. None: from anywhere.',
      'Ad esempio 192.0.2.0/24 o 2001:db8::/32; da altrove il token è sconosciuto. Nessuna: da ovunque.',
    ),
    'credential-update.network': said(
      'The whole list, such as 192.0.2.0/24. Empty: stays as it is; none: from anywhere.',
      'L’elenco intero, ad esempio 192.0.2.0/24. Vuoto: resta com’è; none: da ovunque.',
    ),
    'credential-update.quota': said('Empty: stays as it is.', 'Vuoto: resta com’è.'),
    'issue.scope': said('None chosen: those of the contract.', 'Nessuno scelto: quelli del contratto.'),
    'token-issue.scope': said('None chosen: all.', 'Nessuno scelto: tutti.'),
    expires: said(
      'A date or an instant such as 2027-12-31T00:00:00Z; empty: never.',
      'Una data o un istante come 2027-12-31T00:00:00Z; vuoto: mai.',
    ),
    test: said(
      'The token begins with sp_test_ and sees only invented properties.',
      'Il token comincia con sp_test_ e vede solo strutture inventate.',
    ),
    'token-issue.name': said('Which system will use it.', 'Quale sistema lo userà.'),
    'token-issue.source': said(
      'The only source that it may write; empty: any.',
      'L’unica fonte che può scrivere; vuoto: qualsiasi.',
    ),
    'feed-add.url': said(
      'Of the calendar at the other platform; https, http or webcal.',
      'Del calendario presso l’altra piattaforma; https, http o webcal.',
    ),
    'feed-update.url': said(
      'Empty: stays as it is. From another URL it is fetched at once; closed nights stay until then.',
      'Vuoto: resta com’è. Un altro URL viene letto subito; fino ad allora le notti restano chiuse.',
    ),
    'feed-update.every': said(
      'Such as 30m or 24h; empty: stays as it is.',
      'Ad esempio 30m o 24h; vuoto: resta com’è.',
    ),
    'feed-update.name': said('Empty: stays as it is; none: no name.', 'Vuoto: resta com’è; none: nessun nome.'),
    'webhook-create.url': said(
      'Where the partner receives; https only. The secret is shown once, on the next page.',
      'Dove riceve il partner; solo https. Il segreto compare una volta, nella pagina seguente.',
    ),
    'webhook-create.event': said('None chosen: all.', 'Nessuno scelto: tutti.'),
    every: said('Such as 30m or 24h; empty: 30m.', 'Ad esempio 30m o 24h; vuoto: 30m.'),
    'feed-add.name': said('For your own lists; may be empty.', 'Per i tuoi elenchi; può restare vuoto.'),
    rate: said(
      'Such as 120.00. Empty: as it is; none: no price.',
      'Ad esempio 120.00. Vuoto: com’è; none: nessun prezzo.',
    ),
    units: said(
      'Empty: as they are; none: not set. Without units nothing is sold.',
      'Vuoto: come sono; none: non impostate. Senza unità nulla si vende.',
    ),
    minStay: said('In nights. Empty: as it is; none: not set.', 'In notti. Vuoto: com’è; none: non impostato.'),
    external: said('A room_type_id or rate_plan_id.', 'Un room_type_id o rate_plan_id.'),
    'source-retire.property': said('Empty: all properties of the source.', 'Vuoto: tutte le strutture della fonte.'),
    'partner-create.name': said('For lists and logs.', 'Per elenchi e log.'),
  },

  /** Around the fields of a form. */
  forms: {
    mistakes: said(
      'Please look at these fields; what you typed is still here:',
      'Controlla questi campi; ciò che hai scritto è ancora qui:',
    ),
    meanwhile: said(
      (now: string) => `Somebody has changed this meanwhile. It is now: ${now || '(empty)'}`,
      (now) => `Nel frattempo qualcuno lo ha modificato. Ora è: ${now || '(vuoto)'}`,
    ),
    did: said(
      (act: string) => `Done: ${act}.`,
      (act) => `Fatto: ${act}.`,
    ),
    preview: said(
      'Nothing is written yet. This is what would be done:',
      'Nulla è ancora scritto. Ecco che cosa accadrebbe:',
    ),
    doIt: said('Do it', 'Procedi'),
    outcome: said('What came of it', 'L’esito'),
    disable: said('Disable', 'Disattiva'),
    enable: said('Enable', 'Attiva'),
    copy: said('Copy', 'Copia'),
    copied: said('Copied', 'Copiato'),
    calls: said('The calls of /v1, ready to paste', 'Le chiamate di /v1, pronte da incollare'),
    callNames: said(
      ['Search', 'Read a property', 'Check a stay', 'Make a quote'],
      ['Cerca', 'Leggi una struttura', 'Verifica un soggiorno', 'Fai un preventivo'],
    ),
    mappings: said('Mappings', 'Corrispondenze'),
    newUrl: said('New URL', 'Nuovo URL'),
    keepUrl: said('Copy the URL now: it is not shown again.', 'Copia l’URL ora: non sarà più mostrato.'),
  },
};
