/** Acts on connections, and what a read of an account comes to. */
import { clause, ofOption, row, sentence } from './refusal-row.ts';

export const CONNECTION_ACT_ROWS = {
  // Calls to a system.
  callsSpent: clause(
    'half of the calls that it allows are used; it is read again when it allows more',
    'la metà delle chiamate che consente è usata; si leggerà di nuovo quando ne consente altre',
  ),
  callsRefused: clause(
    'it refuses further calls for now; others may use the account too',
    'per ora rifiuta altre chiamate; forse l’account è usato anche da altri',
  ),
  claimLost: clause(
    'another one works on the account at present',
    'un altro sta lavorando su questo account',
  ),
  providerRedirects: clause(
    'it redirects to another address, which is not followed',
    'rimanda a un altro indirizzo, che non viene seguito',
  ),
  answerUnexpected: clause(
    'its answer is not what its description says',
    'la sua risposta non è quella della sua descrizione',
  ),

  // A room.
  roomMissing: clause('the answer lacks this room', 'nella risposta manca questo alloggio'),
  roomGone: clause('the account has this room no longer', 'l’account non ha più questo alloggio'),
  roomEmpty: clause(
    'the answer has no nights of this room, which had some before',
    'la risposta non ha notti di questo alloggio, che prima ne aveva',
  ),
  roomCurrency: clause(
    'its currency is {theirs}, that of the property {ours}',
    'la sua valuta è {theirs}, quella della struttura {ours}',
  ),
  roomSmaller: clause(
    'it hosts {theirs} guests, the type {ours}',
    'ospita {theirs} persone, il tipo di alloggio {ours}',
  ),
  roomElsewhere: clause(
    'its time zone is {theirs}, that of the property {ours}',
    'il suo fuso orario è {theirs}, quello della struttura {ours}',
  ),
  unknownRoom: clause(
    'the connection {name} has no room {room}',
    'la connessione {name} non ha un alloggio {room}',
  ),
  ratesUnused: sentence(
    'Rates of documents are not used for types whose prices come from {source}, here {count}',
    'I prezzi dei documenti non si usano per i tipi di alloggio i cui prezzi vengono da {source}, qui {count}',
  ),
  mappingRefused: clause('the mapping is refused: {why}', 'l’abbinamento è rifiutato: {why}'),
  typeConnected: clause(
    'this type is mapped to the room {room} of {source} already',
    'questo tipo corrisponde già all’alloggio {room} di {source}',
  ),

  // Acts.
  unknownConnection: clause('there is no connection {name}', 'non c’è una connessione {name}'),
  connectionNotRetired: clause(
    'it is kept by a connection; end it with "stayport connection remove {name}"',
    'lo tiene una connessione: rimuovila dalla pagina di {name}',
  ),
  connectionBusy: clause(
    'the connection {name} is being read; try again in a minute',
    'la connessione {name} è in lettura; riprova tra un minuto',
  ),
  connectionUnread: clause(
    'the connection {name} was not read: {why}',
    'la connessione {name} non è stata letta: {why}',
  ),
  connectionNameForm: ofOption(
    'name',
    row('must have 1 to 40 of a-z 0-9 -', 'deve avere da 1 a 40 caratteri tra a-z 0-9 -'),
  ),
  connectionNameTaken: clause(
    'there is a connection {name} already; give another --name',
    'c’è già una connessione {name}; scegli un altro nome',
  ),
  accountConnected: clause(
    'this account is connected already, as {name}',
    'questo account è già connesso, con il nome {name}',
  ),
  keyOfOtherAccount: clause(
    'this key is of another account; remove the connection and add one for it',
    'questa chiave è di un altro account; rimuovi la connessione e creane una nuova',
  ),
  keyRefused: clause('the key could not be used: {why}', 'la chiave non si è potuta usare: {why}'),
  keyForm: clause('the key must have {count} lines: {parts}', 'la chiave deve avere {count} righe: {parts}'),
  keyByCommand: sentence(
    'Keys are given in the console or to the command line',
    'Le chiavi si danno nella console o alla riga di comando',
  ),
  secretLong: clause('it is longer than any key', 'è più lungo di qualsiasi chiave'),
  unknownKind: clause(
    'there is no kind {kind}; there are {known}',
    'non c’è il tipo {kind}; ci sono {known}',
  ),
  unknownSetting: ofOption(
    'setting',
    row('must be one of {known}, not {setting}', 'deve essere uno tra {known}, non {setting}'),
  ),
  baseForbidden: ofOption(
    'setting',
    row(
      'may name a base only with CONNECTIONS_ALLOW_PRIVATE=true',
      'può indicare una base solo con CONNECTIONS_ALLOW_PRIVATE=true',
    ),
  ),
  baseForm: ofOption(
    'setting',
    row(
      'must name an https URL as base, or http on this machine',
      'deve indicare come base un URL https, oppure http su questa macchina',
    ),
  ),
  maxAgeForm: ofOption(
    'max-age',
    row('must be twice --every to {max}', 'deve andare dal doppio dell’intervallo a {max}'),
  ),
  unknownReason: clause(
    'there is no reason {reason} to allow; there are {known}',
    'non c’è un motivo {reason} da consentire; ci sono {known}',
  ),
  nothingHeldBack: clause('nothing of {name} is held back', 'niente di {name} è trattenuto'),
  nothingToMap: clause(
    'no room of {name} can be mapped so: see "stayport connection rooms {name}"',
    'nessun alloggio di {name} si può abbinare così: vedi la sua pagina',
  ),
  nothingToMapBy: clause('give --suggested, --create, or both', 'indica --suggested, --create, o entrambi'),
  documentLacks: clause(
    'its document lacks something: {field} {why}',
    'al suo documento manca qualcosa: {field} {why}',
  ),
  nothingToCompare: clause('no room of {name} is mapped', 'nessun alloggio di {name} è abbinato'),
  staysUnexplained: clause(
    'stays that differ without an explanation: {count}',
    'soggiorni che differiscono senza spiegazione: {count}',
  ),
};
