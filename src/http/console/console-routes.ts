/**
 * The pages of the console and its forms, as two tables.
 *
 * To add a page:
 * 1. `src/console/NAME.ts`: `readNAME(ports, question)` resolves to `{ rows, ... }`, or to undefined for what does not
 *    exist (404). `rows` is the page's JSON and equals what the command prints under `--json`; other members are for the
 *    page alone. No HTML, no HTTP. A new port is added to `PagePorts` and in `service/report-thread.ts`.
 * 2. `src/web/console/NAME-page.ts`: `NAMEPage(view, shown)` makes `{ title, main, command? }` of these, with the links,
 *    tables and forms of `elements.ts`; what it says is in `messages/`. The policy of the pages allows no inline style and
 *    no inline script; a script is a module among the `CONSOLE_ASSETS`.
 * 3. A row in `CONSOLE_PAGES`. A page with a name in `messages.bar` is in the bar; its path is `/console/NAME`.
 *
 * To add a form: its act in `ACTS` (`console/paths.ts`), whose role and name in the audit trail are those of the row in
 * `acts/`, and a row in `CONSOLE_ACTS` with the path of its page, to which it goes back. What `run` writes through `ports.signed` is
 * recorded in the transaction of the write. Where the write is not in `AdministeredStores` (supply), name `subject`: the
 * act is then recorded before it begins, and what came of it after.
 */
import type { Acted, ActPorts, ActQuestion, PagePorts } from '../../console/console-page.ts';
import type { PageQuestion, ShownRows } from '../../console/console-page.ts';
import { askAgain } from '../../console/ask-again.ts';
import { readAudit } from '../../console/audit.ts';
import { readDemand } from '../../console/demand.ts';
import { readFunnel } from '../../console/funnel.ts';
import { readNight } from '../../console/night.ts';
import * as partners from '../../console/partners.ts';
import type { ConsoleActName } from '../../console/paths.ts';
import { acceptFeed, changeNights, subjectOf } from '../../console/property-acts.ts';
import { readProperties, readProperty } from '../../console/property.ts';
import {
  NEW_PATH,
  PROPERTY_FORM_BYTES_MAX,
  type PropertyForm,
  readPropertyForm,
  saveProperty,
} from '../../console/property-save.ts';
import { readExplanation, readQuote } from '../../console/quote.ts';
import { readRequest, readRequests } from '../../console/requests.ts';
import { PICTURE_BYTES_MAX } from '../web/pictures.ts';
import type { LargeForm } from './form-gates.ts';
import type { HandoffReview } from '../../quotes/check-handoff.ts';
import { readSupply } from '../../console/supply.ts';
import { readToday } from '../../console/today.ts';
import { auditPage } from '../../web/console/audit-page.ts';
import { demandPage } from '../../web/console/demand-page.ts';
import type { PageView } from '../../web/console/elements.ts';
import { explainPage } from '../../web/console/explain-page.ts';
import type { PageParts } from '../../web/console/frame.ts';
import { funnelPage } from '../../web/console/funnel-page.ts';
import { nightPage } from '../../web/console/night-page.ts';
import { issuedPage, partnerPage, partnersPage } from '../../web/console/partners-page.ts';
import { propertiesPage, propertyPage } from '../../web/console/properties-page.ts';
import { propertyForm, propertyFormPage } from '../../web/console/property-form-page.ts';
import { quotePage } from '../../web/console/quote-page.ts';
import { askedAgainPage, requestPage, requestsPage } from '../../web/console/requests-page.ts';
import { supplyPage } from '../../web/console/supply-page.ts';
import { todayPage } from '../../web/console/today-page.ts';

/** Viewers read every page. */
export interface ConsolePage<Shown extends ShownRows = ShownRows> {
  /** Template from the root: `/console/partners/{partnerId}`. */
  readonly path: string;
  /** `data-page`. */
  readonly page: string;
  readonly read: (ports: PagePorts, question: PageQuestion) => Promise<Shown | undefined>;
  readonly render: (view: PageView, shown: Shown, question: PageQuestion) => PageParts;
}

export interface ConsoleAct<Shown = unknown> {
  readonly act: ConsoleActName;
  /** Where the form is sent to, by POST: its name behind the path of its page. */
  readonly path: string;
  /** What is changed, where the act is recorded around its writes. */
  readonly subject?: (question: ActQuestion) => string;
  readonly run: (ports: ActPorts, question: ActQuestion) => Acted<Shown>;
  /** For an outcome that is shown: its page, and its JSON. */
  readonly render?: (view: PageView, shown: Shown) => PageParts;
  /** Of an outcome that is shown as travellers would see it. */
  readonly previewOf?: (shown: Shown) => HandoffReview | undefined;
  /** Of a form that is larger than others. */
  readonly largest?: LargeForm;
}

const PARTNER = '/console/partners/{partnerId}';
const PROPERTY = '/console/properties/{propertyId}';
const REQUEST = '/console/requests/{correlationId}';

const PROPERTY_SAVE = {
  run: saveProperty,
  render: propertyForm,
  previewOf: ({ preview }: PropertyForm) => preview,
  largest: { textBytesMax: PROPERTY_FORM_BYTES_MAX, fileBytesMax: PICTURE_BYTES_MAX },
} as const;

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  page('today', '/console', readToday, todayPage),
  page('partners', '/console/partners', partners.readPartners, partnersPage),
  page('partner', PARTNER, partners.readPartner, partnerPage),
  page('requests', '/console/requests', readRequests, requestsPage),
  page('request', REQUEST, readRequest, requestPage),
  page('properties', '/console/properties', readProperties, propertiesPage),
  page('property-new', NEW_PATH, readPropertyForm, propertyFormPage),
  page('property-edit', `${PROPERTY}/edit`, readPropertyForm, propertyFormPage),
  page('property', PROPERTY, readProperty, propertyPage),
  page('night', `${PROPERTY}/nights/{inventoryTypeId}/{date}`, readNight, nightPage),
  page('explain', `${PROPERTY}/explain`, readExplanation, explainPage),
  page('supply', '/console/supply', readSupply, supplyPage),
  page('quote', '/console/quotes/{quoteId}', readQuote, quotePage),
  page('funnel', '/console/funnel', readFunnel, funnelPage),
  page('demand', '/console/demand', readDemand, demandPage),
  page('audit', '/console/audit', readAudit, auditPage),
];

export const CONSOLE_ACTS: readonly ConsoleAct[] = [
  act('ask-again', REQUEST, { run: askAgain, render: askedAgainPage }),
  act('issue', PARTNER, { run: partners.issueForPartner, render: issuedPage }),
  act('rotate', PARTNER, { run: partners.rotateOfPartner, render: issuedPage }),
  act('revoke', PARTNER, { run: partners.revokeOfPartner }),
  act('close', PROPERTY, { run: changeNights('close'), subject: subjectOf }),
  act('open', PROPERTY, { run: changeNights('open'), subject: subjectOf }),
  act('property-save', NEW_PATH, PROPERTY_SAVE),
  act('property-save', `${PROPERTY}/edit`, PROPERTY_SAVE),
  act('accept', '/console/supply', { run: acceptFeed, subject: subjectOf }),
];

/** A row whose `render` takes what its `read` gives. */
function page<Shown extends ShownRows>(
  name: string,
  path: string,
  read: ConsolePage<Shown>['read'],
  render: ConsolePage<Shown>['render'],
): ConsolePage {
  return { page: name, path, read, render } as unknown as ConsolePage;
}

function act<Shown>(
  name: ConsoleActName,
  pagePath: string,
  row: Pick<ConsoleAct<Shown>, 'run' | 'render' | 'subject' | 'previewOf' | 'largest'>,
): ConsoleAct {
  return { act: name, path: `${pagePath}/${name}`, ...row } as unknown as ConsoleAct;
}
