/** A service with something to see on each page of the console: invented requests and quotes, and nights closed by hand. */
import { createPartner } from '../../src/access/partner-changes.ts';
import { SAMPLE_PARTNER, writeSampleActivity } from '../../src/app/cli/demo/sample-activity.ts';
import { double, hotel, type Line, nights } from './catalogue-lines.ts';
import { until } from './command-line.ts';
import { type ConsoleClient, signInTo } from './console-client.ts';
import { type Installation, NOW_MS, startInstallation, valueOf } from './installation.ts';
import { startFakeSmoobu } from './pms/fake-smoobu.ts';

export const PROPERTY_ID = 'hotel-ponte-venezia';
const CITIES = [
  { city: 'Venezia', country: 'IT', properties: 40 },
  { city: 'Antwerp', country: 'BE', properties: 40 },
];
/** Stays that found nothing are judged within half a minute, on a machine that does nothing else. */
const JUDGED_MS_MAX = 120_000;
const STAY = { checkIn: '2026-12-10', checkOut: '2026-12-12', guests: 2 };

const LINES: readonly Line[] = [
  hotel(PROPERTY_ID, {
    name: { 'it-IT': 'Hotel al Ponte', 'en-GB': 'Bridge Hotel' },
    inventoryTypes: [
      double({
        name: { 'it-IT': 'Camera doppia', 'en-GB': 'Double room' },
        calendar: [
          nights('2026-11-20', '2027-12-31', { availability: 2, rate: '120.00' }),
          nights('2026-12-20', '2026-12-22', { availability: 0 }),
          nights('2027-01-05', '2027-01-09', { minStayArrival: 3 }),
          nights('2027-08-14', '2027-08-14', { stopSell: true }),
        ],
      }),
      double({
        inventoryTypeId: 'family',
        guestsMax: 4,
        name: { 'it-IT': 'Camera familiare', 'en-GB': 'Family room' },
        calendar: [nights('2026-11-20', '2027-06-30', { availability: 1, rate: '190.00' })],
      }),
    ],
  }),
  hotel('casa-antwerpen', {
    name: 'Huis aan de Schelde',
    location: { city: 'Antwerp', country: 'BE' },
  }),
];

export interface Console {
  readonly installation: Installation;
  readonly url: string;
  readonly cookie: { readonly name: string; readonly value: string; readonly url: string };
  /** Paths from the root, by what a picture of the page is called. */
  readonly paths: Readonly<Record<string, string>>;
}

export async function startConsole(environment: Readonly<Record<string, string>> = {}): Promise<Console> {
  const { installation, service, partner } = await startInstallation(LINES, {
    CONNECTIONS_ALLOW_PRIVATE: 'true',
    ...environment,
  });
  const clock = (): number => installation.time.nowMs;
  await writeSampleActivity({ storage: installation.storage, clock, cities: CITIES });
  valueOf(await createPartner(installation.access, SAMPLE_PARTNER));
  const admin = await signInTo(installation, service.operatorUrl, { role: 'admin' });
  const property = `/console/properties/${PROPERTY_ID}`;
  await admin.act('/console/partners/acme/webhook-create', { url: 'https://hooks.example.com/stayport' });
  const [webhook] = await installation.storage.listWebhooks();
  await admin.act(`/console/webhooks/${webhook!.webhookId}/webhook-test`);
  await admin.act(`${property}/close`, { type: 'family', from: '2026-12-24', to: '2026-12-26' });
  await partner.search({ city: 'Venezia', ...STAY, checkIn: '2027-08-14', checkOut: '2027-08-15' });
  const quoted = await partner.quote({ propertyId: PROPERTY_ID, stay: STAY, locale: 'en-GB' });
  const [request] = await admin.rows<{ correlationId: string }[]>(
    '/console/requests?operation=listPartnerProperties',
  );
  await connectFlats(admin);
  const isJudged = async (): Promise<boolean> => {
    const { unmet } = await admin.rows<{ unmet: readonly object[] }>('/console/demand?city=Venezia');
    return unmet.length > 0;
  };
  await until(isJudged, JUDGED_MS_MAX);
  const [name = '', value = ''] = admin.cookie!.split('=');
  return {
    installation,
    url: service.operatorUrl,
    cookie: { name, value, url: service.operatorUrl },
    paths: {
      today: '/console',
      partners: '/console/partners',
      partner: '/console/partners/acme',
      webhook: `/console/webhooks/${webhook!.webhookId}`,
      requests: '/console/requests',
      request: `/console/requests/${request!.correlationId}`,
      properties: '/console/properties',
      property: `${property}?did=close&type=family&from=2026-12-24&to=2026-12-26&changed=1`,
      night: `${property}/nights/double/2027-08-14`,
      explain: `${property}/explain?checkIn=2027-08-13&checkOut=2027-08-16&guests=2`,
      supply: '/console/supply',
      connection: CONNECTION_PATH,
      newConnection: '/console/new-connection',
      quote: `/console/quotes/${quoted.success.quoteId}`,
      funnel: '/console/funnel',
      demand: '/console/demand',
      audit: '/console/audit',
    },
  };
}

const CONNECTION_PATH = '/console/connections/smoobu';
const DAY_MS = 86_400_000;

/** Five flats of an invented account: one stands here, and two have nights without a price. */
async function connectFlats(admin: ConsoleClient): Promise<void> {
  const datesOf = (flat: number) =>
    Object.fromEntries(
      Array.from({ length: 400 }, (_none, offset) => [
        new Date(NOW_MS + offset * DAY_MS).toISOString().slice(0, 10),
        { price: flat > 2 && offset % 90 === 89 ? 0 : 80 + flat, available: 1, min_length_of_stay: 2 },
      ]),
    );
  const names = ['Huis aan de Schelde', 'Casa Libertà', 'Casa Verde', 'Attico', 'Mansarda'];
  const apartments = names.map((name, flat) => {
    const common = { guests: 4, currency: 'EUR', timeZone: 'Europe/Rome', city: 'Venezia', country: 'IT' };
    return { id: 4120 + flat, name, ...common, dates: datesOf(flat) };
  });
  const account = { customer: 90_210, key: 'key', secret: 'secret', apartments };
  const smoobu = await startFakeSmoobu({ account, nowMs: () => NOW_MS });
  const key = { 'secret.key': 'key', 'secret.secret': 'secret', setting: `base=${smoobu.origin}` };
  await admin.act('/console/new-connection/smoobu/connection-add', key);
  const map = { suggested: 'yes', create: 'yes', sure: 'yes' };
  await admin.act(`${CONNECTION_PATH}/connection-map`, map);
  await admin.act(`${CONNECTION_PATH}/connection-read`);
  await smoobu.stop();
}
