/** /docs/any-dates: the cheapest stays of a city in an open window, its calendar, filters, and cities by their beginning. */
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { codeText, type Html, html, prose } from '../../http/html/html.ts';
import { table } from '../../http/html/table.ts';
import { cheapestWeekend, cityMonth, TEST_CITY } from '../programs/guide-programs.ts';
import { codeTabs } from '../frame/code-tabs.ts';
import { docsFrame, type DocsPage } from '../frame/docs-frame.ts';
import type { PageSettings } from '../frame/page-settings.ts';

const FILTERS: Readonly<Record<string, string>> = {
  propertyTypes: 'A comma list of at most 10: any of them.',
  amenities: 'A comma list of at most 20: all of them.',
  areas: 'A comma list of at most 20: any of them, in any language of the catalogue.',
  minRating: '0 to 5, at most one decimal. A property without a rating does not pass.',
  minBathrooms: 'In halves.',
  'maxTotal, currency': 'The total of the stay, in this currency. Both or neither.',
};

export function anyDatesPage({ publicUrl }: PageSettings, dates: ExampleDates): DocsPage {
  return docsFrame({
    path: '/docs/any-dates',
    title: 'Any dates',
    section: 'docs/any-dates',
    contents: {
      weekend: 'The cheapest weekend',
      month: 'The month of a city',
      filters: 'Filters and counts',
      nothing: 'Nothing is open',
      city: 'Find the city',
    },
    body: () =>
      html`<h1>Any dates</h1>
        <p class="lead">
          ${prose(
            'Ask a whole city for open dates in one call. Each answer is exact: the totals are those of quotes at ' +
              'this moment, with all fees, taxes and discounts. The token needs the scope `prices:read`.',
          )}
        </p>
        ${weekendPart(publicUrl, dates)} ${monthPart(publicUrl, dates)} ${filterPart()} ${nothingPart()}
        ${cityPart()}`,
  });
}

function weekendPart(publicUrl: string, dates: ExampleDates): Html {
  return html`<h2 id="weekend">The cheapest weekend</h2>
    <p>
      ${prose(
        '`GET /prices/v1/flexible-stays` names each property once, with the best of its stays in the window: the ' +
          'cheapest first, or the cheapest by night with `sort=night`. `checkInFrom` and `checkInUntil` are both ' +
          'included. `maxNights` allows up to six nights more than `nights`, and `checkInDays` keeps some days of ' +
          'the week. `checkIns` says on how many dates a stay can begin.',
      )}
    </p>
    ${codeTabs('weekend-program', cheapestWeekend(publicUrl, TEST_CITY, dates))}`;
}

function monthPart(publicUrl: string, dates: ExampleDates): Html {
  return html`<h2 id="month">The month of a city</h2>
    <p>
      ${prose(
        '`GET /prices/v1/days` says for each check-in date how many properties are open for a stay, and the lowest ' +
          'total in each currency. The program writes a page. `GET /prices/v1/properties/{propertyId}/calendar` ' +
          'does the same for one property; with `maxNights` it has the total of each length.',
      )}
    </p>
    ${codeTabs('month-program', cityMonth(publicUrl, TEST_CITY, dates))}`;
}

function filterPart(): Html {
  return html`<h2 id="filters">Filters and counts</h2>
    <p>
      ${prose(
        '`/prices/v1/stays`, `flexible-stays` and `days` take the same filters. Texts are compared as names of ' +
          'cities are. A property that lacks the value does not pass; a value that nobody has is not refused.',
      )}
    </p>
    ${table(
      ['Parameter', 'Keeps'],
      Object.entries(FILTERS).map(([name, text]) => [codeText(name), prose(text)]),
    )}
    <p>
      ${prose(
        '`counts=true` adds how many properties each kind, amenity and area has, over all pages, for the boxes ' +
          'beside a list: kinds and areas without their own filter, amenities with theirs and this one added.',
      )}
    </p>`;
}

function nothingPart(): Html {
  return html`<h2 id="nothing">Nothing is open</h2>
    <p>
      ${prose(
        'With `nearest=true`, a search of `/prices/v1/stays` that finds nothing names the up to three nearest ' +
          'check-in dates, within 30 days, on which a stay of the same length is open.',
      )}
    </p>`;
}

function cityPart(): Html {
  return html`<h2 id="city">Find the city</h2>
    <p>
      ${prose(
        '`GET /places/v1/cities?text=` names the cities that a traveller may mean, while they type: in both ' +
          'languages, by aliases, with typing mistakes from four letters on. `city` and `country` of an answer ' +
          'are what searches take. The scope is `properties:read`.',
      )}
    </p>`;
}
