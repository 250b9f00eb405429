import { inLanguages, said } from '../../web/messages/said.ts';

export const PEOPLE_TEXTS = inLanguages({
  sessions: said('Sessions', 'Sessioni'),
  aboutAll: said(
    'Who is signed in to the console. Ending a session works in every process at once.',
    'Chi ha effettuato l’accesso alla console. Terminare una sessione vale subito in ogni processo.',
  ),
  aboutOwn: said(
    'Where you are signed in to the console. Ending a session works in every process at once.',
    'Dove hai effettuato l’accesso alla console. Terminare una sessione vale subito in ogni processo.',
  ),
  thisOne: said('this session', 'questa sessione'),
});
