/** `/console/people`: who is signed in, with a button that ends the session. */
import { pageRow } from '../../web/page-row.ts';
import { mayAct } from '../../../access/console-sessions.ts';
import type { ShownBy } from '../../reading/console-page.ts';
import { breakable, html } from '../../../http/html/html.ts';
import { dataTable, type PageView, postForm, thereAreMore, timeText } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { PEOPLE_TEXTS } from './messages.ts';
import { isOfPerson, readPeople } from './read.ts';

const COMMAND = 'console sessions';

export function peoplePage(view: PageView, { rows, leftOutCount }: ShownBy<typeof readPeople>): PageParts {
  const { person, messages } = view;
  const texts = PEOPLE_TEXTS[view.locale];
  const seesAll = person !== undefined && mayAct(person.role, 'admin');
  const table = dataTable(view, {
    caption: texts.sessions,
    columns: ['name', 'role', 'sessionId', 'createdAt', 'lastSeenAt', 'changes'],
    rows: rows.map((row) => ({
      ...row,
      sessionId: html`${breakable(row.sessionId)}${row.sessionId === person?.sessionId && html` (${texts.thisOne})`}`,
      lastSeenAt: html`${timeText(view, row.lastSeenAt)}`,
      session: row.sessionId,
      changes: postForm(view, 'session-end', '/console/people', {
        fields: { sessionId: row.sessionId },
        look: 'danger',
        needsFresh: person !== undefined && !isOfPerson(row, person),
      }),
    })),
    attributes: ({ session }) => html` data-session="${session}"`,
  });
  return {
    title: messages.bar.people,
    act: { path: '/console/passkeys', text: messages.passkeys.title },
    command: COMMAND,
    main: [
      html`<p>${seesAll ? texts.aboutAll : texts.aboutOwn}</p>`,
      table,
      leftOutCount > 0 && thereAreMore(view, COMMAND),
    ],
  };
}

export const PEOPLE_PAGE = pageRow('people', '/console/people', readPeople, peoplePage);
