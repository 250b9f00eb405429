import { inLanguages, said } from '../../web/messages/said.ts';

export const PICTURES_TEXTS = inLanguages({
  title: said('Pictures of many properties', 'Immagini di molte strutture'),
  about: said(
    'Choose a folder, or drop it here: files find their property, by its id or its name, from the folder or their own name, such as flat-01/1.jpg or Casa Verde 1.jpg. Put them in order, then save once.',
    'Scegli una cartella, o trascinala qui: i file trovano la loro struttura, per id o per nome, dalla cartella o dal proprio nome, ad esempio flat-01/1.jpg o Casa Verde 1.jpg. Mettili in ordine, poi salva una volta.',
  ),
  needsScript: said(
    'This page needs JavaScript. Without it, upload pictures in the form of each property.',
    'Questa pagina richiede JavaScript. Senza, carica le immagini nel modulo di ogni struttura.',
  ),
  choose: said('Choose a folder', 'Scegli una cartella'),
  folder: said('A folder', 'Una cartella'),
  files: said('Or some files', 'Oppure alcuni file'),
  save: said('Save all', 'Salva tutto'),
  give: said('These are of', 'Sono di'),
  property: said('Property id or name', 'Id o nome della struttura'),
  assign: said('Assign', 'Assegna'),
  remove: said('Remove', 'Togli'),
  mayNot: said('You may only read here.', 'Qui puoi solo leggere.'),
  ofScript: {
    has: said('{count} so far', 'finora {count}'),
    unmatched: said('No property for: {name}', 'Nessuna struttura per: {name}'),
    unknown: said('There is no property {name}.', 'La struttura {name} non esiste.'),
    saved: said('Saved: {count} pictures.', 'Salvate: {count} immagini.'),
    allSaved: said('All pictures are saved.', 'Tutte le immagini sono salvate.'),
    someLeft: said(
      'Saved, but for {count} groups: look at them below.',
      'Salvato, tranne {count} gruppi: guardali qui sotto.',
    ),
    nothing: said('There is nothing to save.', 'Non c’è nulla da salvare.'),
    tooManyFiles: said(
      'Only the first {max} files are taken at once; choose the others after saving.',
      'Si prendono solo i primi {max} file alla volta; scegli gli altri dopo aver salvato.',
    ),
    leftOut: said(
      '{count} files are not pictures, and are left out.',
      '{count} file non sono immagini e restano fuori.',
    ),
  },
});
