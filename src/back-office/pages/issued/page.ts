/** Secrets that a form made and shows once: a token or URL, with a button that copies it. */
import type { IssuedCredential } from '../../../access/credential-changes.ts';
import type { IssuedOperatorToken } from '../../../access/operator-tokens.ts';
import type { CreatedWebhook } from '../webhooks/read.ts';
import type { ActShown } from '../../console/act-forms.ts';
import type { SampleStay } from '../../console/sample-stay.ts';
import { DAY_MS, formatLocalDate } from '../../../domain/local-date.ts';
import { type Content, type Html, html } from '../../../http/html/html.ts';
import { COPY_SCRIPT } from '../../web/assets.ts';
import * as elements from '../../web/elements.ts';
import type { PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { PARTNER_TEXTS } from '../partners/messages.ts';
import { WEBHOOK_TEXTS } from '../webhooks/messages.ts';

/** A text that a click selects and a button copies. */
function copied({ messages: { forms } }: PageView, text: string): Html {
  return html`<p>
    <code class="secret" data-copy="${forms.copy}" data-copied="${forms.copied}">${text}</code>
  </p>`;
}

function issued(
  view: PageView,
  title: string,
  keep: string,
  secret: string,
  below: Content,
  back: string,
): PageParts {
  const main = [
    html`<p class="warn">${keep}</p>`,
    copied(view, secret),
    below,
    elements.backLink(view, back),
  ];
  return { title, main, scripts: [COPY_SCRIPT.path] };
}

/** The answer of a form that made a credential. */
export function issuedPage(view: PageView, shown: ActShown, back: string): PageParts {
  const texts = PARTNER_TEXTS[view.locale];
  const { forms } = view.messages;
  const credential = shown.view as IssuedCredential;
  const { credentialId, quota, token, scopes, isShownAgain } = credential;
  const calls = fourCalls(view, shown, credential);
  const fields = { credentialId, quota, scopes: scopes.join(' ') };
  const again = isShownAgain === true && html`<p class="warn" role="status">${texts.shownAgain}</p>`;
  const below = html`${again} ${elements.fieldList(view, fields)}
  ${calls.length > 0 && html`<h2>${forms.calls}</h2>`}
  ${calls.map(
    (call, index) =>
      html`<h3>${index + 1}. ${forms.callNames[index]}</h3>
        ${callBox(view, call)}`,
  )}`;
  return issued(view, texts.newToken, texts.keep, token, below, back);
}

export function issuedTokenPage(view: PageView, { view: made }: ActShown, back: string): PageParts {
  const texts = PARTNER_TEXTS[view.locale];
  const { operatorTokenId, name, scopes, token } = made as IssuedOperatorToken;
  const below = elements.fieldList(view, {
    name,
    operatorTokenId,
    scopes: scopes.join(' '),
  });
  return issued(view, texts.newToken, texts.keep, token, below, back);
}

/** The URL of a calendar. */
export function publishedPage(view: PageView, { view: made, notes }: ActShown, back: string): PageParts {
  const { forms } = view.messages;
  const below = notes.map((note) => html`<p class="warn" lang="en">${note}</p>`);
  return issued(view, forms.newUrl, forms.keepUrl, (made as { readonly url: string }).url, below, back);
}

/** The secret of an endpoint, and the key that only verifies signatures. */
export function webhookKeysPage(view: PageView, { view: made }: ActShown, back: string): PageParts {
  const texts = WEBHOOK_TEXTS[view.locale];
  const { webhookId, secret, publicKey } = made as CreatedWebhook;
  const below = html`<p>${elements.idLink(view, 'webhooks', webhookId)}</p>
    <p>${texts.publicKey}</p>
    ${copied(view, publicKey)}`;
  return issued(view, texts.newSecret, texts.keep, secret, below, back);
}

function callBox({ messages: { forms } }: PageView, call: string): Html {
  return html`<pre
    tabindex="0"
    data-copy="${forms.copy}"
    data-copied="${forms.copied}"
  ><code>${call}</code></pre>`;
}

/** Search, property, availability and quote, for a shell; none if no property is available. */
function fourCalls(view: PageView, { publicUrl, sample }: ActShown, { token, test }: IssuedCredential) {
  const asked = test === true ? testSample(view) : sample;
  if (asked === undefined) return [];
  const { propertyId, city, checkIn, checkOut, guests } = asked;
  const stay = new URLSearchParams({ checkIn, checkOut, guests: String(guests) }).toString();
  const property = `${publicUrl}/v1/properties/${encodeURIComponent(propertyId)}`;
  const quote = JSON.stringify({ propertyId, stay: { checkIn, checkOut, guests }, locale: view.locale });
  const curl = `curl -sS --fail-with-body -H 'Authorization: Bearer ${token}' \\\n  `;
  return [
    `${curl}'${publicUrl}/v1/properties?${new URLSearchParams({ city }).toString().replaceAll("'", '%27')}&${stay}'`,
    `${curl}'${property}'`,
    `${curl}'${property}/availability?${stay}'`,
    `${curl}-H 'Content-Type: application/json' -d '${quote}' \\\n  '${publicUrl}/v1/quotes'`,
  ];
}

const DAYS_AHEAD = 30;
const STAY_NIGHTS = 2;

/** Test properties always exist. */
function testSample({ nowMs }: PageView): SampleStay {
  const today = Math.floor(nowMs / DAY_MS);
  return {
    propertyId: 'test-always',
    city: 'Testville',
    checkIn: formatLocalDate(today + DAYS_AHEAD),
    checkOut: formatLocalDate(today + DAYS_AHEAD + STAY_NIGHTS),
    guests: 2,
  };
}
