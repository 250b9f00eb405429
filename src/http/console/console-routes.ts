/**
 * The pages of the console and its forms, as two tables.
 *
 * To add a page:
 * 1. `src/console/NAME.ts`: `readNAME(ports, question)` reads ports and resolves to `{ rows, ... }`, or to undefined for
 *    what does not exist (404). `rows` is the page's JSON (`Accept: application/json`) and equals what the command prints
 *    under `--json`; other members are for the page alone. No HTML, no HTTP. A port that is missing in `PagePorts` is
 *    added there and in `service/report-thread.ts`.
 * 2. `src/web/console/NAME-page.ts`: `NAMEPage(view, shown)` returns `{ title, main, command? }` from those rows. What it
 *    says is in `messages/en-gb.ts`, and in the other languages beside it. `elements.ts` has links (`linkTo`), times
 *    (`timeText`), tables (`dataTable`) and forms (`actForm`); `LOOKS_OF_WORDS` there says how a text is shown under its
 *    word, such as an instant or a link: what is to look otherwise is given as HTML. Offer a form where
 *    `mayAct(view, 'operator')`. The policy of the pages allows no inline style and no inline script; a script is a
 *    module that `PageParts.scripts` names, whose bytes are a `Page` in `CONSOLE_ASSETS`.
 * 3. A row in `CONSOLE_PAGES`. A page with a name in `messages.bar` is in the bar, in the order of the messages; its path
 *    is `/console/NAME`.
 *
 * To add a form: a row in `CONSOLE_ACTS` with its `data-act`, its role, and the command that does the same: `command` is
 * the `act` in the audit trail. `run` gets the fields of the form. What it writes through `ports.signed` is recorded in
 * the transaction of the write. Where the write is not in `AdministeredStores` (supply), name `subject`: the act is then
 * recorded before it begins, and what came of it after. The gate has checked session, role, origin and form token.
 */
import type { Role } from '../../access/console-sessions.ts';
import type {
  Acted,
  ActPorts,
  ActQuestion,
  PagePorts,
  PageQuestion,
  ShownRows,
} from '../../console/console-page.ts';
import { askAgain } from '../../console/ask-again.ts';
import { readAudit } from '../../console/audit.ts';
import { readDemand } from '../../console/demand.ts';
import { readExplanation } from '../../console/explain.ts';
import { readFunnel } from '../../console/funnel.ts';
import { readNight } from '../../console/night.ts';
import { readProperties } from '../../console/properties.ts';
import { acceptFeed, changeNights, feedSubject, nightsSubject } from '../../console/property-acts.ts';
import { readProperty } from '../../console/property.ts';
import { readSupply } from '../../console/supply.ts';
import { issueForPartner, readPartner, revokeOfPartner, rotateOfPartner } from '../../console/partner.ts';
import { readPartners } from '../../console/partners.ts';
import { readQuote } from '../../console/quote.ts';
import { readRequest } from '../../console/request.ts';
import { readRequests } from '../../console/requests.ts';
import { readToday } from '../../console/today.ts';
import { auditPage } from '../../web/console/audit-page.ts';
import { demandPage } from '../../web/console/demand-page.ts';
import { explainPage } from '../../web/console/explain-page.ts';
import type { PageView } from '../../web/console/elements.ts';
import type { PageParts } from '../../web/console/frame.ts';
import { funnelPage } from '../../web/console/funnel-page.ts';
import { HEAT_MAP_SCRIPT } from '../../web/console/heat-map.ts';
import { nightPage } from '../../web/console/night-page.ts';
import { PLOT_SCRIPT, PLOT_STYLE, UPLOT_SCRIPT } from '../../web/console/plot.ts';
import { propertiesPage } from '../../web/console/properties-page.ts';
import { propertyPage } from '../../web/console/property-page.ts';
import { supplyPage } from '../../web/console/supply-page.ts';
import { issuedPage, partnerPage } from '../../web/console/partner-page.ts';
import { partnersPage } from '../../web/console/partners-page.ts';
import { quotePage } from '../../web/console/quote-page.ts';
import { askedAgainPage, requestPage } from '../../web/console/request-page.ts';
import { requestsPage } from '../../web/console/requests-page.ts';
import { todayPage } from '../../web/console/today-page.ts';
import type { Page } from '../../web/kit/page.ts';

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
  /** Where the form is sent to, by POST. */
  readonly path: string;
  /** `data-act`. */
  readonly act: string;
  readonly role: Role;
  /** `credential issue`. */
  readonly command: string;
  /** What is changed, where the act is recorded around its writes. */
  readonly subject?: (question: ActQuestion) => string;
  readonly run: (ports: ActPorts, question: ActQuestion) => Acted<Shown>;
  /** For an outcome that is shown: its page, and its JSON. */
  readonly render?: (view: PageView, shown: Shown) => PageParts;
}

const PARTNER = '/console/partners/{partnerId}';
const PROPERTY = '/console/properties/{propertyId}';
const REQUEST = '/console/requests/{correlationId}';

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  page('today', '/console', readToday, todayPage),
  page('partners', '/console/partners', readPartners, partnersPage),
  page('partner', PARTNER, readPartner, partnerPage),
  page('requests', '/console/requests', readRequests, requestsPage),
  page('request', REQUEST, readRequest, requestPage),
  page('properties', '/console/properties', readProperties, propertiesPage),
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
  act('ask-again', 'operator', 'ask-again', REQUEST, { run: askAgain, render: askedAgainPage }),
  act('issue', 'admin', 'credential issue', PARTNER, { run: issueForPartner, render: issuedPage }),
  act('rotate', 'admin', 'credential rotate', PARTNER, { run: rotateOfPartner, render: issuedPage }),
  act('revoke', 'admin', 'credential revoke', PARTNER, { run: revokeOfPartner }),
  act('close', 'operator', 'close', PROPERTY, { run: changeNights('close'), subject: nightsSubject }),
  act('open', 'operator', 'open', PROPERTY, { run: changeNights('open'), subject: nightsSubject }),
  act('accept', 'operator', 'ical accept', '/console/supply', { run: acceptFeed, subject: feedSubject }),
];

/** What pages load; the same for everybody, so without a session. */
export const CONSOLE_ASSETS: readonly Page[] = [HEAT_MAP_SCRIPT, UPLOT_SCRIPT, PLOT_SCRIPT, PLOT_STYLE];

/** A row whose `render` takes what its `read` gives. */
function page<Shown extends ShownRows>(
  name: string,
  path: string,
  read: ConsolePage<Shown>['read'],
  render: ConsolePage<Shown>['render'],
): ConsolePage {
  return { page: name, path, read, render } as unknown as ConsolePage;
}

/** Sent to its name behind the path of the page that has the form. */
function act<Shown>(
  name: string,
  role: Role,
  command: string,
  pagePath: string,
  row: Pick<ConsoleAct<Shown>, 'run' | 'render' | 'subject'>,
): ConsoleAct {
  return { act: name, role, command, path: `${pagePath}/${name}`, ...row } as unknown as ConsoleAct;
}
