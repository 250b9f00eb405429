/** The token of a new credential, with its first calls, which the page can send. */
import type { IssuedCredential } from '../../../access/credential-changes.ts';
import type { ActShown } from '../../reading/act-forms.ts';
import type { SampleStay } from '../../reading/sample-stay.ts';
import { curlOf, sampleCalls, testSample } from '../../reading/sample-calls.ts';
import { type SentCall, TRAVELLER_CALL } from './send-call.ts';
import { type Html, html } from '../../../http/html/html.ts';
import * as elements from '../../web/elements.ts';
import type { PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { secretPage } from '../../web/secret-page.ts';
import { PARTNER_TEXTS } from './messages.ts';

/** The answer of a form that made a credential. */
export function issuedPage(view: PageView, shown: ActShown, back: string): PageParts {
  const texts = PARTNER_TEXTS[view.locale];
  const credential = shown.view as IssuedCredential;
  const again =
    credential.isShownAgain === true && html`<p class="warn" role="status">${texts.shownAgain}</p>`;
  const sample = credential.test === true ? testSample(view.nowMs) : shown.sample;
  const { publicUrl } = shown;
  const parts = tokenPage(view, { ...credential, sample, publicUrl }, undefined, back);
  return { ...parts, main: [again, parts.main] };
}

/** The same page after one of its calls was sent, with the answer. */
export function sentPage(view: PageView, sent: SentCall, back: string): PageParts {
  const { credential, token, sample, publicUrl } = sent;
  return tokenPage(view, { ...credential, token, sample, publicUrl }, sent, back);
}

interface TokenShown extends Pick<IssuedCredential, 'credentialId' | 'quota' | 'token' | 'scopes'> {
  readonly sample: SampleStay | undefined;
  readonly publicUrl: string;
}

function tokenPage(view: PageView, shown: TokenShown, sent: SentCall | undefined, back: string): PageParts {
  const texts = PARTNER_TEXTS[view.locale];
  const { forms } = view.messages;
  const { credentialId, quota, token, scopes, sample, publicUrl } = shown;
  const fields = { credentialId, quota, scopes: scopes.join(' ') };
  const calls = sample === undefined ? [] : sampleCalls(sample, view.locale);
  const first = Math.max(
    0,
    calls.findIndex(({ call }) => call === shownWith(sent)),
  );
  const tabs = calls.map(
    ({ call }, index) =>
      html`<li>
        <input
          type="radio"
          name="shown-call"
          id="call-${index + 1}"
          ${index === first && html`checked`}
          ${index === first && sent !== undefined && html`autofocus`}
        /><label for="call-${index + 1}">${index + 1}. ${forms.callNames[index]}</label>
        ${sendForm(view, call, { token, ...fieldsOf(sample) }, back)}
      </li> `,
  );
  const panels = calls.map(
    (call, index) =>
      html`<div class="panel">
        <h3>${index + 1}. ${forms.callNames[index]}</h3>
        ${callBox(view, curlOf(call, publicUrl, token))}
        ${sent !== undefined && index === first && answerSection(view, sent, back)}
      </div> `,
  );
  const below = html`${elements.fieldList(view, fields)}
  ${
    calls.length > 0 &&
    html`<h2>${forms.calls}</h2>
      <div class="calls">
        <ol>
          ${tabs}
        </ol>
        <div>${panels}</div>
      </div>`
  }`;
  return secretPage(view, texts.newToken, texts.keep, token, below, back);
}

/** The call beside which an answer stands: the traveller's page beside the quote that leads to it. */
function shownWith(sent: SentCall | undefined): string | undefined {
  return sent?.call === TRAVELLER_CALL ? 'createPartnerQuote' : sent?.call;
}

function sendForm(view: PageView, call: string, given: Sendable, back: string): Html | '' {
  return elements.actForm(view, 'send-now', back, { fields: { call, ...given }, look: 'quiet' });
}

type Sendable = Readonly<Record<string, string>>;

function fieldsOf(sample: SampleStay | undefined): Sendable {
  return sample === undefined ? {} : { ...sample, guests: String(sample.guests) };
}

/** Longer answers are cut on the page. */
const SHOWN_LENGTH_MAX = 20_000;

function answerSection(view: PageView, { call, answer, token, sample }: SentCall, back: string): Html {
  const { forms, frame } = view.messages;
  const { status, durationMs, body, isCut, correlationId } = answer;
  const text = indented(body);
  const cut = elements.cutText(text, SHOWN_LENGTH_MAX);
  const quote = call === 'createPartnerQuote' && status === 201 ? handoffOf(body) : undefined;
  return html`<section data-call="${call}" data-status="${status}">
    <h2>${forms.answer(status, durationMs)}</h2>
    <pre tabindex="0"><code>${cut}</code></pre>
    ${(isCut || cut !== text) && html`<p>${forms.cut}</p>`}
    ${
      correlationId !== null &&
      call !== TRAVELLER_CALL &&
      html`<p>${frame.request}: ${elements.idLink(view, 'requests', correlationId)}</p>`
    }
    ${
      quote !== undefined &&
      html`<h3>${forms.openPage}</h3>
        <p><a href="${quote.url}" rel="noreferrer" target="_blank">${forms.openInTab}</a></p>
        ${sendForm(view, TRAVELLER_CALL, { token, handoff: quote.handoff, ...fieldsOf(sample) }, back)}`
    }
  </section>`;
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}

/** Undefined: the answer is not a quote. */
function handoffOf(body: string): { readonly url: string; readonly handoff: string } | undefined {
  const { handoffUrl: url } = JSON.parse(body) as { readonly handoffUrl?: string };
  const handoff = url === undefined ? null : new URL(url).searchParams.get('handoff');
  return url === undefined || handoff === null ? undefined : { url, handoff };
}

function callBox({ messages: { forms } }: PageView, call: string): Html {
  return html`<pre
    tabindex="0"
    data-copy="${forms.copy}"
    data-copied="${forms.copied}"
  ><code>${call}</code></pre>`;
}
