import { english, inLanguages, italian, said } from '../../web/messages/said.ts';

export const PROPERTY_FORM_TEXTS = inLanguages({
  create: said('New property', 'Nuova struttura'),
  change: said('Change the property', 'Modifica la struttura'),
  saved: said('Saved. Partners see it within a second.', 'Salvato. I partner lo vedono entro un secondo.'),
  foreign: said(
    (owner: string) =>
      `This property belongs to the source ${owner}: change it there. What is below is only shown.`,
    (owner: string) =>
      `Questa struttura appartiene alla fonte ${owner}: modificala lì. Qui sotto è solo mostrata.`,
  ),
  complete: said('complete', 'completa'),
  sections: said('Sections of the form', 'Sezioni del modulo'),
  section: {
    basics: said('Basics', 'Dati di base'),
    rooms: said('Rooms and prices', 'Camere e prezzi'),
    pictures: said('Pictures', 'Immagini'),
    terms: said('Times and terms', 'Orari e condizioni'),
    legal: said('Legal', 'Dati legali'),
    more: said('More', 'Altro'),
  },
  mistakes: said(
    (count: number) => english.counted(count, 'mistake', 'mistakes'),
    (count: number) => italian.counted(count, 'errore', 'errori'),
  ),
  wrong: said(
    'Nothing was saved yet. Please look at these fields:',
    'Nulla è ancora salvato. Controlla questi campi:',
  ),
  changedMeanwhile: said(
    'Somebody else changed this property while you did. Look at both, then save: what you typed is below.',
    'Qualcun altro ha modificato questa struttura nel frattempo. Confronta, poi salva: quanto hai scritto è qui sotto.',
  ),
  field: said('Field', 'Campo'),
  theirs: said('Saved meanwhile', 'Salvato nel frattempo'),
  yours: said('In this form', 'In questo modulo'),
  required: said('required', 'obbligatorio'),
  otherAmenities: said('Others', 'Altri'),
  copy: said('Copy this property', 'Copia questa struttura'),
  copied: said(
    (from: string) =>
      `A copy of ${from}, not saved yet: give it an id and a name. Nights, calendars and the registration number are not copied.`,
    (from: string) =>
      `Una copia di ${from}, non ancora salvata: dalle un id e un nome. Notti, calendari e codice identificativo non sono copiati.`,
  ),
  asLast: said(
    (from: string) =>
      `Kind, country, currency, time zone and times are those of ${from}, which was saved last: change what differs.`,
    (from: string) =>
      `Tipo, paese, valuta, fuso e orari sono quelli di ${from}, salvata per ultima: cambia ciò che è diverso.`,
  ),
  oneIsEnough: said('One of the languages is enough.', 'Basta una delle lingue.'),
  add: said('Add one', 'Aggiungi'),
  remove: said('Remove', 'Togli'),
  raise: said('Move up', 'Sposta su'),
  preview: said('Preview of the traveller’s page', 'Anteprima della pagina del viaggiatore'),
  showPreview: said('Show the preview of this stay', 'Mostra l’anteprima di questo soggiorno'),
  nonRefundable: said('Nothing is ever refunded', 'Non si rimborsa mai nulla'),
  nights: said('Nights and prices of this property', 'Notti e prezzi di questa struttura'),
});

export const PICTURE_TEXTS = inLanguages({
  files: said('Pictures from your device, one or several', 'Immagini dal tuo dispositivo, una o più'),
  dropHere: said('You can also drop them here.', 'Puoi anche trascinarle qui.'),
  fileHint: said(
    'JPEG, PNG, WebP or AVIF, at most 30 MB each. They are turned upright, made smaller, and stored without the place where they were taken. The property has them when you save.',
    'JPEG, PNG, WebP o AVIF, al massimo 30 MB ciascuna. Vengono raddrizzate, rimpicciolite e conservate senza il luogo in cui sono state scattate. La struttura le ha quando salvi.',
  ),
  upload: said('Upload the pictures', 'Carica le immagini'),
  grip: said('Move with the arrow keys, or drag:', 'Sposta con le frecce, o trascina:'),
  suggested: said(
    'Suggested text: better say what the picture shows.',
    'Testo suggerito: meglio dire che cosa mostra l’immagine.',
  ),
  again: said('Try again', 'Riprova'),
  leave: said('Leave it out', 'Lascia fuori'),
  /** Texts of the script; it fills in what is in braces. */
  ofScript: {
    picture: said('Picture', 'Immagine'),
    overall: said('{done} of {all} pictures sent', '{done} immagini su {all} inviate'),
    refused: said('; {count} not taken', '; {count} non accettate'),
    moved: said('Picture {number} of {all}', 'Immagine {number} di {all}'),
    removed: said('Picture removed; {all} left', 'Immagine tolta; ne restano {all}'),
    waits: said('waits: other pictures are being read', 'attende: si stanno leggendo altre immagini'),
    made: said('is being made ready', 'è in preparazione'),
    tooLarge: said('must have at most 30 MB', 'deve avere al massimo 30 MB'),
    heic: said(
      'is HEIC, which browsers do not show: save it as JPEG, and send that',
      'è in HEIC, che i browser non mostrano: salvala come JPEG e invia quella',
    ),
    tooMany: said(
      'was not sent: a property has at most {max} pictures',
      'non è stata inviata: una struttura ha al massimo {max} immagini',
    ),
    twice: said('is one of the pictures already', 'è già tra le immagini'),
    offline: said(
      'The server does not answer. Nothing is lost: try again when it answers.',
      'Il server non risponde. Non si perde nulla: riprova quando risponde.',
    ),
    signedOut: said(
      'You are signed out. Nothing is lost: sign in in another tab, then try again here.',
      'La sessione è finita. Non si perde nulla: accedi in un’altra scheda, poi riprova qui.',
    ),
    failed: said('was not taken. Try again', 'non è stata accettata. Riprova'),
    saveWaits: said('Saves when all pictures have arrived.', 'Salva quando tutte le immagini sono arrivate.'),
    notAllThere: said(
      'Not saved: some pictures were not taken. Look at them, then save.',
      'Non salvato: alcune immagini non sono state accettate. Guardale, poi salva.',
    ),
    unsaved: said('Not saved yet.', 'Non ancora salvato.'),
  },
});
