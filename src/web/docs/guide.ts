/** The parts of the reference that come before the operations: the first call, and the rules for all of them. */
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { EXAMPLE_PROPERTY_ID } from '../../contract/partner/examples.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { PAGE_SIZE_MAX } from '../../contract/limits.ts';
import { SCOPES } from '../../contract/partner/scopes.ts';
import { type Html, html, prose } from '../kit/html.ts';
import type { PageSettings } from './pages.ts';
import { table } from '../kit/table.ts';

/** From nothing to a traveller on the way, in four calls. */
export function firstCallGuide({ publicUrl }: PageSettings, { stay }: ExampleDates): Html {
  const dates = `checkIn=${stay.checkIn}&checkOut=${stay.checkOut}&guests=2`;
  const property = `${publicUrl}/v1/properties/${EXAMPLE_PROPERTY_ID}`;
  const body = JSON.stringify({
    propertyId: EXAMPLE_PROPERTY_ID,
    stay: { ...stay, guests: 2 },
    locale: 'en-GB',
  });
  return html`<h2 id="first-call">Your first call</h2>
    <p>The operator gives you a token. Keep it on your server, and send it with every request:</p>
    ${shell(`export TOKEN=...\ncurl -H "Authorization: Bearer $TOKEN" "${publicUrl}/v1/properties?city=Firenze"`)}
    <p>
      The answer lists properties. Take a <code>propertyId</code> from it, and dates in the future, for the
      next calls. Is a stay available?
    </p>
    ${shell(`curl -H "Authorization: Bearer $TOKEN" "${property}/availability?${dates}"`)}
    <p>What would it cost?</p>
    ${shell(
      `curl -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\\n  -d '${body}' "${publicUrl}/v1/quotes"`,
    )}
    <p>
      The quote has a <code>handoffUrl</code>. Send the traveller there, with the URL exactly as it is:
      availability and price are checked again on arrival.
    </p>`;
}

/** What holds for every operation. */
export function generalRules(): Html {
  const scopeRows = Object.entries(SCOPES).map(([scope, meaning]) => [html`<code>${scope}</code>`, meaning]);
  return html`<h2 id="rules">Rules for every call</h2>
    <ul>
      <li>
        A stay is the half-open interval from <code>checkIn</code> to <code>checkOut</code>: the day of
        departure is not a night. Dates are calendar dates in the timezone of the property.
      </li>
      <li>
        Money is a decimal string such as <code>"120.00"</code>. Do not turn it into a floating-point number.
      </li>
      <li>Identifiers are opaque. Parameters and fields that are not listed here are refused.</li>
      <li>Every answer has <code>X-Correlation-ID</code>. Quote it when you ask the operator for help.</li>
      <li>
        Calls from browsers need an <code>Origin</code> that the operator has authorised for you; the token is
        needed all the same, so a server is the right place.
      </li>
    </ul>
    <h3>Scopes</h3>
    ${table(['Scope', 'Allows'], scopeRows)}`;
}

/** The numbers that this service is set to. */
export function limitsSection(settings: PageSettings): Html {
  const rows: readonly (readonly [string, string])[] = [
    [
      'Requests per credential',
      `${settings.partnerQuota} in 60 seconds, unless yours was issued with another quota`,
    ],
    [
      'Requests per source address',
      settings.ingressLimit === 0 ? 'not limited' : `${settings.ingressLimit} in 60 seconds`,
    ],
    ['Nights of a stay', `${STAY_NIGHTS_MAX} at most`],
    ['Guests', `1 to ${STAY_GUESTS_MAX}`],
    ['Properties on a page', `${PAGE_SIZE_MAX} at most`],
    ['Nights ahead', `${settings.horizonNights} from today; later ones are not available`],
    ['Body of a request', `${settings.bodyLimitBytes} bytes`],
    ['Validity of a quote', `${settings.quoteTtlSeconds} seconds; expiresAt tells the instant`],
  ];
  return html`<h2 id="limits">Limits</h2>
    ${table(['What', 'How much'], rows)}
    <p>
      ${prose(
        'Answers say how much of your quota is left: `X-RateLimit-Limit`, `X-RateLimit-Remaining`, and ' +
          '`X-RateLimit-Reset` in Unix seconds. Beyond a limit the answer is 429; wait as many seconds as ' +
          '`Retry-After` says, then go on.',
      )}
    </p>`;
}

function shell(text: string): Html {
  return html`<pre><code>${text}</code></pre>`;
}
