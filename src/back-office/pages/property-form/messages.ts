import { inLanguages, said } from '../../web/messages/said.ts';

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
  add: said('Add one', 'Aggiungi'),
  remove: said('Remove', 'Togli'),
  raise: said('Move up', 'Sposta su'),
  file: said('A picture from your device', 'Un’immagine dal tuo dispositivo'),
  fileHint: said(
    'JPEG, PNG, WebP or AVIF, at most 30 MB. It is turned upright, made smaller, and stored without the place where it was taken. Say below what it shows, then save.',
    'JPEG, PNG, WebP o AVIF, al massimo 30 MB. Viene raddrizzata, rimpicciolita e conservata senza il luogo in cui è stata scattata. Scrivi sotto che cosa mostra, poi salva.',
  ),
  upload: said('Upload the picture', 'Carica l’immagine'),
  preview: said('Preview of the traveller’s page', 'Anteprima della pagina del viaggiatore'),
  showPreview: said('Show the preview of this stay', 'Mostra l’anteprima di questo soggiorno'),
  nonRefundable: said('Nothing is ever refunded', 'Non si rimborsa mai nulla'),
  nights: said('Nights and prices of this property', 'Notti e prezzi di questa struttura'),
});
