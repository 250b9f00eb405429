/** `/console/webhooks/ID`: an endpoint of a partner and what was sent to it; and the list of them on the partner's page. */
import { formRow, pageRow } from '../../web/page-row.ts';
import { pathOf } from '../../reading/paths.ts';
import type { ActShown } from '../../reading/act-forms.ts';
import { copiedText, secretPage } from '../../web/secret-page.ts';
import {
  type CreatedWebhook,
  type DeliveryShown,
  type EndpointShown,
  isWebhook,
  readWebhook,
  type WebhookShown,
} from './read.ts';
import type { Told } from '../../../domain/wrong.ts';
import { breakable, type Content, type Html, html } from '../../../http/html/html.ts';
import { foldedForm, inPageAct } from '../../web/act-form.ts';
import { storedReason } from '../../web/reason-text.ts';
import * as elements from '../../web/elements.ts';
import { actForm, headedTable, type PageView, timeText } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { WEBHOOK_TEXTS } from './messages.ts';

/** On the page of the partner. */
export function webhookSection(
  view: PageView,
  partnerId: string,
  endpoints: readonly EndpointShown[],
): Content {
  const texts = WEBHOOK_TEXTS[view.locale];
  return [
    headedTable(view, {
      caption: texts.title,
      firstAct: 'webhook-create',
      columns: ['webhookId', 'host', 'events', 'createdAt', 'state'],
      rows: endpoints.map((endpoint) => ({
        ...endpoint,
        webhookId: elements.idLink(view, 'webhooks', endpoint.webhookId),
        events: endpoint.events.join(' '),
        state: stateOf(view, endpoint),
      })),
    }),
    foldedForm(view, 'webhook-create', pathOf('partners', partnerId), { ofPath: ['partnerId'] }),
  ];
}

export function webhookPage(view: PageView, { endpoint, rows, wrongs, hasMore }: WebhookShown): PageParts {
  const texts = WEBHOOK_TEXTS[view.locale];
  const { webhookId, partnerId, host, events, createdAt } = endpoint;
  const command = `webhook deliveries ${webhookId}`;
  const first = firstActOf(endpoint);
  return {
    title: `${view.messages.words.webhook} ${webhookId}`,
    above: [{ path: pathOf('partners', partnerId), text: partnerId }],
    act: inPageAct(view, first, FIRST_ID, view.messages.acts[first]),
    command,
    main: [
      elements.fieldList(view, {
        partnerId,
        host,
        events: events.join(' '),
        createdAt,
        state: stateOf(view, endpoint),
      }),
      endpointForms(view, endpoint),
      headedTable(view, {
        caption: texts.deliveries,
        firstAct: 'webhook-test',
        columns: DELIVERY_COLUMNS,
        rows: rows.map((row, at) => deliveryCells(view, endpoint, row, wrongs[at])),
      }),
      hasMore && elements.thereAreMore(view, `${command} --limit 10000`),
    ],
  };
}

function stateOf(view: PageView, { disabledAt, disabledReason, failingSince }: EndpointShown): Html {
  const { states, reasons } = WEBHOOK_TEXTS[view.locale];
  const reason = reasons[disabledReason as keyof typeof reasons];
  if (disabledAt !== null) return html`<span class="warn">${reason} ${timeText(view, disabledAt)}</span>`;
  if (failingSince === null) return html`${states.ok}`;
  return html`<span class="warn">${states.failing} ${timeText(view, failingSince)}</span>`;
}

const FIRST_ID = 'first';

function firstActOf({ disabledAt }: EndpointShown) {
  return disabledAt === null ? 'webhook-test' : 'webhook-enable';
}

function endpointForms(view: PageView, endpoint: EndpointShown): Content {
  const { webhookId, disabledAt } = endpoint;
  const path = pathOf('webhooks', webhookId);
  const isDisabled = disabledAt !== null;
  return [
    html`<div id="${FIRST_ID}">${actForm(view, firstActOf(endpoint), path, {})}</div>`,
    actForm(view, 'webhook-rotate', path, { look: 'quiet' }),
    actForm(view, 'webhook-end-old-keys', path, { look: 'quiet' }),
    foldedForm(view, 'webhook-update', path),
    !isDisabled && foldedForm(view, 'webhook-disable', path, { look: 'danger' }),
    foldedForm(view, 'webhook-delete', path, { look: 'danger' }),
  ];
}

const DELIVERY_COLUMNS = [
  ...(['deliveryId', 'event', 'state', 'attempts', 'lastStatus', 'lastError'] as const),
  ...(['nextAttemptAt', 'createdAt', 'changes'] as const),
];

function deliveryCells(
  view: PageView,
  { webhookId, disabledAt }: EndpointShown,
  row: DeliveryShown,
  wrong: Told | null | undefined,
) {
  const { deliveryId, status, lastError } = row;
  const mayReplay = status !== 'pending' && disabledAt === null;
  const replay = { fields: { deliveryId }, look: 'quiet' } as const;
  return {
    ...row,
    deliveryId: html`${breakable(deliveryId)}`,
    state: WEBHOOK_TEXTS[view.locale].statuses[status],
    lastError: lastError !== null && storedReason(view, wrong, lastError),
    changes: mayReplay ? actForm(view, 'webhook-replay', pathOf('webhooks', webhookId), replay) : '',
  };
}

/** The secret of an endpoint, and the key that only verifies signatures. */
export function webhookKeysPage(view: PageView, { view: made }: ActShown, back: string): PageParts {
  const texts = WEBHOOK_TEXTS[view.locale];
  const { webhookId, secret, publicKey } = made as CreatedWebhook;
  const below = html`<p>${elements.idLink(view, 'webhooks', webhookId)}</p>
    <p>${texts.publicKey}</p>
    ${copiedText(view, publicKey)}`;
  return secretPage(view, texts.newSecret, texts.keep, secret, below, back);
}

export const WEBHOOK_PAGE = pageRow('webhook', '/console/webhooks/{webhookId}', readWebhook, webhookPage, [
  formRow('webhook-test', { exists: isWebhook }),
  formRow('webhook-rotate', { exists: isWebhook, isShown: true }, webhookKeysPage),
  formRow('webhook-disable', { exists: isWebhook }),
  formRow('webhook-enable', { exists: isWebhook }),
  formRow('webhook-update', { exists: isWebhook }),
  formRow('webhook-delete', { exists: isWebhook }),
  formRow('webhook-end-old-keys', { exists: isWebhook }),
  formRow('webhook-replay', { exists: isWebhook }),
]);
