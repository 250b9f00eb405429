/** Travellers open the links of quotes at a constant rate: how long does a page take, and what does it cost? */
import { startOnCity } from './city-service.ts';
import { MEASURED_OPERATIONS, recordWanted } from '../load/wanted-requests.ts';
import type { Section } from '../section.ts';

const PAGES_PER_SECOND = 200;
const P99_MS_MAX = 20;
const CONNECTIONS = 50;
const WARM_UP_SECONDS = 3;

export const traveller: Section = {
  name: 'traveller',
  title: 'The page of a handoff, 200 a second on SQLite',
  seconds: { full: 45, quick: 20 },
  async run(context) {
    const city = await context.cityDatabase();
    const service = await startOnCity(context, city, {
      environment: {
        WEB_PORT: '0',
        WEB_LIMIT: '0',
        BOOKING_URL_TEMPLATE: 'https://book.example/{propertyId}',
      },
    });
    const quote = MEASURED_OPERATIONS.find(({ name }) => name === 'quote')!;
    const { answers } = await recordWanted(city, quote, service.port);
    const requests = answers.map(({ body }) => formatPageRequest(Buffer.from(body).toString('utf8')));
    const order = {
      port: service.webPort,
      requests,
      connections: CONNECTIONS,
      requestsPerSecond: PAGES_PER_SECOND,
    };
    await context.load.run({ ...order, warmUpSeconds: 0, seconds: WARM_UP_SECONDS });
    const before = await service.usage();
    const seconds = context.options.isQuick ? 5 : 25;
    const report = await context.load.run({ ...order, warmUpSeconds: 0, seconds });
    const after = await service.usage();
    await service.stop();
    const busySeconds = after.cpuSeconds - before.cpuSeconds;
    const { latencies } = report;
    return {
      figures: [
        {
          what: 'pages',
          value: report.answersPerSecond,
          unit: 'requests/s',
          bar: { is: 'at least', value: PAGES_PER_SECOND * 0.99 },
        },
        { what: 'page, p50', value: latencies.p50Ms, unit: 'ms' },
        { what: 'page, p99', value: latencies.p99Ms, unit: 'ms', bar: { is: 'at most', value: P99_MS_MAX } },
        { what: 'page, p99.9', value: latencies.p999Ms, unit: 'ms' },
        {
          what: 'processor time of a page',
          value: (busySeconds * 1000) / report.answersInAll,
          unit: 'ms',
        },
        {
          what: 'answers that were not page',
          value: report.refusals,
          unit: 'count',
          bar: { is: 'at most', value: 0 },
        },
      ],
      notes: [
        `${requests.length} quotes over the whole city; a page has ${Math.round(report.bytesPerAnswer)} bytes with its headers, and each visit is stored behind it.`,
      ],
      details: report,
    };
  },
};

function formatPageRequest(quote: string): string {
  const { handoffUrl } = JSON.parse(quote) as { readonly handoffUrl: string };
  const head = [`GET /handoff${new URL(handoffUrl).search} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: text/html'];
  return `${head.join('\r\n')}\r\n\r\n`;
}
