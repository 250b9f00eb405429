/** An assistant's window that draws cards: it asks a real MCP server, and gives the page what the specification says. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { pino } from 'pino';
import type { BrowserContext } from 'playwright-core';
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import { type McpListener, startMcpListener } from '../../src/app/service/listeners/mcp-wiring.ts';
import { type Line, nights } from './catalogue-lines.ts';
import { type Installation, openInstallation } from './installation.ts';
import { PICTURES, travellersHotel } from './traveller-states.ts';

export const PICTURE_ORIGIN = 'https://stay.example';
const EXTENSION = 'io.modelcontextprotocol/ui';
const PAGE_TYPE = 'text/html;profile=mcp-app';

export interface AssistantCards {
  readonly installation: Installation;
  readonly client: Client;
  readonly listener: McpListener;
  /** Calls the tool, and shows its cards at this address. */
  readonly show: (tool: string, input: Record<string, unknown>) => Promise<string>;
  /** The call whose cards are shown. */
  readonly shown: () => Call;
  /** Pictures come from the web listener of the service, which has no name of its own here. */
  readonly routePictures: (context: BrowserContext) => Promise<void>;
  readonly close: () => Promise<void>;
}

const oneCard = (propertyId: string, name: string, picture: string, rate: number): Line =>
  travellersHotel(propertyId, [], {
    name,
    images: [{ src: picture, alt: name, width: 1200, height: 800 }],
    inventoryTypes: [
      {
        inventoryTypeId: 'double',
        name: 'Double',
        guestsMax: 2,
        calendar: [nights('2026-11-20', '2027-01-31', { availability: 1, rate: `${rate}.00` })],
      },
    ],
  });

export const CARD_LINES: readonly Line[] = [
  oneCard('hotel-ponte-venezia', 'Hotel Ponte delle Erbe', 'hotel-ponte-venezia/front.svg', 148),
  oneCard('locanda-san-marco', 'Locanda San Marco', 'locanda-san-frediano/courtyard.svg', 96),
  oneCard('casa-giudecca', 'Casa Giudecca', 'casa-ballaro/terrace.svg', 121),
];

export async function startAssistantCards(lines: readonly Line[] = CARD_LINES): Promise<AssistantCards> {
  const installation = await openInstallation();
  const { rejections } = await installation.importLines(lines);
  assert.deepEqual(rejections, []);
  const { token } = await installation.issue({ scopes: ALL_SCOPE_NAMES });
  const { partnerUrl, webUrl = '' } = await installation.serve({
    WEB_PORT: '0',
    WEB_LIMIT: '0',
    WEB_IMAGES: PICTURES,
    HANDOFF_BASE_URL: `${PICTURE_ORIGIN}/handoff`,
  });
  const listener = await startMcpListener({
    host: '127.0.0.1',
    port: 0,
    baseUrl: partnerUrl,
    allowedHosts: [],
    limit: 0,
    trustedProxies: [],
    pictureOrigins: [PICTURE_ORIGIN],
    logger: pino({ level: 'silent' }),
  });
  const client = new Client(
    { name: 'window', version: '1' },
    { capabilities: { extensions: { [EXTENSION]: { mimeTypes: [PAGE_TYPE] } } } },
  );
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(listener.url), { requestInit }));
  const window = await serveWindow();
  return {
    installation,
    client,
    listener,
    async show(name, input) {
      const { tools } = await client.listTools();
      const { _meta: meta } = tools.find((tool) => tool.name === name)!;
      const { ui } = meta as { ui: { resourceUri: string } };
      const [page] = (await client.readResource({ uri: ui.resourceUri })).contents;
      const result = await client.callTool({ name, arguments: input });
      window.fill(page as unknown as Page, { input, result });
      return window.url;
    },
    shown: () => window.shown(),
    async routePictures(context) {
      await context.route(`${PICTURE_ORIGIN}/**`, async (route) => {
        const { pathname, search } = new URL(route.request().url());
        const answer = await fetch(`${webUrl}${pathname}${search}`);
        const contentType = answer.headers.get('content-type') ?? '';
        const body = Buffer.from(await answer.arrayBuffer());
        await route.fulfill({ status: answer.status, contentType, body });
      });
    },
    async close() {
      await client.close();
      await listener.close();
      window.close();
      await installation.close();
    },
  };
}

interface Page {
  readonly text: string;
  readonly _meta: { readonly ui: { readonly csp: { readonly resourceDomains: readonly string[] } } };
}

interface Call {
  readonly input: object;
  readonly result: object;
}

/** The window at `/`, the page of cards in a frame of it, with the policy that the specification derives. */
async function serveWindow() {
  let shown = { page: '', policy: '', call: {} as Call };
  const server = createServer((request, response) => {
    const isFrame = request.url === '/frame';
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (isFrame) response.setHeader('content-security-policy', shown.policy);
    response.end(isFrame ? shown.page : windowOf(shown.call));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    fill(page: Page, call: Call): void {
      shown = { page: page.text, policy: policyOf(page), call };
    },
    shown: () => shown.call,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function policyOf({ _meta: { ui } }: Page): string {
  const origins = ui.csp.resourceDomains.join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline' ${origins}`,
    `style-src 'self' 'unsafe-inline' ${origins}`,
    `img-src 'self' data: ${origins}`,
    "connect-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'self'",
  ].join('; ');
}

/** A test's input is at `window.seen`. */
function windowOf(call: Call): string {
  const json = JSON.stringify(call).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Assistant</title>
<style>
  body { margin: 0 auto; max-width: 760px; padding: 28px; background: #faf9f5; color: #1a1a1a;
    font: 16px/1.5 system-ui, sans-serif; }
  .asked { margin: 0 0 20px auto; width: fit-content; max-width: 70%; padding: 10px 16px; background: #ece9df;
    border-radius: 16px; }
  iframe { display: block; width: 100%; height: 40px; border: 0; }
</style>
<p class="asked">Somewhere in Venice from 11 to 14 December, for the two of us?</p>
<p>Three places are available for these nights:</p>
<iframe sandbox="allow-scripts" src="/frame" title="Cards of stays"></iframe>
<script>
  const { input, result } = ${json};
  const frame = document.querySelector('iframe');
  const seen = (window.seen = []);
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    seen.push(data);
    const { id, method, params } = data;
    if (method === 'ui/initialize') {
      const hostContext = { theme: 'light', locale: 'en-GB', containerDimensions: { maxHeight: 2_000 } };
      const hostInfo = { name: 'window', version: '1' };
      send({ id, result: { protocolVersion: '2026-01-26', hostCapabilities: {}, hostInfo, hostContext } });
    } else if (method === 'ui/notifications/initialized') {
      send({ method: 'ui/notifications/tool-input', params: { arguments: input } });
      send({ method: 'ui/notifications/tool-result', params: result });
    } else if (method === 'ui/notifications/size-changed') frame.style.height = params.height + 'px';
    else if (method === 'ui/message') {
      if (window.refuses) send({ id, error: { code: -32000, message: 'denied' } });
      else send({ id, result: {} });
    }
  });
</script></html>`;
}
