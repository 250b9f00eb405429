/** Findings of `doctor`, and how to put them right: each goes on after the name of its check. */
import { clause } from './refusal-row.ts';

export const DOCTOR_ROWS = {
  /** A name, a value, a command, or the words of a system or a library, as they are. */
  asItIs: clause('{text}', '{text}'),
  alsoFound: clause('{one}; {other}', '{one}; {other}'),
  inList: clause('{one}, {other}', '{one}, {other}'),
  bothNames: clause('{one} and {other}', '{one} e {other}'),
  notCheckedDatabase: clause(
    'not checked: the database can not be read yet',
    'non controllato: il database non si può ancora leggere',
  ),
  notCheckedUnreached: clause(
    'not checked: the database can not be reached',
    'non controllato: il database non si può raggiungere',
  ),
  notCheckedService: clause(
    'not checked: the service does not run here',
    'non controllato: il servizio non è in esecuzione qui',
  ),
  nothingToCheck: clause('nothing to check', 'niente da controllare'),
  systemSilent: clause('this system does not say', 'questo sistema non lo dice'),
  checkLate: clause('no result within {seconds} s', 'nessun risultato entro {seconds} s'),
  fixDoctorAgain: clause(
    'run "stayport doctor" again; report a second failure',
    'esegui di nuovo "stayport doctor"; se non riesce ancora, segnalalo',
  ),
  checkFailed: clause('the check failed: {why}', 'il controllo non è riuscito: {why}'),
  fixReport: clause('please report it', 'segnalalo, per favore'),

  // This machine.
  fixSettings: clause(
    'correct {names}; docs/operating.md lists all settings',
    'correggi {names}; docs/operating.md elenca tutte le impostazioni',
  ),
  settingMisspelled: clause(
    '{name} has no effect (did you mean {meant}?)',
    '{name} non ha effetto (intendevi {meant}?)',
  ),
  fixMisspelled: clause('rename or remove {names}', 'rinomina o togli {names}'),
  settingsValid: clause('{count} are set, all valid', '{count} impostate, tutte valide'),
  fileSecretsPublic: clause(
    'other users may read {path}, which holds secrets',
    'altri utenti possono leggere {path}, che contiene segreti',
  ),
  fileShadowed: clause(
    'the environment of this command sets {names} to other values than {path}',
    'l’ambiente di questo comando dà a {names} valori diversi da {path}',
  ),
  fixShadowed: clause(
    'unset {names}, or remove them from the file; the environment wins',
    'togli {names} dall’ambiente o dal file; l’ambiente prevale',
  ),
  noEnvironmentFile: clause('none is used', 'nessuno è in uso'),
  fileIsRead: clause('{path} is read', '{path} viene letto'),
  settingUnreadable: clause('{name}: {path} can not be read', '{name}: {path} non si può leggere'),
  fixReadable: clause(
    'name a file or folder that this user may read',
    'indica un file o una cartella che questo utente possa leggere',
  ),
  allReadable: clause('all can be read', 'si possono leggere tutti'),
  nodeOld: clause('Node {version} is older than {wanted}', 'Node {version} è più vecchio di {wanted}'),
  fixNode: clause(
    'use the Node that comes with Stayport, or {wanted} or newer',
    'usa il Node che accompagna Stayport, oppure {wanted} o più recente',
  ),
  openFiles: clause(
    '{max} may be open, {needed} can be needed',
    'ne possono restare aperti {max}, ne possono servire {needed}',
  ),
  openFilesFew: clause(
    '{max} files may be open, and MAX_CONNECTIONS={connections} can need {needed}: fewer clients are let in',
    'possono restare aperti {max} file, e MAX_CONNECTIONS={connections} può richiederne {needed}: entrano meno client',
  ),
  fixOpenFiles: clause(
    'raise the limit (ulimit -n {needed}; LimitNOFILE={needed} in the systemd unit), or lower MAX_CONNECTIONS',
    'alza il limite (ulimit -n {needed}; LimitNOFILE={needed} nella unit di systemd) o abbassa MAX_CONNECTIONS',
  ),
  diskFree: clause('{free} of {total} are free at {path}', '{free} di {total} liberi in {path}'),
  diskExhausted: clause(
    '{free}: quotes and imports are refused on a full disk',
    '{free}: con il disco pieno preventivi e importazioni sono rifiutati',
  ),
  fixDiskFull: clause(
    'free space, or move the database to a larger disk',
    'libera spazio o sposta il database su un disco più grande',
  ),
  fixDiskLow: clause(
    'free space before it runs out; docs/operating.md, Sizing, says what grows',
    'libera spazio prima che finisca; docs/operating.md, Sizing, dice che cosa cresce',
  ),

  // The saved catalogue.
  catalogueNone: clause(
    'none is kept: each start reads the database',
    'non viene conservato: ogni avvio legge il database',
  ),
  fixCatalogueFile: clause(
    'name a path in CATALOGUE_FILE whose folder the user of the service may write',
    'indica in CATALOGUE_FILE un percorso la cui cartella sia scrivibile dall’utente del servizio',
  ),
  catalogueStops: clause(
    '{path} can not be written, so the service does not start: {why}',
    '{path} non si può scrivere, quindi il servizio non si avvia: {why}',
  ),
  catalogueUnwritten: clause(
    '{path} can not be written, so each start reads the database: {why}',
    '{path} non si può scrivere, quindi ogni avvio legge il database: {why}',
  ),
  catalogueLater: clause(
    '{path} is not there yet: the service writes it when it stops, and every ten minutes',
    '{path} non c’è ancora: il servizio lo scrive quando si ferma, e ogni dieci minuti',
  ),
  cataloguePublic: clause(
    'other users may read or write {path} (mode {mode}); one that they may write is not used',
    'altri utenti possono leggere o scrivere {path} (permessi {mode}); se possono scriverlo non viene usato',
  ),
  catalogueUnfit: clause(
    'the next start does not use {path} and reads the database: it {why}',
    'il prossimo avvio non usa {path} e legge il database: {why}',
  ),
  fixCatalogueUnfit: clause(
    'nothing if that is expected: the service writes it again; where several services share the path, set CATALOGUE_FILE for each',
    'niente, se te lo aspetti: il servizio lo riscrive; se più servizi condividono il percorso, imposta CATALOGUE_FILE per ciascuno',
  ),
  catalogueSaved: clause('{path} was saved {count} minutes ago', '{path} è stato salvato {count} minuti fa'),

  // The database.
  fixDatabase: clause(
    'check DATABASE_URL, and that the database runs and can be reached from this machine',
    'controlla DATABASE_URL, e che il database sia in esecuzione e raggiungibile da questa macchina',
  ),
  fixSchemaRefused: clause(
    'start the named release, or restore a backup from before the upgrade',
    'avvia la versione indicata o ripristina una copia di prima dell’aggiornamento',
  ),
  databaseEmpty: clause('{name} is empty', '{name} è vuoto'),
  fixDatabaseEmpty: clause(
    'run "stayport migrate", or just start the service',
    'esegui "stayport migrate", o avvia semplicemente il servizio',
  ),
  databaseOfBeta: clause('the database is of a beta', 'il database è di una beta'),
  fixBeta: clause(
    'end all processes of the beta, make a backup, and run "stayport migrate"; no beta starts afterwards',
    'ferma tutti i processi della beta, fai una copia ed esegui "stayport migrate"; poi nessuna beta si avvia più',
  ),
  schemaBehind: clause(
    'the schema is at {version}, and this release needs {latest}',
    'lo schema è alla {version}, e questa versione richiede la {latest}',
  ),
  fixSchemaBehind: clause(
    'run "stayport migrate"; it is additive: running processes are unaffected',
    'esegui "stayport migrate"; aggiunge soltanto: i processi in esecuzione non ne risentono',
  ),
  schemaNewer: clause(
    '{version}; this release knows {latest} and works on it',
    '{version}; questa versione conosce la {latest} e ci lavora',
  ),
  databaseWritable: clause('yes', 'sì'),
  fixFileOwner: clause(
    'give the file and its folder to the user of the service (chown)',
    'assegna il file e la sua cartella all’utente del servizio (chown)',
  ),
  fixDatabasePrimary: clause(
    'let DATABASE_URL lead to the writable primary, with the role that owns the database',
    'fai portare DATABASE_URL al primario scrivibile, con il ruolo proprietario del database',
  ),
  commitsDurable: clause('commits are durable', 'le scritture confermate restano'),
  filesReplaceable: clause(
    'every user may replace files in {path}',
    'ogni utente può sostituire file in {path}',
  ),
  fileOfEveryUser: clause(
    'every user may open {path}, which holds the handoff keys',
    'ogni utente può aprire {path}, che contiene le chiavi dei link',
  ),
  fileOfGroup: clause(
    'its group may open {path}, which holds the handoff keys',
    'il suo gruppo può aprire {path}, che contiene le chiavi dei link',
  ),
  commitsLost: clause(
    '{name} is off: acknowledged quotes are lost in a crash',
    '{name} è off: un arresto improvviso fa perdere preventivi confermati',
  ),
  fixCommits: clause(
    'set {name} = on in PostgreSQL and reload it',
    'imposta {name} = on in PostgreSQL e ricaricane la configurazione',
  ),
  noOtherClock: clause('the database has no other clock', 'il database non ha un altro orologio'),
  databaseServer: clause('the database server', 'server del database'),
  clockWithin: clause(
    "within {seconds} s of this machine's",
    'entro {seconds} s da quello di questa macchina',
  ),
  clockBehind: clause(
    "the clock of {whose} is {seconds} s behind this machine's",
    'l’orologio ({whose}) è indietro di {seconds} s rispetto a questa macchina',
  ),
  clockAhead: clause(
    "the clock of {whose} is {seconds} s ahead of this machine's",
    'l’orologio ({whose}) è avanti di {seconds} s rispetto a questa macchina',
  ),
  fixClocks: clause(
    'set both clocks with NTP (timedatectl set-ntp true)',
    'regola entrambi gli orologi con NTP (timedatectl set-ntp true)',
  ),
  fileNeedsNone: clause('a file needs none', 'un file non ne richiede'),
  connectionsUsed: clause(
    '{processes} processes with {workers} workers can use {needed} connections, other programs use {others}, and the server allows {max}',
    '{processes} processi con {workers} worker possono usare {needed} connessioni, altri programmi ne usano {others} e il server ne ammette {max}',
  ),
  fixConnections: clause(
    'set max_connections to {count} or more in PostgreSQL and restart it, or lower WORKERS',
    'imposta max_connections ad almeno {count} in PostgreSQL e riavvialo, o abbassa WORKERS',
  ),
  processesServe: clause('{count} processes serve this database', '{count} processi servono questo database'),
  olderServes: clause(
    'an older release serves too: {which}',
    'è in servizio anche una versione precedente: {which}',
  ),
  releaseOn: clause('{release} on {where}', '{release} su {where}'),
  fixOlder: clause(
    'finish the upgrade: what is new waits until every process is of this release',
    'completa l’aggiornamento: le novità aspettano che ogni processo sia di questa versione',
  ),

  // Redis.
  redisUnused: clause('not used: REDIS_URL is not set', 'non in uso: REDIS_URL non è impostato'),
  fixRedis: clause(
    'check REDIS_URL, and that Redis runs and can be reached; until then each process counts alone',
    'controlla REDIS_URL, e che Redis sia in esecuzione e raggiungibile; fino ad allora ogni processo conta da solo',
  ),
  limitsAlone: clause(
    '{count} processes serve, and each counts limits alone: REDIS_URL is not set',
    'sono in servizio {count} processi, e ognuno conta i limiti da solo: REDIS_URL non è impostato',
  ),
  fixLimitsAlone: clause(
    'set REDIS_URL to one Redis for all of them',
    'imposta REDIS_URL allo stesso Redis per tutti',
  ),
  redisReplica: clause(
    'this Redis is a replica: counts can not be written',
    'questo Redis è una replica: i conteggi non si possono scrivere',
  ),
  fixRedisReplica: clause('let REDIS_URL lead to the primary', 'fai portare REDIS_URL al primario'),
  redisForgets: clause(
    'maxmemory-policy is {policy}: with full memory Redis forgets counts, and partners exceed their limits',
    'maxmemory-policy è {policy}: a memoria piena Redis dimentica i conteggi, e i partner superano i loro limiti',
  ),
  fixRedisForgets: clause(
    'give Stayport a Redis of its own, or set maxmemory-policy to volatile-ttl or noeviction',
    'dai a Stayport un Redis tutto suo, o imposta maxmemory-policy a volatile-ttl o noeviction',
  ),
  redisUnlimited: clause('a primary without a limit of memory', 'un primario senza limite di memoria'),
  redisPrimary: clause('a primary, {policy}', 'un primario, {policy}'),

  // Listeners, proxies, certificates and addresses.
  hostImpossible: clause(
    '{setting}: this machine can not listen on {host} ({why})',
    '{setting}: questa macchina non può ascoltare su {host} ({why})',
  ),
  fixHost: clause(
    'name an address of this machine; 0.0.0.0 is all of them',
    'indica un indirizzo di questa macchina; 0.0.0.0 li comprende tutti',
  ),
  portTaken: clause(
    '{setting}: {host}:{port} is taken by another program',
    '{setting}: {host}:{port} è occupato da un altro programma',
  ),
  fixPort: clause(
    'stop that program ("ss -ltnp" names it), or set {names} to another port',
    'ferma quel programma ("ss -ltnp" dice quale), o imposta {names} a un’altra porta',
  ),
  portFree: clause('{setting} {port} is free', '{setting} {port} è libera'),
  portOurs: clause('{setting} {port} is ours', '{setting} {port} è nostra'),
  portAny: clause('{setting} takes a free one', '{setting} ne prende una libera'),
  forwardedUntrusted: clause(
    '{count} requests since the start had X-Forwarded-For and came from a sender that TRUSTED_PROXIES does not name: if it is your proxy, all partners share one ingress limit',
    '{count} richieste dall’avvio avevano X-Forwarded-For e venivano da un mittente che TRUSTED_PROXIES non nomina: se è il tuo proxy, tutti i partner condividono un solo limite in ingresso',
  ),
  fixProxies: clause(
    'set TRUSTED_PROXIES={networks} and restart the service',
    'imposta TRUSTED_PROXIES={networks} e riavvia il servizio',
  ),
  fixProxyOrClose: clause('{fix}, or close the port to it', '{fix}, o chiudigli la porta'),
  fixProxyOrLeave: clause(
    '{fix}; leave it if the port is only forwarded',
    '{fix}; lascia così se la porta è solo inoltrata',
  ),
  proxyExpected: clause(
    'PUBLIC_URL is https, so a proxy is in front, and TRUSTED_PROXIES is empty: all partners share one ingress limit',
    'PUBLIC_URL è https, quindi davanti c’è un proxy, e TRUSTED_PROXIES è vuoto: tutti i partner condividono un solo limite in ingresso',
  ),
  proxyUnnamed: clause(
    '{addresses} connects to PORT, and TRUSTED_PROXIES does not name it: its requests share one ingress limit',
    '{addresses} si collega a PORT, e TRUSTED_PROXIES non lo nomina: le sue richieste condividono un solo limite in ingresso',
  ),
  proxiesAlone: clause(
    '{networks} are trusted, and nobody else connects',
    '{networks} sono fidati, e nessun altro si collega',
  ),
  proxiesTrusted: clause('{networks} are trusted', '{networks} sono fidati'),
  noProxyExpected: clause(
    'PUBLIC_URL is plain http, on PORT: no proxy is expected',
    'PUBLIC_URL è http semplice, su PORT: non ci si aspetta un proxy',
  ),
  proxyLikely: clause(
    'PUBLIC_URL names port {asked}, and PORT is {port}: if a proxy is in front, all partners share one ingress limit',
    'PUBLIC_URL indica la porta {asked}, e PORT è {port}: se davanti c’è un proxy, tutti i partner condividono un solo limite in ingresso',
  ),
  notCheckedWeb: clause(
    'not checked: the web listener does not run',
    'non controllato: le pagine dei viaggiatori non sono in ascolto',
  ),
  legalLinked: clause(
    "the traveller's page links to imprint and privacy",
    'la pagina dei viaggiatori porta alle note legali e alla privacy',
  ),
  legalMissing: clause(
    "the traveller's page has no link for {names}",
    'alla pagina dei viaggiatori manca un link per {names}',
  ),
  fixLegal: clause(
    'set {names} to the https:// addresses of these pages',
    'imposta {names} agli indirizzi https:// di queste pagine',
  ),
  certificateNone: clause(
    'the web listener has none: a proxy is in front, or it does not run',
    'le pagine dei viaggiatori non ne hanno: davanti c’è un proxy, o non sono in ascolto',
  ),
  certificateLater: clause('the service makes one when it starts', 'il servizio ne crea uno quando si avvia'),
  certificateKey: clause(
    'WEB_TLS_KEY is not the key of WEB_TLS_CERT',
    'WEB_TLS_KEY non è la chiave di WEB_TLS_CERT',
  ),
  fixCertificateKey: clause(
    'name the certificate and the key that were issued together',
    'indica il certificato e la chiave che sono stati emessi insieme',
  ),
  certificateUnreadable: clause('WEB_TLS_CERT and WEB_TLS_KEY: {why}', 'WEB_TLS_CERT e WEB_TLS_KEY: {why}'),
  fixCertificateFiles: clause(
    'name two PEM files that this user may read',
    'indica due file PEM che questo utente possa leggere',
  ),
  fixCertificateOwn: clause(
    'restart the service, which makes another',
    'riavvia il servizio, che ne crea un altro',
  ),
  fixCertificateEnd: clause(
    'renew the certificate, then restart what serves it',
    'rinnova il certificato, poi riavvia ciò che lo usa',
  ),
  certificateForOther: clause(
    'WEB_TLS_CERT is not for {host}, the host of HANDOFF_BASE_URL',
    'WEB_TLS_CERT non vale per {host}, l’host di HANDOFF_BASE_URL',
  ),
  fixCertificateFor: clause('get a certificate for {host}', 'procurati un certificato per {host}'),
  certificatePublic: clause(
    'every user may read WEB_TLS_KEY, {path}',
    'ogni utente può leggere WEB_TLS_KEY, {path}',
  ),
  certificateOf: clause('the certificate of {host}', 'il certificato di {host}'),
  certificateEnded: clause('{what} ended on {date}', '{what} è scaduto il {date}'),
  certificateEnding: clause(
    '{what} ends in {days} days, on {date}',
    '{what} scade tra {days} giorni, il {date}',
  ),
  certificateEnds: clause('{what} ends on {date}', '{what} scade il {date}'),
  certificateRefused: clause(
    'clients refuse the certificate of {host}: {why}',
    'i client rifiutano il certificato di {host}: {why}',
  ),
  fixCertificateChain: clause(
    'serve the whole chain of a certificate for this name, from an authority that clients know',
    'offri l’intera catena di un certificato per questo nome, di un’autorità che i client conoscono',
  ),
  publicUrlLocal: clause(
    'PUBLIC_URL is {url}, which only this machine reaches: partners are sent there for documentation',
    'PUBLIC_URL è {url}, raggiungibile solo da questa macchina: i partner vengono mandati lì per la documentazione',
  ),
  fixPublicUrl: clause(
    'set PUBLIC_URL to the address that partners use, such as {example}',
    'imposta PUBLIC_URL all’indirizzo usato dai partner, come {example}',
  ),
  handoffUrlLocal: clause(
    'HANDOFF_BASE_URL is {url}, which this machine alone can open: travellers elsewhere can not ({finding})',
    'HANDOFF_BASE_URL è {url}, che solo questa macchina può aprire: i viaggiatori altrove non possono ({finding})',
  ),
  fixHandoffUrl: clause(
    '{fix}, and let YOUR-HOST lead to WEB_PORT (docs/traveller.md, "Turn it on")',
    '{fix}, e fai portare YOUR-HOST a WEB_PORT (docs/traveller.md, "Turn it on")',
  ),
  fixPutLine: clause('put {line} into {path} and restart it', 'metti {line} in {path} e riavvialo'),
  fixPutEnvironment: clause(
    'put {line} into the environment of the service and restart it',
    'metti {line} nell’ambiente del servizio e riavvialo',
  ),
  fixSetLine: clause(
    'run "stayport settings set {line}", or enter the address in the settings of the console',
    'esegui "stayport settings set {line}", o scrivi l’indirizzo nelle impostazioni della console',
  ),
  urlSilent: clause(
    '{origin} does not answer this machine ({why})',
    '{origin} non risponde a questa macchina ({why})',
  ),
  fixUrlSilent: clause(
    'check {name}, its DNS entry and the proxy; leave it if your network keeps machines from their own public address',
    'controlla {name}, la sua voce DNS e il proxy; lascia così se la tua rete impedisce alle macchine di raggiungere il proprio indirizzo pubblico',
  ),
  urlAnswers: clause('{origin} answers', '{origin} risponde'),
  urlStatus: clause('{origin} answers with {status}', '{origin} risponde con {status}'),
  urlNotPartner: clause(
    '{origin} answers with {status}, and not as the partner listener does',
    '{origin} risponde con {status}, e non come fa il servizio dei partner',
  ),
  urlNotWeb: clause(
    '{origin} answers with {status}, and not as the web listener does',
    '{origin} risponde con {status}, e non come fanno le pagine dei viaggiatori',
  ),
  fixUrl: clause('check {name}, and where the proxy leads', 'controlla {name}, e dove porta il proxy'),

  // Stored things.
  keysOfEnvironment: clause('{count} from HANDOFF_KEYS', '{count} da HANDOFF_KEYS'),
  keysLater: clause('the first start makes one', 'il primo avvio ne crea una'),
  fixKeys: clause(
    'run "stayport handoff rotate-key", then "stayport handoff retire-key" with the damaged one',
    'esegui "stayport handoff rotate-key", poi "stayport handoff retire-key" con quella danneggiata',
  ),
  keysOfDatabase: clause('{count} in the database', '{count} nel database'),
  tokensEnd: clause('each has an end', 'ognuno ha una scadenza'),
  tokensEndless: clause('{count} never end: {names}', '{count} non scadono mai: {names}'),
  fixTokens: clause(
    'issue successors that expire ("stayport operator-token issue"), then revoke these',
    'emetti successori con una scadenza ("stayport operator-token issue"), poi revoca questi',
  ),
  feedsFailing: clause('{count} can not be read: {names}', '{count} non si possono leggere: {names}'),
  fixFeeds: clause(
    '"stayport ical list" says why; check the address at the other platform',
    '"stayport ical list" dice perché; controlla l’indirizzo sull’altra piattaforma',
  ),
  connectionsRefused: clause(
    '{count} are refused, because a key, a right or the clock is wrong: {names}',
    '{count} sono rifiutate, perché una chiave, un diritto o l’orologio non va: {names}',
  ),
  connectionsLate: clause(
    '{count} have types that are not read: {names}',
    '{count} hanno tipi di alloggio che non vengono letti: {names}',
  ),
  fixAccounts: clause(
    '"stayport connection list" says why; "stayport connection key NAME" takes another key',
    '"stayport connection list" dice perché; "stayport connection key NOME" accetta un’altra chiave',
  ),
  connectionKeysEnd: clause(
    '{count} have a key that ends within 14 days: {names}',
    '{count} hanno una chiave che scade entro 14 giorni: {names}',
  ),
  fixConnectionKeys: clause(
    'make another key, then "stayport connection key NAME"',
    'crea un’altra chiave, poi "stayport connection key NOME"',
  ),
  connectionsPrivate: clause(
    'CONNECTIONS_ALLOW_PRIVATE lets calls go to this machine and to private addresses',
    'CONNECTIONS_ALLOW_PRIVATE permette chiamate a questa macchina e a indirizzi privati',
  ),
  fixConnectionsPrivate: clause('leave it out, except for tests', 'toglila, tranne che per le prove'),
  accountsRead: clause('none waits for you', 'nessuna ti aspetta'),
  feedsHeld: clause(
    '{count} are held back, because they would open half or more of the closed nights: {names}',
    '{count} sono trattenuti, perché aprirebbero metà o più delle notti chiuse: {names}',
  ),
  fixFeedsHeld: clause(
    'look at the calendar, then "stayport ical accept ID"',
    'guarda il calendario, poi "stayport ical accept ID"',
  ),
  feedsRead: clause('all are read', 'tutti vengono letti'),
  sourcesSilent: clause(
    '{count} properties are closed, because no source has confirmed them: {names}',
    '{count} strutture sono chiuse, perché nessuna fonte le ha confermate: {names}',
  ),
  fixSources: clause(
    '"stayport freshness" says which source is silent; start it again',
    '"stayport freshness" dice quale fonte tace; riavviala',
  ),
  sourcesUnchecked: clause(
    'not checked: no service runs here; "stayport freshness" lists silent sources',
    'non controllato: nessun servizio è in esecuzione qui; "stayport freshness" elenca le fonti che tacciono',
  ),
  sourcesHeard: clause('none has been silent for too long', 'nessuna tace da troppo tempo'),
  webhooksStopped: clause(
    '{count} were stopped, because they failed for 5 days or answered 410: {names}',
    '{count} sono stati fermati, perché non riuscivano da 5 giorni o hanno risposto 410: {names}',
  ),
  fixWebhooksStopped: clause(
    'ask the partner, then "stayport webhook enable ID", or "stayport webhook disable ID" to leave it so',
    'chiedi al partner, poi "stayport webhook enable ID", oppure "stayport webhook disable ID" per lasciarlo così',
  ),
  webhooksFailing: clause(
    '{count} fail, and are tried again: {names}',
    '{count} non riescono, e vengono ritentati: {names}',
  ),
  fixWebhooks: clause(
    '"stayport webhook deliveries ID" says what they answer; tell the partner',
    '"stayport webhook deliveries ID" dice che cosa rispondono; avvisa il partner',
  ),
  webhooksWell: clause('none fails', 'nessuno fallisce'),
  siteRefused: clause(
    'these stored values do not count: {which}',
    'questi valori memorizzati non contano: {which}',
  ),
  fixSite: clause(
    'correct them in the console, at /console/settings, or with "stayport settings set"',
    'correggili nella console, in /console/settings, o con "stayport settings set"',
  ),
  siteSet: clause('{count} are set in the database', '{count} impostate nel database'),
  siteHidden: clause(
    '{count} are set in the database; the environment wins for {names}',
    '{count} impostate nel database; per {names} prevale l’ambiente',
  ),

  // Pictures and taxes.
  machinesApart: clause(
    '{count} machines serve, and each has its own pictures in {path}',
    'sono in servizio {count} macchine, e ognuna ha le proprie immagini in {path}',
  ),
  fixMachinesApart: clause(
    'set WEB_IMAGES on each to one folder that all of them share',
    'imposta WEB_IMAGES su ciascuna a una sola cartella condivisa da tutte',
  ),
  uploadsUncompared: clause(
    'not compared: too many properties have uploaded pictures',
    'non confrontate: troppe strutture hanno immagini caricate',
  ),
  uploadsNamed: clause(
    '{count} are stored, and properties name them',
    '{count} sono conservate, e le strutture le nominano',
  ),
  uploadsUnused: clause(
    '{count} of {all} files ({megabytes} MB) in {path} are named by no property',
    '{count} di {all} file ({megabytes} MB) in {path} non sono nominati da nessuna struttura',
  ),
  fixUploads: clause(
    'where no backup or file to import needs them: {command}',
    'se nessuna copia e nessun file da importare ne ha bisogno: {command}',
  ),
  fixUploadsRest: clause(
    'where no backup or file to import needs them: {command}; then run this again for the rest',
    'se nessuna copia e nessun file da importare ne ha bisogno: {command}; poi ripeti per i restanti',
  ),
  picturesNone: clause(
    'no property names a picture of WEB_IMAGES',
    'nessuna struttura nomina un’immagine di WEB_IMAGES',
  ),
  picturesSized: clause(
    '{count} of {all} say their size, each as its document does',
    '{count} di {all} dicono le loro dimensioni, ognuna come il suo documento',
  ),
  picturesCut: clause(
    '{finding}; only the first {count} were looked at',
    '{finding}; ne sono state guardate solo le prime {count}',
  ),
  picturesWrong: clause(
    '{count} have another size than their documents say: {which}',
    '{count} hanno dimensioni diverse da quelle dei loro documenti: {which}',
  ),
  pictureWrong: clause(
    '{propertyId}, {src}: said {said}, is {actual}',
    '{propertyId}, {src}: dichiarata {said}, in realtà {actual}',
  ),
  fixPictureSizes: clause(
    'write the width and height of each file into "images" of its property and import it again, or replace the file',
    'scrivi larghezza e altezza di ogni file in "images" della sua struttura e importala di nuovo, o sostituisci il file',
  ),
  positionsNone: clause(
    '{count} looked at, and none says where it was taken',
    '{count} guardate, e nessuna dice dove è stata scattata',
  ),
  positionsFound: clause(
    '{count} of {all} say where they were taken, and everybody may read it: {names}',
    '{count} di {all} dicono dove sono state scattate, e chiunque può leggerlo: {names}',
  ),
  positionsCut: clause(
    '{finding}; there are more, which were not looked at',
    '{finding}; ce ne sono altre, che non sono state guardate',
  ),
  fixPositions: clause(
    'take the position off these files ({command}), or upload them in the form of their property',
    'togli la posizione da questi file ({command}), o caricali nel modulo della loro struttura',
  ),
  picturesUnlooked: clause('not looked at: {why}', 'non guardate: {why}'),
  fixPicturesUnlooked: clause(
    'take large and damaged files out of WEB_IMAGES',
    'togli da WEB_IMAGES i file grandi e danneggiati',
  ),
  picturesLibrary: clause(
    "not looked at, and pictures can't be uploaded: {why}",
    'non guardate, e non si possono caricare immagini: {why}',
  ),
  fixPicturesLibrary: clause(
    'install the packages again for this system and processor: {command}, or the archive made for it',
    'installa di nuovo i pacchetti per questo sistema e processore: {command}, o l’archivio fatto per esso',
  ),
  taxesLast: clause('none before the last night offered', 'nessuna prima dell’ultima notte offerta'),
  taxesEnd: clause(
    'the last rule of a tax ends, and later nights are quoted without it: {names}',
    'l’ultima regola di una tassa finisce, e le notti successive sono quotate senza: {names}',
  ),
  taxesCut: clause(
    '{finding}; only the first {count} properties with dated rules were looked at',
    '{finding}; sono state guardate solo le prime {count} strutture con regole datate',
  ),
  fixTaxes: clause(
    'add the rule that follows to "taxes" of the property, with a later "validTo" or none, and import it again or save its form; remove a rule whose tax has been abolished',
    'aggiungi la regola che segue a "taxes" della struttura, con un "validTo" successivo o senza, e importala di nuovo o salva il suo modulo; togli la regola di una tassa abolita',
  ),
};
