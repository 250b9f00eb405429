/** `/console/partners`: who may call; `/console/partners/ID`: what a partner did lately, and its credentials. */
import { formRow, ownFormRow, pageRow } from '../../web/page-row.ts';
import { isInForce } from '../../../access/token-terms.ts';
import type { CredentialView } from '../../../access/credential-changes.ts';
import { findSampleStay } from '../../reading/sample-stay.ts';
import { issuedPage, sentPage } from './issued-page.ts';
import { sendNow, sentAnswer, type SentCall } from './send-call.ts';
import * as read from './read.ts';
import { changeableOf, type PartnerShown, type PartnersShown } from './read.ts';
import { SCOPE_SET_FIELD, SCOPE_SETS, scopeNames, type ScopeSet } from './scope-sets.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import type { LastCall, PartnerWeek } from './partner-weeks.ts';
import { formatLocalDate, utcDay } from '../../../domain/local-date.ts';
import { breakable, codeText, type Content, type Html, html } from '../../../http/html/html.ts';
import { ALL_SCOPE_NAMES, type Scope } from '../../../contract/partner/scopes.ts';
import { filledForm, foldedForm, formAct, OPENED_FORM } from '../../web/act-form.ts';
import * as elements from '../../web/elements.ts';
import { actForm, headedTable, type PageView, timeText } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { webhookKeysPage, webhookSection } from '../webhooks/page.ts';
import { PARTNER_TEXTS } from './messages.ts';

/** Origins or networks in a cell. */
const LISTED_MAX = 3;

export function partnersPage(view: PageView, shown: PartnersShown): PageParts {
  const { rows, weeks, unassigned, nextPath, search, unread } = shown;
  const texts = PARTNER_TEXTS[view.locale];
  const { bar } = view.messages;
  const caption = bar.partners;
  const weekOf = new Map(weeks.map((week) => [week.partnerId, week]));
  const table = elements.dataTable(view, {
    caption,
    columns: [
      ...(['partnerId', 'name', 'state', 'lastCall', 'requests', 'refused'] as const),
      ...(['quotes', 'converted', 'tokenEnds', 'origins'] as const),
    ],
    ...(search === undefined && {
      firstAct: 'partner-create' as const,
    }),
    rows: rows.map((row) => ({
      ...row,
      ...weekCells(view, weekOf.get(row.partnerId)!),
      origins: firstFew(row.origins),
      state: stateText(view, row),
    })),
  });
  const about = html`<p class="fine">${texts.week}</p>
    ${unassigned === undefined && html`<p class="warn">${texts.noTraffic}</p>`}
    ${unassigned !== undefined && unassigned > 0 && html`<p class="warn">${texts.unassigned(elements.numberText(view, unassigned))}</p>`}`;
  return {
    title: caption,
    act: formAct(view, 'partner-create', '/console/partners'),
    command: 'partner list',
    main: [
      (rows.length > 0 || search !== undefined) && elements.searchForm(view, '/console/partners', search),
      elements.unreadNote(view, unread),
      rows.length > 0 && about,
      table,
      elements.nextLink(view, nextPath),
      foldedForm(view, 'partner-create', '/console/partners'),
    ],
  };
}

/** Unknown values are words: a number, even 0, was counted. */
function weekCells(view: PageView, { answered, quotes, converted, token }: PartnerWeek) {
  const texts = PARTNER_TEXTS[view.locale];
  const { words } = view.messages;
  const end = token.kind !== 'none' && (token.until === null ? texts.noEnd : timeText(view, token.until));
  return {
    lastCall: answered === undefined ? texts.notKnown : lastCallText(view, answered.last, quotes),
    requests: answered === undefined ? texts.notKnown : elements.numberText(view, answered.requests),
    refused: answered === undefined ? texts.notKnown : refusedText(view, answered),
    quotes: elements.numberText(view, quotes),
    converted: elements.numberText(view, converted),
    tokenEnds: html`${end || texts.noToken}${token.kind === 'test' && ` (${words.sandbox})`}`,
  };
}

/** A quote is stored before it is answered; the count of its answer follows some seconds later. */
function lastCallText(view: PageView, last: LastCall, quotes: number): Content {
  const texts = PARTNER_TEXTS[view.locale];
  if (quotes > 0 && (last.kind === 'never' || last.kind === 'notSince')) return texts.notCounted;
  if (last.kind === 'never') return texts.neverCalled;
  if (last.kind === 'notSince')
    return last.day === null ? texts.noneRecorded : texts.notSince(elements.dateText(view, last.day));
  return last.kind === 'day' ? elements.dateElement(view, last.at) : timeText(view, last.at);
}

function refusedText(
  view: PageView,
  { requests, refused }: Exclude<PartnerWeek['answered'], undefined>,
): string | null {
  return requests === 0 ? null : elements.shareText(view, refused, requests);
}

function firstFew(texts: readonly string[]): string | null {
  const further = texts.length - LISTED_MAX;
  const shown = texts.slice(0, LISTED_MAX).join(' ');
  return further > 0 ? `${shown} +${further}` : shown || null;
}

function stateText({ locale }: PageView, { disabled }: PartnerShown['partner']): string {
  return PARTNER_TEXTS[locale][disabled ? 'disabled' : 'enabled'];
}

export function partnerPage(view: PageView, { partner, partnerQuota, ...shown }: PartnerShown): PageParts {
  const texts = PARTNER_TEXTS[view.locale];
  const { bar } = view.messages;
  const { partnerId, name, origins, disabled: _disabled, ...others } = partner;
  const ofPartner = (page: 'requests' | 'funnel'): Html =>
    elements.linkTo(view, withQuery(`/console/${page}`, { partner: partnerId }), bar[page]);
  const links = html`${codeText(partnerId)} · ${ofPartner('requests')} · ${ofPartner('funnel')}`;
  const { use, leftOutCount } = shown;
  const command = `credential list --partner ${partnerId}`;
  const path = pathOf('partners', partnerId);
  const issue = {
    values: { quota: String(partnerQuota), scope: scopeNames(shown.scopeSet).join('\n') },
    choices: { scope: ALL_SCOPE_NAMES.map((scope) => [scope, texts.scopeSays[scope]] as const) },
    above: { scope: scopeSets(view, path, shown.scopeSet) },
    ofPath: ['partnerId'],
  };
  return {
    title: name,
    act: formAct(view, 'issue', path),
    command,
    main: [
      html`<p>${links}</p>`,
      elements.fieldList(view, {
        name,
        state: stateText(view, partner),
        origins: origins.length === 0 ? html`${texts.noOrigins}` : origins.join(' '),
        ...others,
      }),
      partnerForms(view, partner),
      html`<h2>${texts.credentials}</h2>`,
      use === undefined && html`<p class="warn">${texts.noUse}</p>`,
      credentialCards(view, shown),
      leftOutCount > 0 && elements.thereAreMore(view, command),
      changeForm(view, path, shown.rows),
      foldedForm(view, 'issue', path, issue),
      webhookSection(view, partnerId, shown.endpoints),
      use && headedTable(view, { caption: texts.codes, columns: ['code', 'count'], rows: use.codes }),
      !partner.disabled && disableForm(view, partnerId),
    ],
  };
}

/** Name and origins are one form and the switches others, so that neither undoes the other. */
function partnerForms(view: PageView, partner: PartnerShown['partner']): Content {
  const { forms } = view.messages;
  const path = pathOf('partners', partner.partnerId);
  const values = changeableOf(partner);
  const change = { values, before: values, ofPath: ['partnerId'] };
  const enable = { fields: { enable: 'yes' }, button: forms.enable, look: 'quiet' } as const;
  return [
    foldedForm(view, 'partner-update', path, change),
    partner.disabled && actForm(view, 'partner-update', path, enable),
  ];
}

/** Last, and folded: the first click only says what the second one does. */
function disableForm(view: PageView, partnerId: string): Content {
  const { forms } = view.messages;
  const { disableMeans } = PARTNER_TEXTS[view.locale];
  const disable = { fields: { disable: 'yes' }, button: forms.disable, look: 'danger' } as const;
  const form = actForm(view, 'partner-update', pathOf('partners', partnerId), disable);
  return (
    form !== '' &&
    html`<details>
      <summary>${forms.disable}…</summary>
      <p>${disableMeans}</p>
      ${form}
    </details>`
  );
}

type Used = Pick<PartnerShown, 'rows' | 'use' | 'usedSince'>;

function credentialCards(view: PageView, shown: Used): Html {
  if (shown.rows.length === 0) return html`<p>${elements.nothingYet(view, { firstAct: 'issue' })}</p>`;
  return html`<ul class="tiles">
    ${shown.rows.map((row) => credentialCard(view, shown, row))}
  </ul>`;
}

/** A credential: what it is and may do, how it is used, and the acts on it; what can't be undone is in the menu. */
function credentialCard(view: PageView, shown: Used, row: CredentialView): Html {
  const texts = PARTNER_TEXTS[view.locale];
  const { words } = view.messages;
  const { credentialId, quota, createdAt, expiresAt, revokedAt, scopes, networks, test } = row;
  const isActive = isInForce(row, view.nowMs);
  const ended = revokedAt === null ? texts.expired : html`${texts.revoked} ${timeText(view, revokedAt)}`;
  const used = lastUseText(view, shown, row);
  const minutes = shown.use?.minutes.filter((counted) => counted.credentialId === credentialId) ?? [];
  const facts = elements.fieldList(view, {
    scopes: scopes.map((scope) => texts.scopeSays[scope as Scope] ?? scope).join(', '),
    quota,
    ...(isActive && shown.use !== undefined && { use: useLine(view, minutes, quota) }),
    usedAt: used,
    createdAt,
    expiresAt: expiresAt ?? html`${texts.never}`,
    networks: firstFew(networks) ?? html`${texts.anywhere}`,
  });
  return html`<li class="card" data-credential="${credentialId}">
    <h3>
      ${breakable(credentialId)}
      <span class="${isActive ? 'good' : 'fine'}">${isActive ? texts.inForce : ended}</span>
      ${test && html`<span class="fine">${words.sandbox}</span>`}
    </h3>
    ${facts} ${isActive && changeForms(view, row, used)}
  </li> `;
}

/** Three sets of scopes to begin with; the boxes below show each one's scopes, and can be changed. */
function scopeSets(view: PageView, path: string, chosen: ScopeSet): Html {
  const texts = PARTNER_TEXTS[view.locale];
  const links = SCOPE_SETS.map((name) => {
    const asked = withQuery(path, { [OPENED_FORM]: 'issue', [SCOPE_SET_FIELD]: name });
    const current = name === chosen && html` aria-current="true"`;
    return html`<a href="${elements.hrefOf(view, asked)}" ${current}>${texts.scopeSets[name]}</a> `;
  });
  return html`<p class="switch">${links}</p>`;
}

/** Use before the days searched is not kept: an older token may have been used then. */
function lastUseText(view: PageView, { use, usedSince }: Used, row: CredentialView): Html {
  const texts = PARTNER_TEXTS[view.locale];
  if (use === undefined) return html`${texts.notKnown}`;
  const last = use.lastUse.find(({ credentialId }) => credentialId === row.credentialId);
  if (last !== undefined) return timeText(view, new Date(last.fromMs).toISOString());
  if (utcDay(Date.parse(row.createdAt)) >= usedSince) return html`${texts.neverCalled}`;
  return html`${texts.notSince(elements.dateText(view, formatLocalDate(usedSince)))}`;
}

type Minutes = NonNullable<PartnerShown['use']>['minutes'];
const LINE_WIDTH = 120;
const LINE_HEIGHT = 24;
const MINUTES_SHOWN = 60;

/** Requests per minute in a plot whose upper edge is the quota, with the same as text beside it. */
function useLine({ locale, nowMs }: PageView, minutes: Minutes, quota: number): Html {
  const firstMinute = Math.floor(nowMs / 60_000) - MINUTES_SHOWN + 1;
  const counts = Array.from({ length: MINUTES_SHOWN }, () => 0);
  for (const { fromMs, count } of minutes) {
    const index = fromMs / 60_000 - firstMinute;
    if (index in counts) counts[index] = count;
  }
  const step = LINE_WIDTH / (MINUTES_SHOWN - 1);
  const heightOf = (count: number): number =>
    LINE_HEIGHT - 1 - (Math.min(count, quota) / quota) * (LINE_HEIGHT - 2);
  const points = counts.map((count, index) => `${(index * step).toFixed(0)},${heightOf(count).toFixed(1)}`);
  return html`<svg width="${LINE_WIDTH}" height="${LINE_HEIGHT}" aria-hidden="true">
      <polyline points="${points.join(' ')}" fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
    <span class="fine">${PARTNER_TEXTS[locale].peak(Math.max(0, ...counts), quota)}</span>`;
}

function changeForms(view: PageView, { partnerId, credentialId }: CredentialView, used: Html): Content {
  const path = pathOf('partners', partnerId);
  const rotate = filledForm(view, 'rotate', path, {
    fields: { credentialId },
    values: { overlap: '24h' },
    key: credentialId,
    isShort: true,
    look: 'quiet',
  });
  const revoke = revocation(view, partnerId, credentialId, used);
  return rotate && html`<div class="acts">${rotate} ${revoke}</div>`;
}

/** One form for all credentials: a form in each row would double the page. Empty fields change nothing. */
function changeForm(view: PageView, path: string, rows: readonly CredentialView[]): Content {
  const ids = rows.filter((row) => isInForce(row, view.nowMs)).map(({ credentialId }) => credentialId);
  const choices = { credentialId: ids.map((id) => [id, id] as const) };
  const before = { quota: '', network: '' };
  return ids.length > 0 && foldedForm(view, 'credential-update', path, { choices, before });
}

/** A revocation is final, so the menu first shows who loses access and when the token was last used. */
function revocation(view: PageView, partnerId: string, credentialId: string, used: Html): Html {
  const texts = PARTNER_TEXTS[view.locale];
  const form = actForm(view, 'revoke', pathOf('partners', partnerId), {
    fields: { credentialId },
    look: 'danger',
  });
  return html`<details class="page-menu">
    <summary><span aria-hidden="true">⋯</span> <span class="sr-only">${texts.revokeAsk}</span></summary>
    <div>
      <p>${partnerId}, ${texts.lastUse}: ${used}.</p>
      ${form}
    </div>
  </details>`;
}

export const PARTNERS_PAGE = pageRow('partners', '/console/partners', read.readPartners, partnersPage, [
  formRow('partner-create', { leadsTo: read.pageOfPartner }),
]);

export const PARTNER_PAGE = pageRow(
  'partner',
  '/console/partners/{partnerId}',
  read.readPartner,
  partnerPage,
  [
    formRow('partner-update', { exists: read.isPartner, current: read.currentPartner }),
    formRow('issue', { exists: read.isPartner, isShown: true, sample: findSampleStay }, issuedPage),
    formRow('rotate', { exists: read.isOwn, isShown: true, sample: findSampleStay }, issuedPage),
    ownFormRow<SentCall>({ act: 'send-now', run: sendNow, render: sentPage, answer: sentAnswer }),
    formRow('credential-update', { exists: read.isOwn }),
    formRow('revoke', { exists: read.isOwn }),
    formRow('webhook-create', { exists: read.isPartner, isShown: true }, webhookKeysPage),
  ],
);
