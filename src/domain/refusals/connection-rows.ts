/** Property management systems: why the key, or what one answers, can't be used. Never in the words of the system. */
import { clause } from './refusal-row.ts';

export const CONNECTION_ROWS = {
  // The key.
  connectionKeyWrong: clause('{system} does not accept the key', '{system} non accetta la chiave'),
  connectionClockWrong: clause(
    '{system} does not accept the signature, and its clock and the one here differ by {seconds} s',
    '{system} non accetta la firma, e il suo orologio e quello di qui differiscono di {seconds} s',
  ),
  connectionForbidden: clause(
    '{system} does not allow the key to read this',
    '{system} non permette alla chiave di leggerlo',
  ),
  connectionRightMissing: clause('the key lacks the right {scope}', 'alla chiave manca il diritto {scope}'),
  connectionMayWrite: clause(
    'the key may also change the account; {scopes} would be enough',
    'la chiave può anche modificare l’account; basterebbero {scopes}',
  ),

  // An answer.
  answerNotJson: clause(
    'the answer of {system} cannot be read as JSON',
    'la risposta di {system} non si può leggere come JSON',
  ),
  answerFailed: clause(
    '{system} answered that the call failed',
    '{system} ha risposto che la chiamata non è riuscita',
  ),
  answerLacks: clause('the answer of {system} lacks {field}', 'nella risposta di {system} manca {field}'),
  answerUnasked: clause(
    'the answer of {system} has a room that was not asked for',
    'la risposta di {system} ha una camera che non era stata chiesta',
  ),
  answerTwice: clause(
    'the answer of {system} has a room twice',
    'la risposta di {system} ha due volte una camera',
  ),
  answerRooms: clause(
    'the account at {system} has more than {max} rooms, which is more than is read',
    'l’account di {system} ha più di {max} alloggi, più di quanti se ne leggono',
  ),
  answerPages: clause(
    'the answer of {system} has more than {max} pages',
    'la risposta di {system} ha più di {max} pagine',
  ),
  answerCut: clause(
    'the answer of {system} has fewer entries than it announces',
    'la risposta di {system} ha meno voci di quante ne annuncia',
  ),

  // The part of an answer that is about one room.
  roomUnread: clause('its calendar cannot be read', 'il suo calendario non si può leggere'),
  roomNightTwice: clause('its calendar has a night twice', 'il suo calendario ha due volte una notte'),
  roomHalf: clause(
    'it is in one list of the answer and not in the other',
    'è in un elenco della risposta e non nell’altro',
  ),
};
