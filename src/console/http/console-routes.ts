/**
 * The pages of the console, each with its forms.
 *
 * To add a page:
 * 1. `console/pages/NAME/read.ts`: `readNAME(ports, question)` resolves to `{ rows, ... }`, or to undefined for what
 *    does not exist (404). `rows` is the page's JSON and equals what the command prints under `--json`; other members
 *    are for the page alone. No HTML, no HTTP. A new port is added to `PagePorts` and in `app/service/context/report-thread.ts`.
 * 2. `console/pages/NAME/page.ts`: `NAMEPage(view, shown)` makes `{ title, main, command? }` of these, with the
 *    links, tables and forms of `console/web/elements.ts`; what it says is in `messages.ts` beside it. The policy
 *    of the pages allows no inline style and no inline script; a script is a module among the `CONSOLE_ASSETS`.
 * 3. At the end of that file its row, by `pageRow` of `console/web/page-row.ts`, and its name in `CONSOLE_PAGES` below. A
 *    page of the navigation has a row in `console/web/navigation.ts`, and its name in `messages.bar`.
 *
 * To add a form of an act: its row in `CONSOLE_FORMS` (`console/reading/console-forms.ts`), the name of its button
 * in `messages.acts`, labels of its fields in `messages.labels`, `formRow` in the row of its page, and `filledForm`
 * (`console/web/act-form.ts`) where people look for it. Role, fields, what is refused and the entry in the audit
 * trail are those of the row in `operator/acts/`.
 */
import { AUDIT_PAGE } from '../pages/audit/page.ts';
import { NEW_CONNECTION_PAGES } from '../pages/connections/new-page.ts';
import { CONNECTION_PAGE } from '../pages/connections/page.ts';
import { DEMAND_PAGE } from '../pages/demand/page.ts';
import { EXPLAIN_PAGE } from '../pages/explain/page.ts';
import { FUNNEL_PAGE } from '../pages/funnel/page.ts';
import { IMPORT_FILE_PAGE, IMPORT_PAGE } from '../pages/import/page.ts';
import { NIGHT_PAGE } from '../pages/night/page.ts';
import { PARTNERS_PAGE, PARTNER_PAGE } from '../pages/partners/page.ts';
import { PASSKEYS_PAGE } from '../pages/passkeys/page.ts';
import { PEOPLE_PAGE } from '../pages/people/page.ts';
import { PICTURES_PAGE } from '../pages/pictures/page.ts';
import { PROPERTIES_PAGE, PROPERTY_PAGE } from '../pages/properties/page.ts';
import { PROPERTY_EDIT_PAGE, PROPERTY_NEW_PAGE } from '../pages/property-form/page.ts';
import { QUOTE_PAGE } from '../pages/quote/page.ts';
import { REQUESTS_PAGE, REQUEST_PAGE } from '../pages/requests/page.ts';
import { SETTINGS_PAGES } from '../pages/settings/page.ts';
import { SETUP_PAGE } from '../pages/setup/page.ts';
import { SUPPLY_PAGE } from '../pages/supply/page.ts';
import { TODAY_PAGE } from '../pages/today/page.ts';
import { TOKENS_PAGE } from '../pages/tokens/page.ts';
import { WEBHOOK_PAGE } from '../pages/webhooks/page.ts';
import type { ConsolePage, PageForm } from '../web/page-row.ts';

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  TODAY_PAGE,
  PARTNERS_PAGE,
  PARTNER_PAGE,
  WEBHOOK_PAGE,
  TOKENS_PAGE,
  REQUESTS_PAGE,
  REQUEST_PAGE,
  PROPERTIES_PAGE,
  PICTURES_PAGE,
  PROPERTY_NEW_PAGE,
  PROPERTY_EDIT_PAGE,
  PROPERTY_PAGE,
  NIGHT_PAGE,
  EXPLAIN_PAGE,
  SUPPLY_PAGE,
  CONNECTION_PAGE,
  ...NEW_CONNECTION_PAGES,
  QUOTE_PAGE,
  FUNNEL_PAGE,
  DEMAND_PAGE,
  AUDIT_PAGE,
  PEOPLE_PAGE,
  PASSKEYS_PAGE,
  IMPORT_PAGE,
  IMPORT_FILE_PAGE,
  ...SETTINGS_PAGES,
  SETUP_PAGE,
];

/** A form of a page, with its path from the root. */
export interface FormRoute extends PageForm {
  readonly path: string;
}

export const FORM_ROUTES: readonly FormRoute[] = CONSOLE_PAGES.flatMap(({ path, forms }) =>
  forms.map((row) => ({ ...row, path: `${path}/${row.act}` })),
);
