import { codeText, type Content, type Html, html as say } from '../../../http/html/html.ts';
import { english, inLanguages, italian, type Said, said } from '../../web/messages/said.ts';
import type { TodayKind } from './read.ts';

type TaskSentence = (subject: Content, values: Readonly<Record<string, Content>>) => Html;

const sentence = said<TaskSentence>;

export const TODAY_TEXTS = inLanguages({
  allWell: said(
    'All is well: partners are served, and nothing waits for you.',
    'Tutto bene: i partner sono serviti e nulla attende un tuo intervento.',
  ),
  numbers: said('The 7 days up to yesterday (UTC)', 'I 7 giorni fino a ieri (UTC)'),
  needed: said('To do', 'Da fare'),
  requests: said('Requests', 'Richieste'),
  value: said('Booking value', 'Valore prenotato'),
  p99: said('Slowest 1% (p99)', '1% più lento (p99)'),
  refused: said('Refused', 'Rifiutate'),
  before: said(
    (text: string) => `${text} the week before`,
    (text) => `${text} la settimana prima`,
  ),
  line: said(
    (label: string, first: string, high: string, last: string) =>
      `${label}, 14 days: first ${first}, highest ${high}, last ${last}`,
    (label, first, high, last) => `${label}, 14 giorni: primo ${first}, massimo ${high}, ultimo ${last}`,
  ),
  /** The button of each task. */
  buttons: {
    notReady: said('See the requests', 'Vedi le richieste'),
    noProperties: said('Add properties', 'Aggiungi strutture'),
    noQuote: said('All steps', 'Tutti i passi'),
    travellers: said('Enter the address', 'Indica l’indirizzo'),
    refusedConnection: said('See what is wrong', 'Vedi cosa non va'),
    lateConnection: said('See why', 'Vedi perché'),
    heldConnection: said('Look at it', 'Guardalo'),
    heldFeed: said('Look at it', 'Guardalo'),
    failingFeed: said('Look at it', 'Guardalo'),
    silentSource: said('See the source', 'Vedi la fonte'),
    failingWebhook: said('Open the webhook', 'Apri il webhook'),
    stoppedWebhook: said('Open the webhook', 'Apri il webhook'),
    expiringCredential: said('Renew it', 'Rinnovala'),
    errorsRose: said('See the requests', 'Vedi le richieste'),
    unmetDemand: said('See why', 'Vedi perché'),
  } satisfies Readonly<Record<TodayKind, Said>>,
  /** The event, its subject and the values of its row. */
  says: {
    notReady: sentence(
      (_nobody, { reason }) => say`Partners are not served now: ${reason}`,
      (_nobody, { reason }) => say`I partner ora non sono serviti: ${reason}`,
    ),
    noProperties: sentence(
      () => say`There are no properties yet: partners find nothing.`,
      () => say`Non c’è ancora nessuna struttura: i partner non trovano nulla.`,
    ),
    noQuote: sentence(
      () => say`No partner has made a quote yet: see what is done, and what is next.`,
      () => say`Nessun partner ha ancora chiesto un preventivo: guarda cosa è fatto e cosa manca.`,
    ),
    travellers: sentence(
      () =>
        say`Links of quotes open on this machine alone: enter ${codeText('https://YOUR-HOST/handoff')} as the address of the traveller’s page.`,
      () =>
        say`I link dei preventivi si aprono solo su questa macchina: scrivi ${codeText('https://IL-TUO-HOST/handoff')} come indirizzo della pagina del viaggiatore.`,
    ),
    refusedConnection: sentence(
      (name, { reason }) => say`The connection ${name} is refused: ${reason}.`,
      (name, { reason }) => say`La connessione ${name} è rifiutata: ${reason}.`,
    ),
    lateConnection: sentence(
      (name, { reason }) =>
        reason === ''
          ? say`The connection ${name} has not been read for a while: its nights close if that lasts.`
          : say`The connection ${name} has not been read for a while: ${reason}. Its nights close if that lasts.`,
      (name, { reason }) =>
        reason === ''
          ? say`La connessione ${name} non è letta da un po’: se continua, le sue notti si chiudono.`
          : say`La connessione ${name} non è letta da un po’: ${reason}. Se continua, le sue notti si chiudono.`,
    ),
    heldConnection: sentence(
      (name, { count }) =>
        say`The connection ${name} holds back ${english.counted(Number(count), 'type', 'types')}: many nights would open, or many prices fall by more than half.`,
      (name, { count }) =>
        say`La connessione ${name} trattiene ${italian.counted(Number(count), 'tipo di alloggio', 'tipi di alloggio')}: molte notti si aprirebbero, o molti prezzi scenderebbero di oltre la metà.`,
    ),
    heldFeed: sentence(
      (property, { type, until }) =>
        until === undefined
          ? say`A calendar of ${property} (${type}) is held back: it would open many nights.`
          : say`A calendar of ${property} (${type}) is empty where stays were. Its nights stay closed until you accept it, or it is still empty after ${until}.`,
      (property, { type, until }) =>
        until === undefined
          ? say`Un calendario di ${property} (${type}) è trattenuto: aprirebbe molte notti.`
          : say`Un calendario di ${property} (${type}) è vuoto dove c’erano soggiorni. Le sue notti restano chiuse finché non lo accetti, o se è ancora vuoto dopo ${until}.`,
    ),
    failingFeed: sentence(
      (property, { type, reason }) => say`A calendar of ${property} (${type}) cannot be read: ${reason}.`,
      (property, { type, reason }) =>
        say`Un calendario di ${property} (${type}) non si può leggere: ${reason}.`,
    ),
    silentSource: sentence(
      (source, { since }) => say`Source ${source} has confirmed nothing since ${since}.`,
      (source, { since }) => say`La fonte ${source} non conferma più nulla (ultima conferma: ${since}).`,
    ),
    failingWebhook: sentence(
      (host, { partner, since }) =>
        say`The webhook of ${partner} at ${host} has accepted nothing since ${since}.`,
      (host, { partner, since }) =>
        say`Il webhook di ${partner} presso ${host} non accetta nulla dal ${since}.`,
    ),
    stoppedWebhook: sentence(
      (host, { partner, since }) =>
        say`The webhook of ${partner} at ${host} was stopped on ${since}: nothing is sent until it is enabled again.`,
      (host, { partner, since }) =>
        say`Il webhook di ${partner} presso ${host} è fermo dal ${since}: nulla si invia finché non è riattivato.`,
    ),
    expiringCredential: sentence(
      (credential, { partner, until }) =>
        say`Credential ${credential} of ${partner} ends on ${until}. All credentials of this partner end soon.`,
      (credential, { partner, until }) =>
        say`Scadenza della credenziale ${credential} di ${partner}: ${until}. Tutte le sue credenziali scadono presto.`,
    ),
    errorsRose: sentence(
      (partner, { code, count, before }) =>
        say`Partner ${partner} got ${count} × ${code} in the last hour, and ${before} in the hour before.`,
      (partner, { code, count, before }) =>
        say`Il partner ${partner} ha ricevuto ${count} × ${code} nell’ultima ora e ${before} in quella prima.`,
    ),
    unmetDemand: sentence(
      (place, { checkIn, nights: stay, guests: people, count }) =>
        say`${place}, ${checkIn}, ${stay}, ${people}: ${english.counted(Number(count), 'search', 'searches')} found nothing.`,
      (place, { checkIn, nights: stay, guests: people, count }) =>
        say`${place}, ${checkIn}, ${stay}, ${people}: ${italian.counted(Number(count), 'ricerca', 'ricerche')} senza risultati.`,
    ),
  } satisfies Readonly<Record<TodayKind, Said<TaskSentence>>>,
});
