/** The steps of the guide: from a token to a traveller on the way. */
import { GUESTS_DEFAULT } from '../../contract/partner/limits.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { availabilityExamples, quoteExamples, sandboxAnswers } from '../../contract/partner/examples.ts';
import { EXTRA_SCOPES, SCOPES } from '../../contract/partner/scopes.ts';
import { codeText, type Html, html, prose } from '../../http/html/html.ts';
import { table } from '../../http/html/table.ts';
import type { PageSettings } from '../frame/page-settings.ts';
import { codeBlock, codeTabs, jsonBlock, type Snippet } from '../frame/code-tabs.ts';
import {
  allPages,
  availability,
  cards,
  datedSearch,
  firstCall,
  LIVE_SAMPLE,
  quote,
  type Sample,
  TEST_SAMPLE,
} from '../programs/guide-programs.ts';

const LIST = new Intl.ListFormat('en-GB');

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

export function stepSections(settings: PageSettings, dates: ExampleDates): readonly Section[] {
  const { publicUrl } = settings;
  return [
    tokenSection(),
    {
      id: 'first-call',
      title: 'Make your first call',
      body: html`<p>Ask for the properties of a city. You may name the city in any language.</p>
        ${forEachToken('first-call', (sample) => firstCall(publicUrl, sample))}
        <p>
          The answer has <code>items</code> and <code>pagination</code>. Without dates it is a catalogue:
          every property of the city that the operator shows you. <code>propertyId</code> is what the other
          calls take; keep it as it is, and derive nothing from it.
        </p>`,
    },
    {
      id: 'search',
      title: 'Search with dates',
      body: html`<p>
          With <code>checkIn</code> and <code>checkOut</code> you get only the properties that are free for
          the whole stay. <code>guests</code> is ${GUESTS_DEFAULT} unless you say otherwise. Without dates,
          <code>guests</code> filters only when you send it.
        </p>
        ${forEachToken('search', (sample) => datedSearch(publicUrl, dates, sample))}
        <p>
          ${prose(
            'A stay is the half-open interval `[checkIn, checkOut)`: the day of departure is not a night. It has ' +
              `1 to ${STAY_NIGHTS_MAX} nights. Dates are calendar dates in the timezone of the property.`,
          )}
        </p>`,
    },
    availabilitySection(publicUrl, dates),
    quoteSection(settings, dates),
    handoffSection(dates),
    cardsSection(settings, dates),
    {
      id: 'paging',
      title: 'Read every page, and respect Retry-After',
      body: html`<p>
          ${prose(
            'Pages begin at 1. Ask for the next one while `pagination.hasMore` is true. A page behind the last one ' +
              'is not an error: it has no items. The order is by `propertyId`, so it never changes between calls; a ' +
              'property that appears or disappears meanwhile can move others across a page. On 429 and 503 wait as ' +
              'long as `Retry-After` says.',
          )}
        </p>
        ${forEachToken('paging', (sample) => allPages(publicUrl, sample))}`,
    },
  ];
}

/** One program about the sample catalogue and one about the sandbox; the choice above shows one of them. */
function forEachToken(name: string, program: (sample: Sample) => Snippet): Html {
  return html`<div class="for-live">${codeTabs(name, program(LIVE_SAMPLE))}</div>
    <div class="for-test">${codeTabs(`${name}-test`, program(TEST_SAMPLE))}</div>`;
}

/** The answer of the sample catalogue and that of the sandbox. */
function answerForEachToken(live: unknown, test: unknown): Html {
  return html`<div class="for-live">${jsonBlock(live)}</div>
    <div class="for-test">${jsonBlock(test)}</div>`;
}

function tokenSection(): Section {
  const rows = Object.entries({ ...SCOPES, ...EXTRA_SCOPES }).map(([scope, meaning]) => [
    codeText(scope),
    meaning,
  ]);
  const extra = LIST.format(Object.keys(EXTRA_SCOPES).map((scope) => `\`${scope}\``));
  return {
    id: 'token',
    title: 'Get a token',
    body: html`<p>
        The operator gives you a token. It belongs on your server: never put it into a browser, an app or a
        repository. The examples read it from the environment:
      </p>
      <fieldset class="token">
        <legend>Show the programs for</legend>
        <label
          ><input type="radio" name="token" id="token-test" data-choice="token" value="test" checked /> a test
          token</label
        >
        <label
          ><input type="radio" name="token" id="token-live" data-choice="token" value="live" /> a live
          token</label
        >
      </fieldset>
      <div class="for-live">${codeBlock('bash', 'export STAYPORT_TOKEN=sp_live_...')}</div>
      <div class="for-test">
        ${codeBlock('bash', 'export STAYPORT_TOKEN=sp_test_...')}
        <p>A test token sees the <a href="./docs/testing">test properties</a> and nothing else.</p>
      </div>
      <p>Every call sends it as <code>Authorization: Bearer &lt;token&gt;</code>. A token carries scopes:</p>
      ${table(['Scope', 'Allows'], rows)}
      <p>
        A token has ${prose(extra)} only when the operator has named them for it: the first two are needed to
        <a href="#cards">show cards</a>, the last to <a href="./docs/changes">follow changes</a>.
      </p>`,
  };
}

function availabilitySection(publicUrl: string, dates: ExampleDates): Section {
  const partlyBooked = availabilityExamples(dates).successes['partly-booked']?.value;
  return {
    id: 'availability',
    title: 'Check one stay',
    body: html`<p>Before you show a price, ask about the one property that the traveller chose.</p>
      ${forEachToken('availability', (sample) => availability(publicUrl, dates, sample))}
      <div class="note">
        <p>
          ${prose(
            'Decide by `available`, not by `days`. `available` is about the stay: one inventory type hosts all ' +
              'guests on every night. `days` looks at each night alone, to show a calendar. All nights can be open ' +
              'and the stay still not possible: two rooms share the nights between them, or the stay is shorter ' +
              'than the operator takes.',
          )}
        </p>
      </div>
      <p>A stay of which two nights are taken:</p>
      ${answerForEachToken(partlyBooked, sandboxAnswers(dates).partlyBooked)}
      <p>
        Nights in the past, or beyond what the operator offers, are not an error. They are not available.
      </p>`,
  };
}

function quoteSection({ publicUrl, quoteTtlSeconds }: PageSettings, dates: ExampleDates): Section {
  const example = quoteExamples(dates).successes['quote']?.value;
  return {
    id: 'quote',
    title: 'Ask for a quote',
    body: html`<p>
        A quote prices the stay and gives you the link for the traveller. <code>locale</code> is the language
        in which the traveller goes on: <code>it-IT</code> or <code>en-GB</code>.
      </p>
      ${forEachToken('quote', (sample) => quote(publicUrl, dates, sample))}
      <p>The answer is a 201:</p>
      ${answerForEachToken(example, sandboxAnswers(dates).quote)}
      <p>
        ${prose(
          `A quote is valid for ${quoteTtlSeconds / 60} minutes: \`expiresAt\` is the instant, in UTC. Ask for a ` +
            'new one whenever you like; there is nothing to cancel. A `Content-Type` other than JSON is refused; ' +
            'a request without one is read as JSON.',
        )}
      </p>`,
  };
}

function handoffSection(dates: ExampleDates): Section {
  const { expiresAt } = quoteExamples(dates).successes['quote']!.value as { expiresAt: string };
  return {
    id: 'handoff',
    title: 'Hand the traveller over',
    body: html`<p>
        Send the traveller to <code>handoffUrl</code>, exactly as it is: as a link or a redirect. The value in
        it is sealed. It carries the stay, the guests, the language and your name, so the operator knows who
        brought the traveller. You cannot build or change it, and you need not store it.
      </p>
      <p>
        On arrival, availability and price are checked again. The traveller sees the price of that moment, and
        is told when it differs from yours. After ${codeText(expiresAt)} the link of this example still opens,
        with a fresh price.
      </p>`,
  };
}

function cardsSection({ publicUrl, handoffBaseUrl }: PageSettings, dates: ExampleDates): Section {
  const { origin, hostname } = new URL(handoffBaseUrl);
  return {
    id: 'cards',
    title: 'Show cards with pictures and prices',
    body: html`<p>
        ${prose(
          'A card shows a picture, the name and the total of the stay. `GET /prices/v1/stays` answers a search with ' +
            'dates, each property with what a quote would say at this moment; with `sort=total` the cheapest comes ' +
            'first. `GET /content/v1/properties/{propertyId}` has the pictures. The token needs the scopes ' +
            '`prices:read` and `content:read`.',
        )}
      </p>
      ${forEachToken('cards', (sample) => cards(publicUrl, dates, sample))}
      <p>
        ${prose(
          'It prints a page: put `> cards.html` behind the command. `pricing` is `null` where no quote can be made. ' +
            'Prices are of the moment, so ask again rather than keep them; content has an `ETag`, so keep it and ' +
            'ask with `If-None-Match`. A picture that changes gets another address. No link comes with a price: ask ' +
            'for a quote when the traveller chooses.',
        )}
      </p>
      ${
        hostname === 'localhost' &&
        html`<p>
          The demo serves its pictures at ${codeText(origin)}, with a certificate that no browser knows: they
          stay empty until you have opened that address once and accepted it.
        </p>`
      }
      <p>
        The operations beside the contract are described in
        <a href="./extras/openapi.json">extras/<wbr />openapi.json</a>.
      </p>`,
  };
}
