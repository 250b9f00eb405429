/** Values of acts, and acts that the present state refuses. */
import { clause, ofOption, row, sentence } from './refusal-row.ts';

export const ACT_ROWS = {
  notOriginUrl: row('must be an origin such as {example}', 'deve essere un’origine come {example}'),
  notNetworkOrAddress: row(
    'must be a network such as {one} or {other}, or an address',
    'deve essere una rete come {one} o {other}, o un indirizzo',
  ),
  notDuration: row(
    'must be a duration such as {examples} or {last}',
    'deve essere una durata come {examples} o {last}',
  ),
  notInstant: row('must be an instant such as {example}', 'deve essere un istante come {example}'),
  notDay: row('must be a date such as {example}', 'deve essere una data come {example}'),
  notSource: row('must be the name of a source', 'deve essere il nome di una fonte'),
  notEncoding: row(
    'must be an encoding such as {examples} or {last}',
    'deve essere una codifica come {examples} o {last}',
  ),
  notAmount: row('must be an amount such as {example}', 'deve essere un importo come {example}'),
  notCountryOption: row(
    'must be an ISO 3166-1 alpha-2 code such as {example}',
    'deve essere un codice ISO 3166-1 alpha-2 come {example}',
  ),
  notCurrencyOption: row(
    'must be an ISO 4217 code such as {example}',
    'deve essere un codice ISO 4217 come {example}',
  ),
  notTimezoneOption: row(
    'must be an IANA timezone such as {example}',
    'deve essere un fuso orario IANA come {example}',
  ),

  settingsChanged: clause(
    'somebody else has changed settings since this form was shown: open it again',
    'qualcun altro ha cambiato le impostazioni da quando il modulo è stato mostrato: riaprilo',
  ),
  requestCut: clause(
    'only the part of this request that could be read is kept, so it cannot be asked again',
    'di questa richiesta è conservata solo la parte leggibile, quindi non si può ripetere',
  ),
  notTyped: row('must be {names}', 'deve essere {names}'),

  // Addresses.
  webhookUrlForm: row(
    'must be at most {max} characters, such as {example}',
    'deve avere al massimo {max} caratteri, come {example}',
  ),
  feedUrlForm: row(
    'must be a URL of at most {max} characters, such as {example}',
    'deve essere un URL di al massimo {max} caratteri, come {example}',
  ),
  notHttps: row('must begin with https://', 'deve iniziare con https://'),
  notHttp: row('must begin with https:// or http://', 'deve iniziare con https:// o http://'),
  urlWithLogin: row('must not hold a name or a password', 'non deve contenere un nome o una password'),
  urlWithFragment: row('must not have a fragment (#)', 'non deve avere un frammento (#)'),
  loginNotEncoded: row(
    'must have its name and password percent-encoded',
    'deve avere nome e password codificati con %',
  ),

  // Mappings.
  keyLength: row('must be 1 to {max} characters', 'deve avere da 1 a {max} caratteri'),
  notPropertyId: row('must be a property id', 'deve essere l’id di una struttura'),
  notTypeId: row('must be an inventory type id', 'deve essere l’id di un tipo di alloggio'),

  // Names that are not there.
  unknownProperty: clause('there is no property {id}', 'non c’è la struttura {id}'),
  unknownType: clause(
    'the property {propertyId} has no inventory type {typeId}; it has {known}',
    'la struttura {propertyId} non ha il tipo di alloggio {typeId}; ha {known}',
  ),
  unknownPartner: clause('there is no partner {id}', 'non c’è il partner {id}'),
  unknownCredential: clause('there is no credential {id}', 'non c’è la credenziale {id}'),
  unknownToken: clause('there is no operator token {id}', 'non c’è il token dell’operatore {id}'),
  unknownSession: clause(
    'there is no session {id}; "console sessions" lists them',
    'non c’è la sessione {id}; "console sessions" le elenca',
  ),
  unknownPasskey: clause(
    'there is no passkey {id}; "console passkeys" lists them',
    'non c’è la passkey {id}; "console passkeys" le elenca',
  ),
  unknownKey: clause('there is no handoff key {id}', 'non c’è la chiave di handoff {id}'),
  unknownFeed: clause(
    'there is no feed {id}; "ical list" shows them',
    'non c’è il feed {id}; "ical list" li mostra',
  ),
  unknownWebhook: clause('there is no webhook {id}', 'non c’è il webhook {id}'),
  unknownDelivery: clause('there is no delivery {id}', 'non c’è la consegna {id}'),
  unknownMapping: clause(
    'the source {source} has no mapping of {key}; "mapping list" shows them',
    'la fonte {source} non ha una corrispondenza di {key}; "mapping list" le mostra',
  ),
  unknownPublished: clause(
    'no calendar of {propertyId}, {typeId} is published; "ical published" lists them',
    'nessun calendario di {propertyId}, {typeId} è pubblicato; "ical published" li elenca',
  ),
  foreignHandoff: clause(
    'this handoff value was not issued here',
    'questo valore di handoff non è stato emesso qui',
  ),

  // Names, scopes and terms.
  nameForm: clause(
    'a name is one line of 1 to {max} characters',
    'un nome è una riga da 1 a {max} caratteri',
  ),
  nameWrong: clause('the name {wrong}', 'il nome {wrong}'),
  partnerIdForm: clause(
    'partner id {id} is not 1 to 160 of A-Z a-z 0-9 . _ ~ -',
    'l’id di partner {id} non ha da 1 a 160 caratteri tra A-Z a-z 0-9 . _ ~ -',
  ),
  partnerTaken: clause('partner {id} exists already', 'il partner {id} esiste già'),
  originForm: clause(
    '{text} is not a web origin such as {one} or {other}',
    '{text} non è un’origine web come {one} o {other}',
  ),
  originsOfPartner: clause('a partner has at most {max} origins', 'un partner ha al massimo {max} origini'),
  unknownScope: clause(
    '{scope} is not a scope; there are {known}',
    '{scope} non è un permesso; ci sono {known}',
  ),
  sourceWrong: clause('a source {wrong}', 'una fonte {wrong}'),
  tokenExpiry: clause(
    'an operator token expires in the future, in the year 9999 at the latest',
    'un token dell’operatore scade nel futuro, al più tardi nell’anno 9999',
  ),
  credentialExpiry: clause(
    'a credential expires in the future, in the year 9999 at the latest',
    'una credenziale scade nel futuro, al più tardi nell’anno 9999',
  ),
  quotaForm: clause(
    'a quota is 1 to {max} requests per 60 seconds',
    'una quota va da 1 a {max} richieste ogni 60 secondi',
  ),
  networkForm: clause('{text} is not a network such as {example}', '{text} non è una rete come {example}'),
  networksMany: ofOption('network', row('is given at most {max} times', 'si indica al massimo {max} volte')),
  formOfRevoked: clause(
    'this form issued {id}, which was revoked at {at}; open its page again',
    'questo modulo ha emesso {id}, revocata alle {at}; riapri la sua pagina',
  ),
  credentialRevoked: clause(
    'credential {id} was revoked at {at}; issue a new one',
    'la credenziale {id} è stata revocata alle {at}; emettine una nuova',
  ),
  credentialExpired: clause(
    'credential {id} expired at {at}; issue a new one',
    'la credenziale {id} è scaduta alle {at}; emettine una nuova',
  ),
  overlapForm: clause(
    'an overlap is 0 to {max} days, for example {example}',
    'una sovrapposizione va da 0 a {max} giorni, per esempio {example}',
  ),
  linkLife: clause(
    'a link is valid for 1 second to 1 hour, for example {example}',
    'un link vale da 1 secondo a 1 ora, per esempio {example}',
  ),

  // Webhooks.
  urlWrong: clause('the URL {wrong}', 'l’URL {wrong}'),
  webhooksMany: clause(
    'a partner has at most {max} enabled webhooks, and all partners together {all}: disable one first, or change the URL of one',
    'un partner ha al massimo {max} webhook attivi, e tutti i partner insieme {all}: prima disattivane uno, o cambia l’URL di uno',
  ),
  unknownEvent: clause(
    '{event} is not an event; there are {known}',
    '{event} non è un evento; ci sono {known}',
  ),
  secretsMany: clause(
    '{count} secrets of {id} sign at present: wait until the oldest ends',
    '{count} segreti di {id} firmano ora: aspetta che il più vecchio finisca',
  ),
  deliveryPending: clause(
    '{id} is pending: it will be tried anyway',
    '{id} è in attesa: sarà comunque ritentata',
  ),
  deliveryOfDisabled: clause('the webhook of {id} is disabled', 'il webhook di {id} è disattivato'),
  webhookDisabled: clause(
    '{id} is disabled; "webhook enable" enables it',
    '{id} è disattivato; "webhook enable" lo riattiva',
  ),
  partnerDisabled: clause(
    'the partner of {id} is disabled, so nothing is sent; "partner enable" enables it',
    'il partner di {id} è disattivato, quindi nulla viene inviato; "partner enable" lo riattiva',
  ),

  // Handoff keys.
  keysOfSetting: clause(
    'the keys come from HANDOFF_KEYS: {advice}',
    'le chiavi vengono da HANDOFF_KEYS: {advice}',
  ),
  rotateInSetting: row(
    'put the new key first in that list and restart',
    'metti la nuova chiave per prima in quell’elenco e riavvia',
  ),
  listInSetting: row('that setting lists them', 'quell’impostazione le elenca'),
  retireInSetting: row(
    'remove the key from that list and restart',
    'togli la chiave da quell’elenco e riavvia',
  ),
  keySeals: clause(
    '{id} seals new quotes: run "stayport handoff rotate-key" first, then retire it',
    '{id} sigilla i nuovi preventivi: prima esegui "stayport handoff rotate-key", poi ritirala',
  ),

  // Nights, prices and sources.
  fromToTurned: ofOption(
    'to',
    row(
      'must not be before --from: both are nights, and both are included',
      'non deve precedere --from: sono entrambe notti, ed entrambe comprese',
    ),
  ),
  changedMeanwhile: clause('it changed meanwhile: {wrong}', 'è cambiato nel frattempo: {wrong}'),
  pricedBySystem: clause(
    'the source {source} prices {typeId} of {propertyId}: set it there, or clear all its rates of this type there and set it here again',
    'la fonte {source} dà i prezzi a {typeId} di {propertyId}: impostalo lì, o togli lì tutti i suoi prezzi di questo tipo e impostalo di nuovo qui',
  ),
  nothingSet: clause(
    '{source} has set nothing of {propertyId}; these have: {known}',
    '{source} non ha impostato nulla di {propertyId}; l’hanno fatto: {known}',
  ),
  nothingSent: clause(
    'the source {source} has sent nothing for any property; "source list" shows all sources',
    'la fonte {source} non ha inviato nulla per alcuna struttura; "source list" mostra tutte le fonti',
  ),
  nothingSentFor: clause(
    'the source {source} has sent nothing for the property {propertyId}; "source list" shows all sources',
    'la fonte {source} non ha inviato nulla per la struttura {propertyId}; "source list" mostra tutte le fonti',
  ),
  manualNotRetired: clause(
    'open manually closed nights with "open"; they cannot be retired',
    'riapri con "open" le notti chiuse a mano; non si possono ritirare',
  ),
  ageNotRetired: clause(
    '{source} ends by itself when a source confirms the property again',
    '{source} finisce da sé quando una fonte conferma di nuovo la struttura',
  ),
  feedNotRetired: clause(
    'it is a subscribed calendar: "ical unsubscribe {id}" ends it',
    'è un calendario a cui si è iscritti: "ical unsubscribe {id}" lo termina',
  ),
  ownsDocuments: clause(
    'the source {source} owns the document of {ids}: withdraw it first ("property withdraw ID"), or name another property',
    'la fonte {source} possiede il documento di {ids}: prima ritiralo ("property withdraw ID"), o nomina un’altra struttura',
  ),

  // Calendars of others.
  everyForm: ofOption(
    'every',
    row(
      'must be a duration from {min} to {max}, such as {example}',
      'deve essere una durata da {min} a {max}, come {example}',
    ),
  ),
  optionWrong: ofOption('{option}', row('{wrong}', '{wrong}')),
  keyReused: clause('the key was used for another feed', 'la chiave è stata usata per un altro feed'),
  feedBusy: clause(
    'the feed {id} is being polled; try again in two minutes',
    'il feed {id} è in lettura; riprova tra due minuti',
  ),
  nothingHeld: clause('nothing of the feed {id} is held back', 'nulla del feed {id} è trattenuto'),
  layerGone: clause(
    'the property {propertyId} or its inventory type {typeId} no longer exists',
    'la struttura {propertyId} o il suo tipo di alloggio {typeId} non esiste più',
  ),
  fileOfMappings: clause(
    '{file}: {why} (after {count} rows; rows read before that stay written)',
    '{file}: {why} (dopo {count} righe; le righe lette prima restano scritte)',
  ),

  // Settings of the site.
  settingEmpty: clause(
    '{name}: its value is empty; "settings unset {name}" removes it',
    '{name}: il suo valore è vuoto; "settings unset {name}" lo toglie',
  ),
  settingFileWrong: clause('{name}: {file} {wrong}', '{name}: {file} {wrong}'),
  settingWrong: clause(
    '{name}: {value} {wrong}; for example {name}={example}',
    '{name}: {value} {wrong}; per esempio {name}={example}',
  ),
  circleWrong: clause(
    '{name}: leads back to {other}; for example {name}={example}',
    '{name}: riporta a {other}; per esempio {name}={example}',
  ),
  unpaired: clause(
    '{name}: is not set, but {other} is; for example {name}={example}',
    '{name}: non è impostato, ma {other} lo è; per esempio {name}={example}',
  ),
  itsValue: row('its value', 'il suo valore'),
  theFile: row('the file', 'il file'),
  settingsBusy: clause(
    'others change settings of the site all the time: try again',
    'altri cambiano di continuo le impostazioni del sito: riprova',
  ),
  ofSetting: clause('{name}: {wrong}', '{name}: {wrong}'),

  // Inputs that do not go together.
  sessionOrAll: clause('give a session id, or --all', 'indica l’id di una sessione, o --all'),
  nothingToChange: clause(
    'nothing to change: give --url, --every or --name',
    'nulla da cambiare: indica --url, --every o --name',
  ),
  nothingToSet: clause(
    'nothing to set: give --rate, --units or --min-stay',
    'nulla da impostare: indica --rate, --units o --min-stay',
  ),
  nothingOfCredential: clause(
    'nothing to change: give --quota or --network',
    'nulla da cambiare: indica --quota o --network',
  ),
  nothingOfPartner: clause(
    'nothing to change: give --name, --origin, --disable or --enable',
    'nulla da cambiare: indica --name, --origin, --disable o --enable',
  ),
  optionsOpposed: clause(
    'option {one} cannot be used with option {other}',
    'l’opzione {one} non si può usare con l’opzione {other}',
  ),
  noneAndSome: ofOption(
    'network',
    clause('none must not be given with a network', 'none non va indicato insieme a una rete'),
  ),
  assignmentForm: clause('write the setting as NAME=VALUE', 'scrivi l’impostazione come NOME=VALORE'),

  // Calls of one's own partner, and pictures in bulk.
  listenerAway: clause(
    'this listener does not run here: see {setting}',
    'questo listener non gira qui: vedi {setting}',
  ),
  callsBusy: clause(
    'other calls are being sent: try again in a moment',
    'si stanno inviando altre chiamate: riprova tra poco',
  ),
  callLate: clause('no answer came within {max} seconds', 'nessuna risposta è arrivata entro {max} secondi'),
  listenerUnreached: clause(
    'the listener could not be reached ({code})',
    'il listener non si è potuto raggiungere ({code})',
  ),
  noPropertySeen: clause(
    'this partner sees no property yet: create one first',
    'questo partner non vede ancora alcuna struttura: prima creane una',
  ),
  callUnknown: clause('call must be one of {calls}', 'call deve essere uno tra {calls}'),
  notHandoff: clause(
    'handoff must be the value of a quote',
    'handoff deve essere il valore di un preventivo',
  ),
  filesAtOnce: sentence('At most {max} files at once', 'Al massimo {max} file alla volta'),
  picturesAtOnce: sentence(
    'At most {max} pictures of {properties} properties at once',
    'Al massimo {max} immagini di {properties} strutture alla volta',
  ),

  // Why partners are not served at present.
  serviceStopping: sentence('The service is being stopped', 'Il servizio si sta fermando'),
  catalogueLoading: clause(
    'the catalogue is loading from {place}',
    'il catalogo è in caricamento (origine: {place})',
  ),
  accessStale: clause(
    'access could not be read from the database for {seconds} seconds: {why}',
    'gli accessi non si leggono dal database da {seconds} secondi: {why}',
  ),
  catalogueStale: clause(
    'the catalogue could not be read from the database for {seconds} seconds: {why}',
    'il catalogo non si legge dal database da {seconds} secondi: {why}',
  ),
  databaseSilent: clause('the database does not answer', 'il database non risponde'),
  noWorker: clause('no worker accepts connections yet', 'nessun processo accetta ancora connessioni'),
  ofWorker: clause('worker {number}: {why}', 'processo {number}: {why}'),
  workerSilent: clause('does not answer', 'non risponde'),
};
