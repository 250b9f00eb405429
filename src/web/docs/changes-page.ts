/** /docs/changes: keep a copy of the catalogue that stays true, and hear of events by webhooks. */
import type { Static } from 'typebox';
import type { PropertyChangeSchema } from '../../contract/partner/change-schemas.ts';
import { codeText, html, prose } from '../kit/html.ts';
import { table } from '../kit/table.ts';
import { copyProgram, FOLLOW_PROGRAM, VERIFY_PROGRAM } from './changes-program.ts';
import { codeBlock, codeTabs } from './code-tabs.ts';
import { docsFrame, type DocsPage } from './docs-frame.ts';
import { TEST_CITY } from './guide-programs.ts';
import type { PageSettings } from './page-settings.ts';

const CHANGES: Readonly<Record<Static<typeof PropertyChangeSchema>['change'], string>> = {
  content: 'Read everything of the property again. You may not have it yet.',
  calendar:
    'Nights or rates changed, and with them perhaps `startingPrice`. Texts and pictures are the same.',
  gone: 'You no longer see the property. Delete it.',
};

const EVENTS: Readonly<Record<string, string>> = {
  'changes.available': 'properties that you can see have changed: ask the feed; at most once in 10 seconds',
  'quote.opened': 'a traveller opened the page of a quote for the first time',
  'quote.price_changed': 'its price had changed by then',
  'quote.continued': 'the traveller went on to the booking site',
  'quote.converted': 'the quote became a booking',
  'credential.expiring': 'a credential ends within 7 days',
  'webhook.test': 'the operator tries your endpoint',
};

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
          ${prose('The token needs the scope `changes:read`, which the operator grants by name.')}
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
        'An answer names each property once, with its strongest change. `limit` (1 to 1,000) bounds the answer. While ' +
          '`hasMore` is true, ask again at once. `wait` (up to 20 seconds) holds an answer without changes back until ' +
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
        or the operator restored the database or retired a key.
      </li>
    </ol>
    <p>
      ${prose(
        'What only the passing of time changes is not named: `startingPrice` counts the coming nights. Read the ' +
          'catalogue once a day for it. Check a stay and its price when a traveller asks, never from a copy.',
      )}
    </p>`;
}

function programPart(publicUrl: string) {
  return html`<h2 id="program">A program that does</h2>
    <p>
      ${prose(
        'In TypeScript and Python it keeps `copy.json`: the cursor, and each property by its id, `null` when it is ' +
          'gone. It reads the catalogue twice, because a property can move to a page that was read already. Stop it at any time: it goes on where it was. When it fails, start it again after a few seconds, as ' +
          'a process manager does. The tab of curl shows the two calls.',
      )}
    </p>
    ${codeTabs('copy-program', copyProgram(publicUrl, TEST_CITY))}
    <p>${prose(`With a live token put your cities in the place of \`${TEST_CITY}\`.`)}</p>`;
}

function clientPart() {
  return html`<h2 id="client">With the client</h2>
    <p>
      ${prose(
        '`client.changes.follow` waits, asks again and tries again. It calls `onCursor` once the changes before the ' +
          'cursor were taken; without `since` it is called first with the cursor of now. It throws ' +
          '`FEED_CURSOR_RESET` when you have to begin again: forget the cursor. The functions around it are yours.',
      )}
    </p>
    ${codeBlock('typescript', FOLLOW_PROGRAM)}`;
}

function webhooksPart() {
  return html`<h2 id="webhooks">Webhooks</h2>
    <p>
      ${prose(
        'Stayport can call you instead, by `POST` to an https address of yours. Messages follow Standard Webhooks and ' +
          'hold ids only: ask the API for the rest. They can come twice, and in any order.',
      )}
    </p>
    ${table(
      ['Event', 'When'],
      Object.entries(EVENTS).map(([name, text]) => [codeText(name), prose(text)]),
    )}
    <p>
      ${prose(
        'Verify the message with its body as it came, answer with 2xx within 15 seconds, and do the work afterwards. ' +
          '`verifyWebhook` takes the secret (`whsec_...`) or the public key (`whpk_...`).',
      )}
    </p>
    ${codeBlock('typescript', VERIFY_PROGRAM)}
    <p>
      ${prose(
        'The operator creates the webhook and gives you its secret: on your page in the console, or by this command. ' +
          'Every event is sent unless some are named. `docs/webhooks.md` of the source has the commands, the times of ' +
          'further tries, and how to verify in other languages.',
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
