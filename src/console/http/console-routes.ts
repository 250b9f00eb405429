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
 * 3. A row in `CONSOLE_PAGES`. A page with a name in `messages.bar` is in the bar; its path is `/console/NAME`.
 *
 * To add a form of an act: its row in `CONSOLE_FORMS` (`console/reading/console-forms.ts`), the name of its button
 * in `messages.acts`, labels of its fields in `messages.labels`, `form` in the row of its page, and `filledForm`
 * (`console/web/act-form.ts`) where people look for it. Role, fields, what is refused and the entry in the audit
 * trail are those of the row in `operator/acts/`.
 */
import { listPasskeys } from '../../access/passkeys.ts';
import type { Acted, ActPorts, ActQuestion, FileFormLimits, PagePorts } from '../reading/console-page.ts';
import type { PageQuestion, ShownRows } from '../reading/console-page.ts';
import { replayRequest } from '../pages/requests/replay-request.ts';
import { readAudit } from '../pages/audit/read.ts';
import { readDemand } from '../pages/demand/read.ts';
import { readFunnel } from '../pages/funnel/read.ts';
import { applyFile, IMPORT_PATH, importPath, readImport, readImports } from '../pages/import/read.ts';
import { readNight } from '../pages/night/read.ts';
import * as partners from '../pages/partners/read.ts';
import type { ConsoleActName } from '../reading/console-forms.ts';
import { type ActFormOptions, type ActShown, runForm } from '../reading/act-forms.ts';
import * as nights from '../pages/properties/acts.ts';
import { readProperties, readProperty } from '../pages/properties/read.ts';
import {
  NEW_PATH,
  PROPERTY_FORM_BYTES_MAX,
  hasTooManyRows,
  type PropertyForm,
  readPropertyForm,
  saveProperty,
} from '../pages/property-form/save.ts';
import { readExplanation } from '../pages/explain/read.ts';
import { readPeople } from '../pages/people/read.ts';
import { readQuote } from '../pages/quote/read.ts';
import { readRequest, readRequests } from '../pages/requests/read.ts';
import { findSampleStay } from '../reading/sample-stay.ts';
import { readSettings } from '../pages/settings/read.ts';
import {
  LOGO_UPLOAD_BYTES_MAX,
  saveSettings,
  SITE_FORM_BYTES_MAX,
  type SiteForm,
} from '../pages/settings/save.ts';
import { readSetup } from '../pages/setup/read.ts';
import { IMAGES_MAX } from '../../domain/property-details.ts';
import type { HandoffReview } from '../../partner/quotes/check-handoff.ts';
import { readSupply } from '../pages/supply/read.ts';
import { readTokens } from '../pages/tokens/read.ts';
import { readToday } from '../pages/today/read.ts';
import { isWebhook, readWebhook } from '../pages/webhooks/read.ts';
import { auditPage } from '../pages/audit/page.ts';
import { demandPage } from '../pages/demand/page.ts';
import type { PageView } from '../web/elements.ts';
import { explainPage } from '../pages/explain/page.ts';
import type { PageParts, TypedText } from '../web/frame.ts';
import { funnelPage } from '../pages/funnel/page.ts';
import { importFilePage, importPage } from '../pages/import/page.ts';
import { nightPage } from '../pages/night/page.ts';
import { actShownPage } from '../web/act-form.ts';
import {
  issuedPage,
  issuedTokenPage,
  publishedPage,
  sentPage,
  webhookKeysPage,
} from '../pages/issued/page.ts';
import { sendNow, sentAnswer, type SentCall } from '../pages/issued/send.ts';
import { partnerPage, partnersPage } from '../pages/partners/page.ts';
import { peoplePage } from '../pages/people/page.ts';
import { passkeysPage } from '../pages/passkeys/page.ts';
import { propertiesPage, propertyPage } from '../pages/properties/page.ts';
import { propertyForm, propertyFormPage, typedInProperty } from '../pages/property-form/page.ts';
import { matchPictures, savePictures } from '../pages/pictures/acts.ts';
import { picturesPage, tellSaved } from '../pages/pictures/page.ts';
import { PICTURES_PATH, readPictures } from '../pages/pictures/read.ts';
import { quotePage } from '../pages/quote/page.ts';
import { askedAgainPage, requestPage, requestsPage } from '../pages/requests/page.ts';
import { settingsForm, settingsPage } from '../pages/settings/page.ts';
import { setupPage } from '../pages/setup/page.ts';
import { supplyPage } from '../pages/supply/page.ts';
import { tokensPage } from '../pages/tokens/page.ts';
import { todayPage } from '../pages/today/page.ts';
import { webhookPage } from '../pages/webhooks/page.ts';

/** A page of the console; viewers can read every page. */
export interface ConsolePage<Shown extends ShownRows = ShownRows> {
  /** Template from the root: `/console/partners/{partnerId}`. */
  readonly path: string;
  /** `data-page`. */
  readonly page: string;
  readonly read: (ports: PagePorts, question: PageQuestion) => Promise<Shown | undefined>;
  readonly render: (view: PageView, shown: Shown, question: PageQuestion) => PageParts;
  readonly forms: readonly PageForm[];
}

/** A form of a page, sent by POST to its name after the path of the page. */
export interface PageForm<Shown = unknown> {
  readonly act: ConsoleActName;
  readonly run: (ports: ActPorts, question: ActQuestion) => Acted<Shown>;
  /** For an outcome that is shown: renders its page; `back` is the path of the page with the form. */
  readonly render?: (view: PageView, shown: Shown, back: string) => PageParts;
  /** The JSON of an outcome that is shown; the outcome itself unless given. */
  readonly answer?: (shown: Shown) => unknown;
  /** The preview of the traveller's page within an outcome. */
  readonly previewOf?: (shown: Shown) => HandoffReview | undefined;
  /** Tells what a person typed, with its labels, where the names of its fields do not say it. */
  readonly typedOf?: (view: PageView, form: URLSearchParams) => readonly TypedText[];
  /** Limits of a form that is larger than others. */
  readonly largest?: FileFormLimits;
}

const PROPERTY = '/console/properties/{propertyId}';

const PROPERTY_SAVE = ownForm<PropertyForm>({
  act: 'property-save',
  run: saveProperty,
  render: propertyForm,
  previewOf: ({ preview }) => preview,
  typedOf: typedInProperty,
  largest: { textBytesMax: PROPERTY_FORM_BYTES_MAX, filesMax: IMAGES_MAX, hasTooMany: hasTooManyRows },
});

/** Names of files, or pictures: some hundred bytes each. */
const PICTURE_LIST = { textBytesMax: 512 * 1_024, filesMax: 0 };

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  page('today', '/console', readToday, todayPage),
  page('partners', '/console/partners', partners.readPartners, partnersPage, [
    form('partner-create', { leadsTo: partners.pageOfPartner }),
  ]),
  page('partner', '/console/partners/{partnerId}', partners.readPartner, partnerPage, [
    form('partner-update', { exists: partners.isPartner, current: partners.currentPartner }),
    form('issue', { exists: partners.isPartner, isShown: true, sample: findSampleStay }, issuedPage),
    form('rotate', { exists: partners.isOwn, isShown: true, sample: findSampleStay }, issuedPage),
    ownForm<SentCall>({ act: 'send-now', run: sendNow, render: sentPage, answer: sentAnswer }),
    form('credential-update', { exists: partners.isOwn }),
    form('revoke', { exists: partners.isOwn }),
    form('webhook-create', { exists: partners.isPartner, isShown: true }, webhookKeysPage),
  ]),
  page('webhook', '/console/webhooks/{webhookId}', readWebhook, webhookPage, [
    form('webhook-test', { exists: isWebhook }),
    form('webhook-rotate', { exists: isWebhook, isShown: true }, webhookKeysPage),
    form('webhook-disable', { exists: isWebhook }),
    form('webhook-enable', { exists: isWebhook }),
    form('webhook-update', { exists: isWebhook }),
    form('webhook-delete', { exists: isWebhook }),
    form('webhook-end-old-keys', { exists: isWebhook }),
    form('webhook-replay', { exists: isWebhook }),
  ]),
  page('tokens', '/console/tokens', readTokens, tokensPage, [
    form('token-issue', { isShown: true }, issuedTokenPage),
    form('token-revoke'),
  ]),
  page('requests', '/console/requests', readRequests, requestsPage),
  page('request', '/console/requests/{correlationId}', readRequest, requestPage, [
    ownForm({ act: 'ask-again', run: replayRequest, render: askedAgainPage }),
  ]),
  page('properties', '/console/properties', readProperties, propertiesPage),
  page('pictures', PICTURES_PATH, readPictures, picturesPage, [
    ownForm({ act: 'pictures-match', run: matchPictures, largest: PICTURE_LIST }),
    ownForm({ act: 'pictures-save', run: savePictures, answer: tellSaved, largest: PICTURE_LIST }),
  ]),
  page('property-new', NEW_PATH, readPropertyForm, propertyFormPage, [PROPERTY_SAVE]),
  page('property-edit', `${PROPERTY}/edit`, readPropertyForm, propertyFormPage, [PROPERTY_SAVE]),
  page('property', PROPERTY, readProperty, propertyPage, [
    { ...form('close'), run: nights.changeNights('close') },
    { ...form('nights-save'), run: nights.saveNights },
    { ...form('open'), run: nights.changeNights('open') },
    form('property-withdraw', {
      exists: nights.isProperty,
      typed: nights.namesOfProperty,
      leadsTo: () => '/console/properties',
    }),
    form('feed-add', { exists: nights.isProperty }),
    form('publish', { exists: nights.isProperty, isShown: true }, publishedPage),
    form('unpublish', { exists: nights.isProperty }),
  ]),
  page('night', `${PROPERTY}/nights/{inventoryTypeId}/{date}`, readNight, nightPage),
  page('explain', `${PROPERTY}/explain`, readExplanation, explainPage),
  page('supply', '/console/supply', readSupply, supplyPage, [
    form('accept', { exists: nights.isFeed }),
    form('feed-add'),
    form('feed-update'),
    form('feed-test', { exists: nights.isFeed, isShown: true }),
    form('feed-remove', { exists: nights.isFeed }),
    form('mapping-set'),
    form('mapping-delete'),
    form('source-retire', { isPreviewed: true }),
  ]),
  page('quote', '/console/quotes/{quoteId}', readQuote, quotePage),
  page('funnel', '/console/funnel', readFunnel, funnelPage),
  page('demand', '/console/demand', readDemand, demandPage),
  page('audit', '/console/audit', readAudit, auditPage),
  page('people', '/console/people', readPeople, peoplePage),
  page('passkeys', '/console/passkeys', async (ports) => ({ rows: await listPasskeys(ports) }), passkeysPage),
  // The upload has its own hook, because its body is a file.
  page('import', IMPORT_PATH, readImports, importPage),
  page('import-file', importPath('{importId}'), readImport, importFilePage, [
    ownForm({ act: 'import-catalogue', run: applyFile('catalogue') }),
    ownForm({ act: 'import-rates', run: applyFile('rates') }),
  ]),
  page('settings', '/console/settings', readSettings, settingsPage, [
    ownForm<SiteForm>({
      act: 'settings-save',
      run: saveSettings,
      render: settingsForm,
      largest: { textBytesMax: SITE_FORM_BYTES_MAX, filesMax: 1, actFileBytesMax: LOGO_UPLOAD_BYTES_MAX },
    }),
  ]),
  page('setup', '/console/setup', readSetup, setupPage),
];

/** A form of a page, with its path from the root. */
export interface FormRoute extends PageForm {
  readonly path: string;
}

export const FORM_ROUTES: readonly FormRoute[] = CONSOLE_PAGES.flatMap(({ path, forms }) =>
  forms.map((row) => ({ ...row, path: `${path}/${row.act}` })),
);

/** A row whose `render` accepts the result of its `read`. */
function page<Shown extends ShownRows>(
  name: string,
  path: string,
  read: ConsolePage<Shown>['read'],
  render: ConsolePage<Shown>['render'],
  forms: readonly PageForm[] = [],
): ConsolePage {
  return { page: name, path, read, render, forms } as unknown as ConsolePage;
}

/** The form of an act, as its row in `operator/acts/` has it. */
function form(
  act: ConsoleActName,
  options: ActFormOptions = {},
  render: NonNullable<PageForm<ActShown>['render']> = actShownPage(act),
): PageForm {
  return ownForm({ act, run: runForm(act, options), render, answer: ({ view }) => view });
}

/** A form whose `render` accepts the outcome of its `run`. */
function ownForm<Shown>(row: PageForm<Shown>): PageForm {
  return row as unknown as PageForm;
}
