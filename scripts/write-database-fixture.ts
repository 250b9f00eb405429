/**
 * Writes `test/fixtures/database/schema-N.db.gz` and `.json`, where N is the newest schema: a database that the
 * program itself has filled, and what partners and operators were given by it. Run once for each new schema.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SAMPLE, startServer, Workplace } from '../test/kit/command-line.ts';

const FOLDER = join(import.meta.dirname, '..', 'test', 'fixtures', 'database');
const DAY_MS = 86_400_000;

const workplace = new Workplace();
try {
  const { version } = await workplace.json(['migrate']);
  await workplace.json(['import', 'catalogue', join(SAMPLE, 'italy.ndjson')]);
  await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
  const { token } = await workplace.json(['credential', 'issue', '--partner', 'acme']);
  const operator = await workplace.json(['operator-token', 'issue', '--name', 'web application']);
  const server = await startServer(workplace);
  const quote = await createQuote(server.partnerUrl, token);
  server.child.kill('SIGTERM');
  // The last connection moves the log into the file.
  await server.ended;
  const given = {
    token,
    operatorToken: operator.token,
    quoteId: quote.quoteId,
    total: quote.pricing.total,
    handoff: new URL(quote.handoffUrl).searchParams.get('handoff'),
  };
  const path = join(FOLDER, `schema-${version}`);
  writeFileSync(`${path}.db.gz`, gzipSync(readFileSync(workplace.databasePath), { level: 9 }));
  writeFileSync(`${path}.json`, `${JSON.stringify(given, null, 2)}\n`);
  process.stdout.write(`${path}.db.gz\n`);
} finally {
  await workplace.remove();
}

interface Quote {
  readonly quoteId: string;
  readonly pricing: { readonly total: string };
  readonly handoffUrl: string;
}

/** For the first stay of three nights that can be quoted, from today on. */
async function createQuote(partnerUrl: string, token: string): Promise<Quote> {
  for (let daysAhead = 7; daysAhead < 300; daysAhead++) {
    const response = await fetch(`${partnerUrl}/v1/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        propertyId: 'hotel-ponte-venezia',
        stay: { checkIn: dateIn(daysAhead), checkOut: dateIn(daysAhead + 3), guests: 2 },
        locale: 'it-IT',
      }),
    });
    if (response.status === 201) return (await response.json()) as Quote;
    await response.body?.cancel();
  }
  throw new Error('nothing of the sample can be quoted');
}

function dateIn(dayCount: number): string {
  return new Date(Date.now() + dayCount * DAY_MS).toISOString().slice(0, 10);
}
