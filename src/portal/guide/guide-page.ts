/** /docs: ten minutes from a token to a traveller on the way. */
import { CONTRACT_VERSION } from '../../contract/partner/versions.ts';
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { codeText, html } from '../../http/html/html.ts';
import { docsFrame, type DocsPage } from '../frame/docs-frame.ts';
import type { PageSettings } from '../frame/page-settings.ts';
import { ruleSections } from './guide-rules.ts';
import { stepSections } from './guide-steps.ts';

export function guidePage(settings: PageSettings, dates: ExampleDates): DocsPage {
  const sections = [...stepSections(settings, dates), ...ruleSections(settings, dates)];
  return docsFrame({
    path: '/docs',
    title: 'Guide',
    section: 'docs',
    contents: Object.fromEntries(sections.map(({ id, title }) => [id, title])),
    body: () =>
      html`<h1>Partner API guide</h1>
        <p class="lead">
          Find properties, check a stay, get an indicative quote, and send the traveller on with one link, in
          ten minutes.
        </p>
        <p>
          This API books nothing and takes no payment, because contract, money and the guest’s data are the
          operator’s: the signed link leads the traveller to where that happens.
        </p>
        <p>
          <span class="status">beta</span> Version ${codeText(CONTRACT_VERSION)}, at
          ${codeText(settings.publicUrl)}. Every field is in the <a href="./docs/reference">reference</a>; for
          machines there are <a href="./openapi.json">openapi.json</a>,
          <a href="./openapi.yaml">openapi.yaml</a> and <a href="./llms.txt">llms.txt</a>. The examples ask
          for <a href="./docs/testing">test properties</a>. With a live token choose “a live token” below; the
          programs then name cities and ids of the sample catalogue: put yours in their place.
        </p>
        ${sections.map(
          ({ id, title, body }) =>
            html`<h2 id="${id}">${title}</h2>
              ${body} `,
        )}`,
  });
}
