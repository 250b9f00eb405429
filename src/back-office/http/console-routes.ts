/**
 * The pages of the console and its forms, as two tables.
 *
 * To add a page:
 * 1. `src/back-office/console/NAME.ts`: `readNAME(ports, question)` resolves to `{ rows, ... }`, or to undefined for what does not
 *    exist (404). `rows` is the page's JSON and equals what the command prints under `--json`; other members are for the
 *    page alone. No HTML, no HTTP. A new port is added to `PagePorts` and in `app/service/report-thread.ts`.
 * 2. `src/back-office/web/NAME-page.ts`: `NAMEPage(view, shown)` makes `{ title, main, command? }` of these, with the links,
 *    tables and forms of `elements.ts`; what it says is in `messages/`. The policy of the pages allows no inline style and
 *    no inline script; a script is a module among the `CONSOLE_ASSETS`.
 * 3. A row in `CONSOLE_PAGES`. A page with a name in `messages.bar` is in the bar; its path is `/console/NAME`.
 *
 * To add a form of an act: its row in `ACTS` (`back-office/console/paths.ts`), the name of its button in `messages.acts`, labels of its
 * fields in `messages.labels`, a row in `CONSOLE_ACTS` with the path of its page, and `actForm` (`back-office/web/act-form.ts`)
 * where people look for it. Role, fields, what is refused and the entry in the audit trail are those of the row in `back-office/acts/`.
 */
import { listPasskeys } from '../../access/passkeys.ts';
import type { Acted, ActPorts, ActQuestion, PagePorts } from '../console/console-page.ts';
import type { PageQuestion, ShownRows } from '../console/console-page.ts';
import { replayRequest } from '../console/replay-request.ts';
import { readAudit } from '../console/audit.ts';
import { readDemand } from '../console/demand.ts';
import { readFunnel } from '../console/funnel.ts';
import { applyFile, IMPORT_PATH, importPath, readImport, readImports } from '../console/imports.ts';
import { readNight } from '../console/night.ts';
import * as partners from '../console/partners.ts';
import type { ConsoleActName } from '../console/paths.ts';
import { type ActFormOptions, type ActShown, runForm } from '../console/act-forms.ts';
import * as nights from '../console/property-acts.ts';
import { readProperties, readProperty } from '../console/property.ts';
import {
  NEW_PATH,
  PROPERTY_FORM_BYTES_MAX,
  UPLOAD_BYTES_MAX,
  type PropertyForm,
  readPropertyForm,
  saveProperty,
} from '../console/property-save.ts';
import { readExplanation, readQuote } from '../console/quote.ts';
import { readRequest, readRequests } from '../console/requests.ts';
import { findSampleStay } from '../console/sample-stay.ts';
import { readSettings } from '../console/settings.ts';
import { readSetup } from '../console/setup.ts';
import type { HandoffReview } from '../../partner/quotes/check-handoff.ts';
import { readSupply } from '../console/supply.ts';
import { readTokens } from '../console/tokens.ts';
import { readToday } from '../console/today.ts';
import { isWebhook, readWebhook } from '../console/webhooks.ts';
import { auditPage } from '../web/audit-page.ts';
import { demandPage } from '../web/demand-page.ts';
import type { PageView } from '../web/elements.ts';
import { explainPage } from '../web/explain-page.ts';
import type { PageParts } from '../web/frame.ts';
import { funnelPage } from '../web/funnel-page.ts';
import { importFilePage, importPage } from '../web/import-page.ts';
import { nightPage } from '../web/night-page.ts';
import { actShownPage } from '../web/act-form.ts';
import { issuedPage, issuedTokenPage, publishedPage, webhookKeysPage } from '../web/issued-page.ts';
import { partnerPage, partnersPage } from '../web/partners-page.ts';
import { passkeysPage } from '../web/passkeys-page.ts';
import { propertiesPage, propertyPage } from '../web/properties-page.ts';
import { propertyForm, propertyFormPage } from '../web/property-form-page.ts';
import { quotePage } from '../web/quote-page.ts';
import { askedAgainPage, requestPage, requestsPage } from '../web/requests-page.ts';
import { settingsPage } from '../web/settings-page.ts';
import { setupPage } from '../web/setup-page.ts';
import { supplyPage } from '../web/supply-page.ts';
import { tokensPage } from '../web/tokens-page.ts';
import { todayPage } from '../web/today-page.ts';
import { webhookPage } from '../web/webhooks-page.ts';

/** A page of the console; viewers can read every page. */
export interface ConsolePage<Shown extends ShownRows = ShownRows> {
  /** Template from the root: `/console/partners/{partnerId}`. */
  readonly path: string;
  /** `data-page`. */
  readonly page: string;
  readonly read: (ports: PagePorts, question: PageQuestion) => Promise<Shown | undefined>;
  readonly render: (view: PageView, shown: Shown, question: PageQuestion) => PageParts;
}

/** Limits in bytes for a form that is larger than others, and for the file in it. */
export interface LargeForm {
  readonly textBytesMax: number;
  readonly fileBytesMax: number;
}

export interface ConsoleAct<Shown = unknown> {
  readonly act: ConsoleActName;
  /** The path for POST: its name after the path of its page. */
  readonly path: string;
  readonly run: (ports: ActPorts, question: ActQuestion) => Acted<Shown>;
  /** For an outcome that is shown: renders its page; `back` is the path of the page with the form. */
  readonly render?: (view: PageView, shown: Shown, back: string) => PageParts;
  /** Its JSON. */
  readonly answer: (shown: Shown) => unknown;
  /** The preview of the traveller's page within an outcome. */
  readonly previewOf?: (shown: Shown) => HandoffReview | undefined;
  /** Limits of a form that is larger than others. */
  readonly largest?: LargeForm;
}

const PARTNERS = '/console/partners';
const PARTNER = `${PARTNERS}/{partnerId}`;
const TOKENS = '/console/tokens';
const SUPPLY = '/console/supply';
const PROPERTY = '/console/properties/{propertyId}';
const WEBHOOK = '/console/webhooks/{webhookId}';
const REQUEST = '/console/requests/{correlationId}';

/** The upload has its own hook, because its body is a file. */
const IMPORT_FILE = importPath('{importId}');
const PROPERTY_SAVE = {
  run: saveProperty,
  render: propertyForm,
  previewOf: ({ preview }: PropertyForm) => preview,
  answer: (shown: PropertyForm) => shown,
  largest: { textBytesMax: PROPERTY_FORM_BYTES_MAX, fileBytesMax: UPLOAD_BYTES_MAX },
} as const;

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  page('today', '/console', readToday, todayPage),
  page('partners', PARTNERS, partners.readPartners, partnersPage),
  page('partner', PARTNER, partners.readPartner, partnerPage),
  page('webhook', WEBHOOK, readWebhook, webhookPage),
  page('tokens', TOKENS, readTokens, tokensPage),
  page('requests', '/console/requests', readRequests, requestsPage),
  page('request', REQUEST, readRequest, requestPage),
  page('properties', '/console/properties', readProperties, propertiesPage),
  page('property-new', NEW_PATH, readPropertyForm, propertyFormPage),
  page('property-edit', `${PROPERTY}/edit`, readPropertyForm, propertyFormPage),
  page('property', PROPERTY, readProperty, propertyPage),
  page('night', `${PROPERTY}/nights/{inventoryTypeId}/{date}`, readNight, nightPage),
  page('explain', `${PROPERTY}/explain`, readExplanation, explainPage),
  page('supply', SUPPLY, readSupply, supplyPage),
  page('quote', '/console/quotes/{quoteId}', readQuote, quotePage),
  page('funnel', '/console/funnel', readFunnel, funnelPage),
  page('demand', '/console/demand', readDemand, demandPage),
  page('audit', '/console/audit', readAudit, auditPage),
  page('passkeys', '/console/passkeys', async (ports) => ({ rows: await listPasskeys(ports) }), passkeysPage),
  page('import', IMPORT_PATH, readImports, importPage),
  page('import-file', IMPORT_FILE, readImport, importFilePage),
  page('settings', '/console/settings', readSettings, settingsPage),
  page('setup', '/console/setup', readSetup, setupPage),
];

export const CONSOLE_ACTS: readonly ConsoleAct[] = [
  {
    act: 'ask-again',
    path: `${REQUEST}/ask-again`,
    run: replayRequest,
    render: askedAgainPage,
    answer: itself,
  } as ConsoleAct,
  form('partner-create', PARTNERS, { leadsTo: partners.pageOfPartner }),
  form('partner-update', PARTNER, { exists: partners.isPartner, current: partners.currentPartner }),
  form('issue', PARTNER, { exists: partners.isPartner, isShown: true, sample: findSampleStay }, issuedPage),
  form('rotate', PARTNER, { exists: partners.isOwn, isShown: true, sample: findSampleStay }, issuedPage),
  form('credential-update', PARTNER, { exists: partners.isOwn }),
  form('revoke', PARTNER, { exists: partners.isOwn }),
  form('token-issue', TOKENS, { isShown: true }, issuedTokenPage),
  form('token-revoke', TOKENS),
  nightsForm('close'),
  { ...form('nights-save', PROPERTY), run: nights.saveNights },
  nightsForm('open'),
  form('property-withdraw', PROPERTY, {
    exists: nights.isProperty,
    typed: nights.namesOfProperty,
    leadsTo: () => '/console/properties',
  }),
  form('accept', SUPPLY, { exists: nights.isFeed }),
  form('feed-add', SUPPLY),
  form('feed-add', PROPERTY, { exists: nights.isProperty }),
  form('feed-update', SUPPLY),
  form('feed-test', SUPPLY, { exists: nights.isFeed, isShown: true }),
  form('feed-remove', SUPPLY, { exists: nights.isFeed }),
  form('publish', PROPERTY, { exists: nights.isProperty, isShown: true }, publishedPage),
  form('unpublish', PROPERTY, { exists: nights.isProperty }),
  form('mapping-set', SUPPLY),
  form('mapping-delete', SUPPLY),
  form('source-retire', SUPPLY, { isPreviewed: true }),
  form('webhook-create', PARTNER, { exists: partners.isPartner, isShown: true }, webhookKeysPage),
  form('webhook-test', WEBHOOK, { exists: isWebhook }),
  form('webhook-rotate', WEBHOOK, { exists: isWebhook, isShown: true }, webhookKeysPage),
  form('webhook-disable', WEBHOOK, { exists: isWebhook }),
  form('webhook-enable', WEBHOOK, { exists: isWebhook }),
  form('webhook-update', WEBHOOK, { exists: isWebhook }),
  form('webhook-delete', WEBHOOK, { exists: isWebhook }),
  form('webhook-end-old-keys', WEBHOOK, { exists: isWebhook }),
  form('webhook-replay', WEBHOOK, { exists: isWebhook }),
  {
    act: 'import-catalogue',
    path: `${IMPORT_FILE}/import-catalogue`,
    run: applyFile('catalogue'),
  } as ConsoleAct,
  { act: 'import-rates', path: `${IMPORT_FILE}/import-rates`, run: applyFile('rates') } as ConsoleAct,
  { act: 'property-save', path: `${NEW_PATH}/property-save`, ...PROPERTY_SAVE } as unknown as ConsoleAct,
  { act: 'property-save', path: `${PROPERTY}/edit/property-save`, ...PROPERTY_SAVE } as unknown as ConsoleAct,
];

/** A row whose `render` accepts the result of its `read`. */
function page<Shown extends ShownRows>(
  name: string,
  path: string,
  read: ConsolePage<Shown>['read'],
  render: ConsolePage<Shown>['render'],
): ConsolePage {
  return { page: name, path, read, render } as unknown as ConsolePage;
}

function itself<Shown>(shown: Shown): Shown {
  return shown;
}

/** The form of an act, at its name after the path of its page. */
function form(
  name: ConsoleActName,
  pagePath: string,
  options: ActFormOptions = {},
  render: NonNullable<ConsoleAct<ActShown>['render']> = actShownPage(name),
): ConsoleAct {
  const row: ConsoleAct<ActShown> = {
    act: name,
    path: `${pagePath}/${name}`,
    run: runForm(name, options),
    render,
    answer: ({ view }) => view,
  };
  return row as unknown as ConsoleAct;
}

function nightsForm(name: nights.NightsAction): ConsoleAct {
  return { ...form(name, PROPERTY), run: nights.changeNights(name) };
}
