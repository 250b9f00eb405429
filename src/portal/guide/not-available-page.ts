/** /docs/not-available: why a stay has no price, and which stays can be had instead. */
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { INSTEAD_NIGHTS_MAX } from '../../domain/instead-stays.ts';
import { NEAREST_STAYS_MAX, OPENING_DAYS_MAX } from '../../domain/nearest-shifts.ts';
import { REASON_CODES, REASON_ROWS } from '../../domain/stay-reasons.ts';
import { codeText, type Html, html, prose } from '../../http/html/html.ts';
import { table } from '../../http/html/table.ts';
import { codeTabs } from '../frame/code-tabs.ts';
import { docsFrame, type DocsPage } from '../frame/docs-frame.ts';
import type { PageSettings } from '../frame/page-settings.ts';
import { explainStays } from '../programs/guide-programs.ts';

export function notAvailablePage({ publicUrl }: PageSettings, dates: ExampleDates): DocsPage {
  return docsFrame({
    path: '/docs/not-available',
    title: 'Not available',
    section: 'docs/not-available',
    contents: {
      why: 'Ask why',
      reasons: 'The reasons',
      instead: 'What instead',
      where: 'Where else they are told',
    },
    body: () =>
      html`<h1>Not available</h1>
        <p class="lead">
          ${prose(
            'One question says why a stay cannot be had, and which stays can: do not ask date after date. The token ' +
              'needs the scope `prices:read`.',
          )}
        </p>
        ${whyPart(publicUrl, dates)} ${reasonsPart()} ${insteadPart()} ${wherePart()}`,
  });
}

function whyPart(publicUrl: string, dates: ExampleDates): Html {
  return html`<h2 id="why">Ask why</h2>
    <p>
      ${prose(
        '`POST /prices/v1/stays` with `"why": true` answers for each property `reasons` and `instead`, both empty ' +
          'where the stay has a price. The program says what it knows of the reasons, and offers the other stays.',
      )}
    </p>
    ${codeTabs('why-program', explainStays(publicUrl, dates))}`;
}

function reasonsPart(): Html {
  return html`<h2 id="reasons">The reasons</h2>
    <p>
      ${prose(
        'Each code stands once, in this order, with one more member. They are all the reasons of the one inventory ' +
          'type that comes nearest: change all that they name, and this type hosts the stay. Treat a code that you do ' +
          'not know as "not available": more may be added. Unknown and hidden properties have no reasons; ' +
          '`"reasons": null` says that this operator tells none.',
      )}
    </p>
    ${table(
      ['Code', 'Member', 'When', 'In a sentence'],
      REASON_CODES.map((code) => {
        const { member, meaning, sentences } = REASON_ROWS[code];
        return [codeText(code), codeText(member), prose(meaning), sentences['en-GB']];
      }),
    )}
    <p>
      ${prose(
        'A night that is sold and one that the operator does not sell are not distinguished. `dates` are occupied ' +
          'nights: the day of departure is none.',
      )}
    </p>`;
}

function insteadPart(): Html {
  return html`<h2 id="instead">What instead</h2>
    <p>
      ${prose(
        `\`instead\` has at most ${NEAREST_STAYS_MAX} stays of the same length within ${OPENING_DAYS_MAX} days of the ` +
          'wanted check-in, the nearest first; then the one stay from the same check-in whose length differs least, ' +
          `of at most ${INSTEAD_NIGHTS_MAX} nights. All can be had at this moment, with the total that a quote would ` +
          'come to; `total` is null without a price. A property that gives no quotes has none.',
      )}
    </p>`;
}

function wherePart(): Html {
  return html`<h2 id="where">Where else they are told</h2>
    <p>
      ${prose(
        'For a whole city, `nearest=true` of `GET /prices/v1/stays` names the nearest dates on which something is open. ' +
          'The page that a handoff link opens tells the traveller the first reason in a sentence, and offers the ' +
          'stays. Assistants hear both from `check_availability` and `find_open_stays`.',
      )}
    </p>`;
}
