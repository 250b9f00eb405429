/** Rules of every call: errors, limits, headers, money, and checks before going live. */
import { PAGE_SIZE_MAX } from '../../contract/partner/limits.ts';
import { ID_LENGTH_MAX } from '../../domain/property.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { CONTRACT_VERSION } from '../../contract/partner/versions.ts';
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { codeText, type Html, html, prose } from '../../http/html/html.ts';
import { table } from '../../http/html/table.ts';
import type { PageSettings } from '../frame/page-settings.ts';
import { problemsTable } from '../reference/problem-tables.ts';
import { mistakes } from './guide-mistakes.ts';
import type { Section } from './guide-steps.ts';

export function ruleSections(settings: PageSettings, dates: ExampleDates): readonly Section[] {
  return [
    {
      id: 'errors',
      title: 'Every error, and what to do',
      body: html`<p>
          ${prose(
            'A failure is `application/problem+json` (RFC 9457). Let your program decide by `code`. Show `title` and ' +
              '`detail` to people only: their wording may change. Log `correlationId`; it is the fastest way to help.',
          )}
        </p>
        ${problemsTable('./')}
        <h3 id="mistakes">Five usual mistakes</h3>
        ${mistakes(settings, dates)}`,
    },
    limitsSection(settings),
    headersSection(),
    moneySection(),
    indicativeSection(),
    kitSection(),
    goingLiveSection(),
    versionSection(settings),
  ];
}

function moneySection(): Section {
  return {
    id: 'money',
    title: 'Locales and money',
    body: html`<ul>
      ${items([
        'Money is a decimal string with two digits, such as `"120.00"`, in the `currency` beside it. Never read it ' +
          'as a floating-point number: add cents as integers, or use a decimal type.',
        '`total` is always `accommodation` + `cleaningFee` + `taxes`. A tax that the rate includes already is in ' +
          '`accommodation`, not in `taxes`.',
        '`startingPrice` is the lowest nightly rate of the coming open nights, a teaser: taxes come on top, and a ' +
          'discount for a long or an early stay may make a quote cheaper. It can be `null`; so can `description`, ' +
          '`rating` and `area`.',
        '`locale` chooses the language of names and descriptions: `it-IT` (unless you say otherwise) or `en-GB`. A ' +
          'text that the operator has not translated comes in another language.',
        'No answer has an exact address or coordinates. `area` is a neighbourhood.',
      ])}
    </ul>`,
  };
}

function indicativeSection(): Section {
  return {
    id: 'indicative',
    title: 'What “indicative” means',
    body: html`<p>
      ${prose(
        'A quote is the price of this moment. It holds no room, and it is not an offer: `pricing.mode` is always ' +
          '`indicative`, and `pricePreservedInHandoff` always `false`. Between your call and the click of the ' +
          'traveller a room can be sold and a rate can change. So show it as “from the operator, to be ' +
          'confirmed”, never as a final price, and ask again when the traveller comes back after a while.',
      )}
    </p>`,
  };
}

function kitSection(): Section {
  return {
    id: 'kit',
    title: 'TypeScript client, assistants',
    body: html`<p>
      ${prose(
        'Stayport has a client for TypeScript and JavaScript (`@stayport/partner`, the folder `sdk` of its source) ' +
          'with typed errors, safe retries and a walk over all pages. Assistants use this API over the Model ' +
          'Context Protocol: `bin/stayport mcp` (the folder `mcp`). Ask the operator for them.',
      )}
    </p>`,
  };
}

function limitsSection(settings: PageSettings): Section {
  const { ingressLimit, quotesPerDay, maxConnectionsPerAddress } = settings;
  const rows: readonly (readonly [string, string])[] = [
    [
      'Requests per credential',
      `${settings.partnerQuota} in 60 seconds, unless yours was issued with another quota`,
    ],
    [
      'Requests per source address',
      limit(ingressLimit, `${ingressLimit} in 60 seconds, counted before the token is checked`),
    ],
    ['Quotes per credential', limit(quotesPerDay, `${quotesPerDay} a day (UTC)`)],
    [
      'Connections per source address',
      limit(
        maxConnectionsPerAddress,
        `${maxConnectionsPerAddress} at a time; more are closed without an answer`,
      ),
    ],
    ['Nights of a stay', `1 to ${STAY_NIGHTS_MAX}`],
    ['Guests', `1 to ${STAY_GUESTS_MAX}`],
    ['Properties on a page', `${PAGE_SIZE_MAX} at most`],
    ['Nights ahead', `${settings.horizonNights} from today; later ones are not available`],
    ['Body of a request', `${settings.bodyLimitBytes} bytes`],
    ['Validity of a quote', `${settings.quoteTtlSeconds} seconds`],
  ];
  return {
    id: 'limits',
    title: 'Limits, and how to wait',
    body: html`${table(['What', 'How much'], rows)}
      <p>
        ${prose(
          'Beyond a limit the answer is 429 with `Retry-After`. Wait that many seconds: the next request is then ' +
            'counted in a new window. To slow down before that, read `X-RateLimit-Remaining`.',
        )}
      </p>
      <p>
        ${prose(
          'Try again only what can succeed: 429 and 503 after `Retry-After`, 500 after 1, 2, 4, 8 seconds. Never ' +
            'repeat a 400, 401, 403, 404, 409 or 413 unchanged. A GET may be repeated freely. A repeated POST may ' +
            'make a second quote, which does no harm: use the last one.',
        )}
      </p>`,
  };
}

function limit(count: number, text: string): string {
  return count === 0 ? 'not limited' : text;
}

function headersSection(): Section {
  const rows: readonly (readonly [string, string])[] = [
    ['X-Correlation-ID', 'on every answer: names this request when you ask for help'],
    ['X-RateLimit-Limit', 'requests of your credential per 60 seconds'],
    ['X-RateLimit-Remaining', 'how many are left in this window'],
    ['X-RateLimit-Reset', 'when the window ends, in Unix seconds'],
    ['Retry-After', 'seconds to wait; on 429, and often on 503'],
    [
      'Cache-Control',
      'you may cache catalogue answers for 60 seconds, in no shared cache; store nothing else',
    ],
    ['Location', 'on 201: the same as handoffUrl'],
    ['WWW-Authenticate', 'on 401 and 403: what the token lacks'],
  ];
  return {
    id: 'headers',
    title: 'Response headers',
    body: html`${table(
        ['Header', 'Meaning'],
        rows.map(([name, meaning]) => [codeText(name), meaning]),
      )}
      <p>The rate limit headers are not on 401, 413 and 503.</p>`,
  };
}

function goingLiveSection(): Section {
  return {
    id: 'going-live',
    title: 'Before you go live',
    body: html`<ul>
      ${items([
        'The token is in a secret store of your server, and you can change it without a release.',
        'Your program branches on `code`, and treats a code that it does not know by its status.',
        'You wait as `Retry-After` says, with a limit on tries, and a timeout of some seconds on each call.',
        'You log `X-Correlation-ID` with every failure.',
        'You decide by `available`, and handle 409 `STAY_UNAVAILABLE`: a stay can be sold between search and quote.',
        'Prices are shown as indicative, and never computed with floating-point numbers.',
        'Fields that can be `null` are handled, and unknown fields of an answer are ignored where the reference ' +
          'leaves an object open.',
        'The handoff link is used as it is, and quotes are asked for when the traveller is about to click.',
        `Identifiers are stored as text, up to ${ID_LENGTH_MAX} characters.`,
      ])}
    </ul>`,
  };
}

function versionSection({ supportContact }: PageSettings): Section {
  return {
    id: 'version',
    title: 'Version and support',
    body: html`<p>
        ${prose(
          `This is version \`${CONTRACT_VERSION}\` of the contract, a beta: paths begin with \`/v1\`. A further ` +
            'version of the API would have paths of its own.',
        )}
        What each version promises is in the <a href="./docs/changelog">changelog</a>.
      </p>
      ${
        supportContact === undefined
          ? html`<p>
              For help, ask the operator who gave you the token. Name the <code>correlationId</code>.
            </p>`
          : html`<p>
              For help: <a href="${supportContact}">${supportContact.replace(/^(?:mailto|tel):/, '')}</a>.
              Name the <code>correlationId</code>.
            </p>`
      }`,
  };
}

function items(texts: readonly string[]): Html[] {
  return texts.map((text) => html`<li>${prose(text)}</li> `);
}
