/** /docs/changelog: the versions of the contract, with their promises. */
import { CONTRACT_VERSIONS, type ContractVersion } from '../../contract/partner/versions.ts';
import { type Html, html, prose } from '../../http/html/html.ts';
import { docsFrame, type DocsPage } from '../frame/docs-frame.ts';

export function changelogPage(): DocsPage {
  return docsFrame({
    path: '/docs/changelog',
    title: 'Changelog',
    section: 'docs/changelog',
    body: () =>
      html`<h1>Changelog of the contract</h1>
        <p class="lead">Versions of the partner API, the newest first. This service speaks the newest.</p>
        ${CONTRACT_VERSIONS.map(versionPart)}`,
  });
}

function versionPart({ version, status, date, changes, promises }: ContractVersion): Html {
  return html`<h2 id="v${version}">${version}</h2>
    <p><span class="status">${status}</span> <time datetime="${date}">${date}</time></p>
    <ul>
      ${changes.map((change) => html`<li>${prose(change)}</li> `)}
    </ul>
    <h3>What you can rely on</h3>
    <ul>
      ${promises.map((promise) => html`<li>${prose(promise)}</li> `)}
    </ul>`;
}
