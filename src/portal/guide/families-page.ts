/** /docs/families: the total of a family, by the ages of its children. */
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { EXTRA_OPERATIONS } from '../../contract/partner/extra-operations.ts';
import { childAgesParameter } from '../../contract/partner/parameters.ts';
import { CHILD_AGE_MAX } from '../../domain/property.ts';
import { codeText, type Html, html, prose } from '../../http/html/html.ts';
import { table } from '../../http/html/table.ts';
import { codeTabs } from '../frame/code-tabs.ts';
import { docsFrame, type DocsPage } from '../frame/docs-frame.ts';
import type { PageSettings } from '../frame/page-settings.ts';
import { familyStay } from '../programs/guide-programs.ts';

const IN_QUERY = '`childAges=1,8`';
const IN_BODY = '`"stay": {"guests": 4, "childAges": [1, 8]}`';

/** Operations that take ages, and the form in which they do. */
const TAKEN = EXTRA_OPERATIONS.flatMap(({ method, path, query, bodySchema }) => {
  const isInQuery = query.parameters.includes(childAgesParameter);
  const isInBody = bodySchema !== undefined && JSON.stringify(bodySchema).includes('"childAges":');
  return isInQuery || isInBody ? [[`${method} ${path}`, isInQuery ? IN_QUERY : IN_BODY] as const] : [];
});

export function familiesPage({ publicUrl }: PageSettings, dates: ExampleDates): DocsPage {
  return docsFrame({
    path: '/docs/families',
    title: 'Families',
    section: 'docs/families',
    contents: {
      total: 'The total of a family',
      ages: 'How to give ages',
      change: 'What ages change',
      link: 'The link of a family',
    },
    body: () =>
      html`<h1>Families</h1>
        <p class="lead">
          ${prose(
            'Say how old the children are, and the total is that of the family: in searches, calendars, offers, quotes ' +
              'and on the page that the link opens. `/v1` counts every traveller as an adult.',
          )}
        </p>
        ${totalPart(publicUrl, dates)} ${agesPart()} ${changePart()} ${linkPart()}`,
  });
}

function totalPart(publicUrl: string, dates: ExampleDates): Html {
  return html`<h2 id="total">The total of a family</h2>
    <p>
      ${prose(
        'Two adults travel with children of 1 and 8 years. As four adults they do not fit at `test-family`, which has ' +
          'three places and a cot. With their ages they do, and two nights are 244.00: the infant is free, the child ' +
          'pays 15.00 a night, and neither owes the city tax. `POST /prices/v1/quotes` takes and answers what `POST ' +
          '/v1/quotes` does, with `stay.childAges` in both. It needs the scopes `quotes:write` and `prices:read`.',
      )}
    </p>
    ${codeTabs('family-program', familyStay(publicUrl, dates))}`;
}

function agesPart(): Html {
  return html`<h2 id="ages">How to give ages</h2>
    <p>
      ${prose(
        `\`guests\` is the number of all travellers. \`childAges\` are the ages of the children among them in whole years ` +
          `at check-in, 0 to ${CHILD_AGE_MAX}, in any order: at most one less than \`guests\`. Answers name them beside ` +
          '`guests`, ascending. Without ages all are adults.',
      )}
    </p>
    ${table(
      ['Operation', 'Takes'],
      TAKEN.map(([operation, form]) => [codeText(operation), prose(form)]),
    )}`;
}

function changePart(): Html {
  return html`<h2 id="change">What ages change</h2>
    <p>
      ${prose(
        'Each property says from which age on a child counts as an adult, whether it sleeps in a cot, and what it pays ' +
          'a night; each tax, which ages are exempt or pay less. Where a property says nothing, ages change nothing. ' +
          'A family may fit where as many adults do not: `GET /v1/properties` finds by adults, ' +
          '`GET /prices/v1/stays` by ages.',
      )}
    </p>`;
}

function linkPart(): Html {
  return html`<h2 id="link">The link of a family</h2>
    <p>
      ${prose(
        '`handoffUrl` carries the ages: the page says who travels, checks the stay again for them, and leads on to the ' +
          'booking site with the ages. A link of a quote without ages asks "Travelling with children?" where ages ' +
          'would matter; the quote stays as it was.',
      )}
    </p>`;
}
