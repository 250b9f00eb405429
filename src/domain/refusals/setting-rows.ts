/** Values of settings. */
import { row } from './refusal-row.ts';

export const SETTING_ROWS = {
  settingNotWhole: row(
    'is not a whole number from {min} to {max}',
    'non è un numero intero da {min} a {max}',
  ),
  settingNotWholeOrAuto: row(
    'is neither "auto" nor a whole number from {min} to {max}',
    'non è né "auto" né un numero intero da {min} a {max}',
  ),
  settingNotChoice: row('is not one of {choices}', 'non è uno tra {choices}'),
  settingNotFlag: row('is neither true nor false', 'non è né true né false'),
  notOneLine: row(
    'holds a line break or another control character',
    'contiene un’interruzione di riga o un altro carattere di controllo',
  ),
  notLine: row('is not a line of at most {max} characters', 'non è una riga di al massimo {max} caratteri'),
  marksDirection: row(
    'holds a mark that turns the direction of text',
    'contiene un segno che cambia la direzione del testo',
  ),

  // Hosts, networks and addresses.
  notHost: row('is not a host name or IP address', 'non è un nome di host né un indirizzo IP'),
  hostNotHost: row(
    'holds "{host}", which is not a host name',
    'contiene "{host}", che non è un nome di host',
  ),
  notNetwork: row(
    'holds "{network}", which is not a network in CIDR notation',
    'contiene "{network}", che non è una rete in notazione CIDR',
  ),
  notHttpUrl: row('is not an http:// or https:// URL', 'non è un URL http:// o https://'),
  notHttpsUrl: row('is not an https:// URL', 'non è un URL https://'),
  notHttpsUnlessHere: row(
    'is not an https:// URL; http:// is for localhost only',
    'non è un URL https://; http:// è solo per localhost',
  ),
  hasQuery: row(
    'has a query or a fragment, where only a path may follow the host',
    'ha una query o un frammento: dopo l’host può seguire solo un percorso',
  ),
  hasPath: row('has a path, where only a host may stand', 'ha un percorso, dove può stare solo un host'),
  hasLogin: row('holds a user name or a password', 'contiene un nome utente o una password'),
  notLoopback: row(
    'is http:// of an address that is not loopback: sessions would cross the network in the clear',
    'è http:// di un indirizzo che non è locale: le sessioni passerebbero in chiaro sulla rete',
  ),
  notContactUrl: row('is not a mailto:, tel: or https:// URL', 'non è un URL mailto:, tel: o https://'),
  notPersonUrl: row('is not a mailto:, tel: or https: address', 'non è un indirizzo mailto:, tel: o https:'),
  notOrigin: row(
    'holds "{origin}", which is not an https:// origin without path or wildcard',
    'contiene "{origin}", che non è un’origine https:// senza percorso né caratteri jolly',
  ),
  originsMany: row('has more than {max} origins', 'ha più di {max} origini'),
  leadsBack: row('leads back to {setting}', 'riporta a {setting}, la pagina da cui parte il viaggiatore'),

  // Files and looks.
  notPath: row('is not a path of a file', 'non è il percorso di un file'),
  notLogoFile: row('is not a file that ends in .svg or .png', 'non è un file che finisce in .svg o .png'),
  notColour: row('is not a colour like {example}', 'non è un colore come {example}'),
  logoLarge: row('has more than {max} KB; make it smaller', 'supera {max} KB; riducilo'),
  logoTooLarge: row('is too large; make it smaller', 'è troppo grande; riducilo'),
  logoOfOtherKind: row('is not a {kind} picture', 'non è un’immagine {kind}'),
  notLogo: row('is neither an SVG nor a PNG picture', 'non è un’immagine SVG né PNG'),
  notSmallLogo: row(
    'is not an SVG or PNG picture of at most {max} KB',
    'non è un’immagine SVG o PNG di al massimo {max} KB',
  ),
  fileUnreadable: row("can't be read ({code})", 'non si può leggere ({code})'),

  // Where a setting may be changed.
  notOfSite: row(
    'is not a setting of the site: set it in the environment, and restart',
    'non è un’impostazione del sito: cambiala nell’ambiente, e riavvia',
  ),
  noSetting: row(
    'is not a setting; those of the site are {names}',
    'non è un’impostazione; quelle del sito sono {names}',
  ),
  setInEnvironment: row(
    'is set in the environment, which wins: change it there',
    'è impostato nell’ambiente, che prevale: cambialo lì',
  ),

  // Databases and keys.
  notDatabaseUrl: row('is neither {one} nor {other}', 'non è né {one} né {other}'),
  // Only the environment has it, and a start that it stops says it in English.
  notRedisUrl: row('{why}', '{why}'),
  notKeys: row('is not a list of keys: {why}', 'non è un elenco di chiavi: {why}'),
  keysMany: row('more than {max} keys', 'più di {max} chiavi'),
  keyNoColon: row(
    'key {place} has no colon between key id and base64',
    'la chiave {place} non ha i due punti tra id e base64',
  ),
  keyIdForm: row(
    'key {place} has a key id that is not 1 to {max} of A-Z a-z 0-9 _ -',
    'la chiave {place} ha un id che non ha da 1 a {max} caratteri tra A-Z a-z 0-9 _ -',
  ),
  keyIdRepeated: row('key {place} repeats a key id', 'la chiave {place} ripete un id'),
  keyNotBytes: row(
    'key {place} is not the base64 of exactly {count} bytes',
    'la chiave {place} non è il base64 di esattamente {count} byte',
  ),
  keyZero: row(
    'key {place} is all zeros; make one with "openssl rand -base64 32"',
    'la chiave {place} è tutta zeri; creane una con "openssl rand -base64 32"',
  ),
};
