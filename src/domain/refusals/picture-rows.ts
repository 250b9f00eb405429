/** Pictures that people send. */
import { clause, row } from './refusal-row.ts';

export const PICTURE_ROWS = {
  noFile: row('choose a file', 'scegli un file'),
  pictureEmpty: row(
    'is empty (0 bytes); open the picture on your device, so that it is loaded, and send it again',
    'è vuota (0 byte); apri l’immagine sul tuo dispositivo, così che venga caricata, e inviala di nuovo',
  ),
  pictureHeic: row(
    'is HEIC, which browsers do not show; save it as JPEG and send that',
    'è in HEIC, che i browser non mostrano; salvala come JPEG e invia quella',
  ),
  notPicture: row(
    'must be a JPEG, PNG, WebP or AVIF picture',
    'deve essere un’immagine JPEG, PNG, WebP o AVIF',
  ),
  pictureBytes: row(
    'must have at most {max} MB, not {count} bytes',
    'deve avere al massimo {max} MB, non {count} byte',
  ),
  pictureAnimated: row(
    'holds several pictures, as animations do; send one picture',
    'contiene più immagini, come le animazioni; inviane una sola',
  ),
  pictureDamaged: row(
    'is damaged or not complete; open it in a program for pictures, save it again, and send that file',
    'è danneggiata o incompleta; aprila in un programma per immagini, salvala di nuovo e invia quel file',
  ),
  pictureArea: row(
    'must be at most {side} pixels wide and high, {millions} million in all, not {width} × {height}',
    'deve avere al massimo {side} pixel di larghezza e altezza, {millions} milioni in tutto, non {width} × {height}',
  ),
  pictureLarge: row(
    'would still have more than {max} MiB when it is made ready for the page; send a smaller one',
    'avrebbe ancora più di {max} MiB una volta pronta per la pagina; inviane una più piccola',
  ),
  pictureLate: row(
    'takes more than {max} s to be read; save it as JPEG, or smaller',
    'richiede più di {max} s per essere letta; salvala come JPEG, o più piccola',
  ),
  pictureMemory: row(
    'takes more than {max} MiB of memory to be read; save it as JPEG, or smaller',
    'richiede più di {max} MiB di memoria per essere letta; salvala come JPEG, o più piccola',
  ),
  picturesUnreadable: row(
    "can't be read on this machine, which lacks the library that reads pictures ({why}); put the file into WEB_IMAGES by hand, without a position in it",
    'non si può leggere su questa macchina, a cui manca la libreria che legge le immagini ({why}); metti il file in WEB_IMAGES a mano, senza una posizione al suo interno',
  ),
  picturesOfMinute: row(
    'was not read: more than {max} pictures came within a minute; send it again in a moment',
    'non è stata letta: sono arrivate più di {max} immagini in un minuto; inviala di nuovo tra poco',
  ),
  picturesBusy: row(
    'was not read: other pictures are being read; send it again in a moment',
    'non è stata letta: si stanno leggendo altre immagini; inviala di nuovo tra poco',
  ),
  picturesOfForm: row(
    'was not taken: a form sends at most {max} pictures',
    'non è stata accettata: un modulo invia al massimo {max} immagini',
  ),
  diskFull: row(
    'the disk is full: nothing was stored in WEB_IMAGES',
    'il disco è pieno: nulla è stato conservato in WEB_IMAGES',
  ),
  folderUnwritable: row(
    "it can't be written ({code}): nothing was stored in WEB_IMAGES",
    'non si può scrivere ({code}): nulla è stato conservato in WEB_IMAGES',
  ),
  pictureChanged: row(
    'was changed by others at the same moment; try again',
    'è stata modificata da altri nello stesso momento; riprova',
  ),
  pictureThere: row('is one of the pictures already', 'è già tra le immagini'),
  picturesMany: row(
    'must be at most {max} pictures; remove one first',
    'non possono essere più di {max} immagini; prima togline una',
  ),

  // The form of a property.
  idTaken: clause('{id} is taken', '{id} esiste già'),
  notStay: row(
    'must be a stay: the day of arrival, a later day of departure, and how many guests',
    'deve essere un soggiorno: il giorno di arrivo, un giorno di partenza successivo e il numero di ospiti',
  ),
};
