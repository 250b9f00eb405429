/**
 * The demo's booking site, where the button of the traveller's page leads: one page that shows what arrived. It takes
 * connections of this machine only, books nothing and keeps nothing.
 */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { BOOKING_URL_PLACES } from '../../../handoff/booking-url.ts';
import { BASE_STYLE } from '../../../http/html/base-style.ts';

import { formatDocument, type Html, html, makeStylesheet } from '../../../http/html/html.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../../http/html/security-headers.ts';

const HOST = '127.0.0.1';
const PATH = '/booking';
export const CONNECTIONS_MAX = 20;

const STYLESHEET = makeStylesheet(
  BASE_STYLE,
  `main { max-width: 40rem; margin: 0 auto; padding: 2rem min(1.25rem, 5vw); }
h1 { margin: 0 0 .75rem; font-size: min(1.8rem, 11vw); }
.sample { display: inline-block; margin: 0 0 1rem; padding: .1rem .7rem; border-radius: 1rem; background: var(--warn-soft); color: var(--warn); font-weight: 600; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .4rem 1.5rem; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl { grid-template-columns: minmax(0, 1fr); } dt { margin-top: .4rem; } }`,
);

export interface DemoBooking {
  /** For BOOKING_URL_TEMPLATE: every place, by its own name. */
  readonly urlTemplate: string;
  close(): Promise<void>;
}

/** On a free port, with the certificate of the demo, both in PEM. */
export async function startDemoBooking(pair: {
  readonly cert: string;
  readonly key: string;
}): Promise<DemoBooking> {
  const server = createServer(pair, answer);
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const query = BOOKING_URL_PLACES.map((name) => `${name}={${name}}`).join('&');
  return {
    urlTemplate: `https://localhost:${port}${PATH}?${query}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const answer: RequestListener = ({ method, url = '' }, response) => {
  const [path, query = ''] = url.split('?', 2);
  const isShown = method === 'GET' && path === PATH;
  const text = isShown ? bookingPage(new URLSearchParams(query)).text : 'Not here.\n';
  response.writeHead(isShown ? 200 : 404, [
    ...SECURITY_HEADERS,
    'Content-Type',
    isShown ? 'text/html; charset=utf-8' : 'text/plain',
    'Content-Security-Policy',
    contentSecurityPolicy({ 'style-src': STYLESHEET.source }),
    'Cache-Control',
    'no-store',
    'X-Robots-Tag',
    'noindex, nofollow',
  ]);
  response.end(text);
};

/** Only what BOOKING_URL_TEMPLATE can carry is shown. */
function bookingPage(arrived: URLSearchParams): Html {
  const rows = BOOKING_URL_PLACES.map(
    (name) =>
      html`<dt>${name}</dt>
        <dd>${(arrived.get(name) ?? 'not sent') || 'empty'}</dd> `,
  );
  return formatDocument({
    language: 'en',
    title: 'Sample booking page',
    stylesheet: STYLESHEET,
    body: html`<main>
      <p class="sample">Sample</p>
      <h1>Your booking site would be here</h1>
      <p>
        This page belongs to the demo of Stayport. Nothing is booked and nothing is kept. It shows what
        arrived with the traveller; a booking site would now price the stay again.
      </p>
      <dl>${rows}</dl>
    </main>`,
  });
}
