/** `/console/people`: the sessions of the console that one may end. */
import { listSessions, mayAct, type SessionView } from '../../../access/console-sessions.ts';
import type { AskingPerson, PagePorts, PageQuestion } from '../../reading/console-page.ts';

/** A page under 60 KB; JSON has all rows. */
const SESSIONS_SHOWN_MAX = 60;

/** `rows` as `console sessions` prints them: of everybody for administrators, else one's own. */
export async function readPeople({ storage, clock }: PagePorts, { person, isJson }: PageQuestion) {
  const all = (await listSessions({ storage, clock })).filter((row) => maySee(row, person));
  const rows = isJson ? all : all.slice(0, SESSIONS_SHOWN_MAX);
  return { rows, leftOutCount: all.length - rows.length };
}

/** Names are given out by the command line: the same name with the same role is the same person. */
export function isOfPerson(row: SessionView, person: AskingPerson): boolean {
  return row.name === person.name && row.role === person.role;
}

export function maySee(row: SessionView, person: AskingPerson | undefined): boolean {
  return person !== undefined && (isOfPerson(row, person) || mayAct(person.role, 'admin'));
}
