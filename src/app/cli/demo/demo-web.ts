/**
 * The demo's web listener: a self-signed certificate made at startup, a working handoff link, and a booking page behind
 * it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsPair } from '../../../http/listener/listener.ts';
import { makeSelfSigned } from '../../service/listeners/self-signed.ts';
import type { Service } from '../../service/service.ts';
import type { Environment, Settings } from '../../settings/settings.ts';
import type { Session } from '../terminal/session.ts';
import { startDemoBooking } from './demo-booking.ts';
import { formatQuoteRequest, type QuotableStay } from './demo-calls.ts';

const WEB_PORT = 8443;
const DAYS_VALID = 30;
/** Pictures of the properties in Italy. */
const PICTURES = join(import.meta.dirname, '..', '..', '..', '..', 'sample', 'images');

/** Runs `use` with a session whose settings have a web listener, unless the environment sets them otherwise. */
export async function withDemoWeb(session: Session, use: (session: Session) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-demo-'));
  try {
    const pair = await makeSelfSigned(session.clock(), DAYS_VALID);
    const booking = await startDemoBooking(pair);
    try {
      const defaults = { ...demoDefaults(session.settings()), BOOKING_URL_TEMPLATE: booking.urlTemplate };
      await use(session.withDefaults({ ...defaults, ...writePair(folder, pair) }));
    } finally {
      await booking.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The demo's own output for people comes first, so the service logs errors only. */
function demoDefaults({ webPort = WEB_PORT }: Settings): Environment {
  return {
    LOG_LEVEL: 'error',
    WEB_PORT: String(webPort),
    HANDOFF_BASE_URL: `https://localhost:${webPort === 0 ? WEB_PORT : webPort}/handoff`,
    WEB_NAME: 'Stayport demo',
    WEB_IMAGES: PICTURES,
    WEB_CONTACT: 'mailto:reservations@example.com',
  };
}

/** Writes files that only this user may read. */
function writePair(folder: string, pair: TlsPair): Environment {
  const files = { WEB_TLS_CERT: join(folder, 'web.crt'), WEB_TLS_KEY: join(folder, 'web.key') };
  writeFileSync(files.WEB_TLS_CERT, pair.cert, { mode: 0o600 });
  writeFileSync(files.WEB_TLS_KEY, pair.key, { mode: 0o600 });
  return files;
}

/** Makes a quote as a partner does and returns its link, with the port that the listener actually uses. */
export async function quoteLink(
  { partnerUrl, webUrl }: Service,
  token: string,
  stay: QuotableStay,
): Promise<string | undefined> {
  if (webUrl === undefined) return undefined;
  const response = await fetch(`${partnerUrl}/v1/quotes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: formatQuoteRequest(stay),
  });
  if (response.status !== 201) return undefined;
  const { handoffUrl } = (await response.json()) as { readonly handoffUrl: string };
  const { protocol, port } = new URL(webUrl);
  return `${protocol}//localhost:${port}/handoff${new URL(handoffUrl).search}`;
}
