/** /docs/changes: keep a copy of the catalogue that stays true, and hear of events by webhooks. */
import type { Static } from 'typebox';
import { CHANGES_MAX, WAIT_SECONDS_MAX } from '../../contract/partner/limits.ts';
import type { PropertyChangeSchema } from '../../contract/partner/change-schemas.ts';
import { codeText, html, prose } from '../../http/html/html.ts';
import { table } from '../../http/html/table.ts';
import { copyProgram, FOLLOW_PROGRAM, TEST_CITY, VERIFY_PROGRAM } from '../programs/guide-programs.ts';
import { codeBlock, codeTabs } from '../frame/code-tabs.ts';
import { docsFrame, type DocsPage } from '../frame/docs-frame.ts';
import type { PageSettings } from '../frame/page-settings.ts';

const CHANGES: Readonly<Record<Static<typeof PropertyChangeSchema>['change'], string>> = {
  content: 'Read everything of the property again. You may not have it yet.',
  calendar:
    'Nights or rates changed, and with them perhaps `startingPrice`. Texts and pictures are the same.',
  gone: 'You no longer see the property. Delete it.',
};

const QUOTE = '`quoteId`, `propertyId`';
/** When each event comes, and what its `data` holds. */
const EVENTS: Readonly<Record<string, readonly [string, string]>> = {
  'changes.available': [
    'properties that you can see have changed: ask the feed; at most once in 10 seconds',
    'empty',
  ],
  'quote.opened': ['a traveller opened the page of a quote for the first time', QUOTE],
  'quote.price_changed': ['its price had changed by then', QUOTE],
  'quote.continued': ['the traveller went on to the booking site', QUOTE],
  'quote.converted': ['the quote became a booking', QUOTE],
  'credential.expiring': ['a credential ends within 7 days', '`credentialId`'],
  'webhook.test': ['the operator tries your endpoint', '`webhookId`'],
};

const MESSAGE = `POST /webhooks HTTP/1.1
Content-Type: application/json
webhook-id: msg_0f2a5c1e7d9b4a6380c1d2e3f4a5b6c7
webhook-timestamp: 1795170600
webhook-signature: v1,K5oZ... v1a,hnO3...

{"type":"quote.opened","timestamp":"2026-11-20T10:30:00.000Z","data":{"quoteId":"...","propertyId":"..."}}`;

export function changesPage({ publicUrl }: PageSettings): DocsPage {
  return docsFrame({
    path: '/docs/changes',
    title: 'Changes',
    section: 'docs/changes',
    contents: {
      cursor: 'Ask with a cursor',
      copy: 'Keep a copy',
      program: 'A program that does',
      client: 'With the client',
      webhooks: 'Webhooks',
      try: 'Try it',
    },
    body: () =>
      html`<h1>Changes</h1>
        <p class="lead">
          ${prose('`GET /feeds/v1/changes` names the properties to read again, within a second of each change.')}
          ${prose('The token needs the scope `changes:read`: the operator must name it for the token.')}
        </p>
        ${cursorPart()} ${copyPart()} ${programPart(publicUrl)} ${clientPart()} ${webhooksPart()} ${tryPart()}`,
  });
}

function cursorPart() {
  return html`<h2 id="cursor">Ask with a cursor</h2>
    <p>
      ${prose(
        'A cursor marks a place in the history of changes. Each answer has one in `next`; send it as `since` in the ' +
          'following request. It is opaque, and works for you alone. Without `since` the answer has no changes, and ' +
          'the cursor of now.',
      )}
    </p>
    ${table(
      ['Change', 'What to do'],
      Object.entries(CHANGES).map(([name, text]) => [codeText(name), prose(text)]),
    )}
    <p>
      ${prose(
        `An answer names each property once, with its strongest change. \`limit\` (1 to ${CHANGES_MAX.toLocaleString('en')}) ` +
          'bounds the answer. While `hasMore` is true, ask again at once. ' +
          `\`wait\` (up to ${WAIT_SECONDS_MAX} seconds) holds an answer without changes back until ` +
          'something changes: you hear of it at once, with three requests a minute.',
      )}
    </p>`;
}

function copyPart() {
  return html`<h2 id="copy">Keep a copy</h2>
    <ol>
      <li>${prose('Ask without `since`, and keep `next`.')}</li>
      <li>Read the catalogue. What changes meanwhile is in the next answer.</li>
      <li>${prose('Ask with `since` and `wait=20`. Read each property of the answer again.')}</li>
      <li>${prose('Store `next` after the changes before it. Then go on with step 3.')}</li>
      <li>
        After <a href="../problems/feed-cursor-reset">410</a> begin again with step 1. The cursor is too old,
        or the operator restored the database or retired a key. Do the same when
        <a href="../problems/feed-cursor-invalid">400</a> refuses a cursor that you stored: the operator no
        longer has its key.
      </li>
    </ol>
    <p>
      ${prose(
        'What only the passing of time changes is not named: `startingPrice` counts the coming nights. Nor is a picture ' +
          'whose file the operator replaced under its name. Read the catalogue once a day for these. Check a stay and ' +
          'its price when a traveller asks, never from a copy.',
      )}
    </p>`;
}

function programPart(publicUrl: string) {
  return html`<h2 id="program">A program that does</h2>
    <p>
      ${prose(
        'In TypeScript and Python it keeps `copy.json`: the cursor, and each property by its id, `null` when it is ' +
          'gone. It reads the catalogue twice, because a property can move to a page that was read already.',
      )}
    </p>
    <p>
      ${prose(
        'Set `STAYPORT_TOKEN`, and start it with `node follow.ts` (Node.js 22.18 or newer) or `python3 follow.py`. Stop ' +
          'it at any time: it goes on where it was. When it fails, start it again after a few seconds, as a process ' +
          'manager does. The tab of curl shows the two calls.',
      )}
    </p>
    ${codeTabs('copy-program', copyProgram(publicUrl, TEST_CITY))}
    <p>
      ${prose(
        `With a live token put your city in the place of \`${TEST_CITY}\`, and read each city if you have several. The ` +
          'feed names the properties of all cities that you can see; the copy takes them too. Each request counts in ' +
          'your quota: the program waits when it is used up.',
      )}
    </p>`;
}

function clientPart() {
  return html`<h2 id="client">With the client</h2>
    <p>
      ${prose(
        '`client.changes.follow` waits and asks again; it stays with a service that is away for ten minutes. It calls ' +
          '`onCursor` once the changes before the cursor were taken; without `since` it is called first with the ' +
          'cursor of now. It throws ' +
          '`FEED_CURSOR_RESET` or `FEED_CURSOR_INVALID` when you have to begin again: forget the cursor. The functions ' +
          'around it are yours.',
      )}
      The guide says <a href="../docs#kit">where you get the client</a>.
    </p>
    ${codeBlock('typescript', FOLLOW_PROGRAM)}`;
}

function webhooksPart() {
  return html`<h2 id="webhooks">Webhooks</h2>
    <p>
      ${prose(
        'Stayport can call you instead, by `POST` to an https address of yours. Messages hold ids only: ask the API for ' +
          'the rest. They can come twice, with the same `webhook-id`, and in any order. They follow Standard Webhooks ' +
          '(`www.standardwebhooks.com`), whose libraries verify them in many languages.',
      )}
    </p>
    ${codeBlock('http', MESSAGE)}
    ${table(
      ['Event', 'When', 'data'],
      Object.entries(EVENTS).map(([name, [when, data]]) => [codeText(name), prose(when), prose(data)]),
    )}
    <p>
      ${prose(
        'Verify the message with its body as it came, answer with 2xx within 15 seconds, and do the work afterwards. ' +
          '`verifyWebhook` takes the secret (`whsec_...`) or the public key (`whpk_...`), and headers as `fetch` or ' +
          'Node.js has them. What fails is tried nine times more within four days; 410 ends the webhook.',
      )}
    </p>
    ${codeBlock('typescript', VERIFY_PROGRAM)}
    <p>
      ${prose(
        'The operator creates the webhook, in the console or by this command, and gives you its secret. Every event is ' +
          'sent unless some are named.',
      )}
    </p>
    ${codeBlock('bash', 'bin/stayport webhook create --partner acme --url https://acme.example/webhooks')}`;
}

function tryPart() {
  return html`<h2 id="try">Try it</h2>
    <p>
      ${prose(
        'With a test token (`sp_test_...`) the feed names a test property every 5 seconds. These are samples: the ' +
          'properties stay as they are. `since=test-expired` is answered with 410. Test quotes have no events; the operator sends you `webhook.test`.',
      )}
    </p>`;
}
