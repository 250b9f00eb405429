/** `/console/partners/ID`: what a partner may, what it did lately, and its credentials. */
import type { CredentialView, IssuedCredential } from '../../access/credential-changes.ts';
import type { PartnerShown } from '../../console/partner.ts';
import { pathOf } from '../../console/paths.ts';
import { breakable, type Content, type Html, html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { actForm, field, type PageView, timeText } from './elements.ts';
import type { PageParts } from './frame.ts';

export function partnerPage(view: PageView, shown: PartnerShown): PageParts {
  const { partner, use, leftOutCount } = shown;
  const { partnerId, name, disabled, origins } = partner;
  const texts = view.messages.partner;
  const fields = elements.fieldList(view, {
    name,
    state: disabled ? texts.disabled : view.messages.partners.enabled,
    origins: origins.length === 0 ? texts.noOrigins : breakable(origins.join(' ')),
  });
  const codes =
    use &&
    elements.headedTable(view, {
      ...{ ...texts.codes, rows: use.codes },
      cells: ({ code, count }) => ({ code, answers: count }),
    });
  return {
    title: partnerId,
    command: `credential list --partner ${partnerId}`,
    main: html`${fields} ${credentialTable(view, shown)}
    ${leftOutCount > 0 && html`<p class="fine">${texts.leftOut(leftOutCount)}</p>`}
    ${elements.mayAct(view, 'admin') && issueForm(view, shown)} ${codes}`,
  };
}

function credentialTable(view: PageView, { rows, use, partner: { partnerId } }: PartnerShown): Content {
  const texts = view.messages.partner;
  const mayChange = elements.mayAct(view, 'admin');
  const parts: elements.DataTableParts<CredentialView> = {
    ...{ caption: texts.credentials, rows },
    cells: (row) => credentialCells(view, use, row, mayChange),
    empty: [texts.noCredentials, ' ', elements.commandText(`credential issue --partner ${partnerId}`)],
  };
  return elements.headedTable(view, parts, use === undefined && html`<p class="warn">${texts.noUse}</p>`);
}

function credentialCells(view: PageView, use: PartnerShown['use'], row: CredentialView, mayChange: boolean) {
  const texts = view.messages.partner;
  const { credentialId, quota, createdAt, expiresAt, revokedAt, scopes, test } = row;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= view.nowMs;
  const isInForce = revokedAt === null && !isExpired;
  const counts = (use?.minutes ?? []).filter((minute) => minute.credentialId === credentialId);
  const last = use?.lastUse.find((used) => used.credentialId === credentialId);
  const ended = revokedAt === null ? texts.expired : html`${texts.revoked} ${timeText(view, revokedAt)}`;
  return {
    credential: html`${breakable(credentialId)}${test && ` (${texts.test})`}`,
    quota,
    use: useLine(view, counts, quota),
    lastUse: last === undefined ? null : new Date(last.fromMs).toISOString(),
    ...{ issued: createdAt, expires: expiresAt ?? html`${texts.never}` },
    state: isInForce ? texts.inForce : ended,
    scopes: scopes.join(' '),
    ...(mayChange && { changes: isInForce && changeForms(view, row) }),
  };
}

type Minutes = NonNullable<PartnerShown['use']>['minutes'];
const LINE_WIDTH = 120;
const LINE_HEIGHT = 24;
const MINUTES_SHOWN = 60;

/** Requests by minute under the quota, which is the upper edge; the same as text beside it. */
function useLine({ messages, nowMs }: PageView, minutes: Minutes, quota: number): Html {
  const thisMinute = Math.floor(nowMs / 60_000);
  const counts = Array.from({ length: MINUTES_SHOWN }, () => 0);
  for (const { fromMs, count } of minutes) {
    const index = MINUTES_SHOWN - 1 - (thisMinute - fromMs / 60_000);
    if (index in counts) counts[index] = count;
  }
  const step = LINE_WIDTH / (MINUTES_SHOWN - 1);
  const heightOf = (count: number): number =>
    LINE_HEIGHT - 1 - (Math.min(count, quota) / quota) * (LINE_HEIGHT - 2);
  const points = counts.map((count, index) => `${(index * step).toFixed(0)},${heightOf(count).toFixed(1)}`);
  const text = messages.partner.peak(Math.max(0, ...counts), quota);
  return html`<svg width="${LINE_WIDTH}" height="${LINE_HEIGHT}" aria-hidden="true">
      <polyline points="${points.join(' ')}" fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
    <span class="fine">${text}</span>`;
}

function changeForms(view: PageView, { partnerId, credentialId }: CredentialView): Html {
  const texts = view.messages.partner;
  const path = pathOf('partners', partnerId);
  const fields = { credentialId };
  const inputs = field(view, 'overlap', { name: 'overlap', value: '24h', size: 4 });
  const rotate = { act: 'rotate', path: `${path}/rotate`, fields, inputs, button: texts.rotate };
  const revoke = { act: 'revoke', path: `${path}/revoke`, fields, button: texts.revoke };
  return html`${actForm(view, { ...rotate, look: 'quiet' })} ${actForm(view, { ...revoke, look: 'danger' })}`;
}

function issueForm(view: PageView, { partner, partnerQuota }: PartnerShown): Html {
  const { issue } = view.messages.partner;
  const inputs = [
    field(view, 'quotaAsked', { name: 'quota', inputmode: 'numeric', value: partnerQuota, size: 8 }),
    field(view, 'expiresAsked', { name: 'expires', type: 'date' }),
    field(view, 'asTest', { name: 'test', type: 'checkbox', value: 'yes' }),
  ];
  const path = `${pathOf('partners', partner.partnerId)}/issue`;
  return html`<h2>${issue}</h2>
    ${actForm(view, { act: 'issue', path, inputs, button: issue })}`;
}

/** The answer of a form that made a credential. */
export function issuedPage(view: PageView, issued: IssuedCredential): PageParts {
  const { issued: texts } = view.messages.partner;
  return {
    title: texts.title,
    main: html`<p class="warn">${texts.keep}</p>
      <p><code class="secret">${issued.token}</code></p>
      <p>${issued.credentialId}, ${view.messages.words.quotaAsked}: ${issued.quota}</p>
      <p>${elements.linkTo(view, pathOf('partners', issued.partnerId), texts.back)}</p>`,
  };
}
