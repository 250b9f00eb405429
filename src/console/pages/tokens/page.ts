/** `/console/tokens`: tokens of the operator's own systems. */
import { formRow, pageRow } from '../../web/page-row.ts';
import { isInForce } from '../../../access/token-terms.ts';
import type { IssuedOperatorToken } from '../../../access/operator-tokens.ts';
import type { ActShown } from '../../reading/act-forms.ts';
import { secretPage } from '../../web/secret-page.ts';
import { readTokens, type TokensShown } from './read.ts';
import { breakable, type Html, html } from '../../../http/html/html.ts';
import { filledForm, foldedForm, formAct } from '../../web/act-form.ts';
import * as elements from '../../web/elements.ts';
import type { PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { PARTNER_TEXTS } from '../partners/messages.ts';

const PATH = '/console/tokens';
const COMMAND = 'operator-token list';

export function tokensPage(view: PageView, { rows, leftOutCount }: TokensShown): PageParts {
  const texts = PARTNER_TEXTS[view.locale];
  const { bar } = view.messages;
  const table = elements.dataTable(view, {
    caption: bar.tokens,
    firstAct: 'token-issue',
    columns: ['name', 'operatorTokenId', 'source', 'createdAt', 'expiresAt', 'state', 'scopes', 'changes'],
    rows: rows.map((row) => ({
      ...row,
      operatorTokenId: html`${breakable(row.operatorTokenId)}`,
      expiresAt: row.expiresAt ?? html`${texts.never}`,
      state: stateOf(view, row),
      scopes: row.scopes.join(' '),
      changes: isInForce(row, view.nowMs) ? revocation(view, row) : '',
    })),
  });
  const main = [
    html`<p>${texts.aboutTokens}</p>`,
    table,
    leftOutCount > 0 && elements.thereAreMore(view, COMMAND),
    foldedForm(view, 'token-issue', PATH),
  ];
  return { title: bar.tokens, act: formAct(view, 'token-issue', PATH), main, command: COMMAND };
}

type Row = TokensShown['rows'][number];

function stateOf(view: PageView, row: Row): Html {
  const texts = PARTNER_TEXTS[view.locale];
  if (row.revokedAt !== null) return html`${texts.revoked} ${elements.timeText(view, row.revokedAt)}`;
  return html`${isInForce(row, view.nowMs) ? texts.inForce : texts.expired}`;
}

/** Nobody can take it back, so it is asked first. */
function revocation(view: PageView, { operatorTokenId, name }: Row): Html | '' {
  const field = { operatorTokenId };
  const form = filledForm(view, 'token-revoke', PATH, {
    fields: field,
    key: operatorTokenId,
    look: 'danger',
  });
  return (
    form &&
    html`<details>
      <summary>${PARTNER_TEXTS[view.locale].revokeAsk}</summary>
      ${elements.named(name)} ${form}
    </details>`
  );
}

function issuedTokenPage(view: PageView, { view: made }: ActShown, back: string): PageParts {
  const texts = PARTNER_TEXTS[view.locale];
  const { operatorTokenId, name, scopes, token } = made as IssuedOperatorToken;
  const below = elements.fieldList(view, {
    name,
    operatorTokenId,
    scopes: scopes.join(' '),
  });
  return secretPage(view, texts.newToken, texts.keep, token, below, back);
}

export const TOKENS_PAGE = pageRow('tokens', '/console/tokens', readTokens, tokensPage, [
  formRow('token-issue', { isShown: true }, issuedTokenPage),
  formRow('token-revoke'),
]);
