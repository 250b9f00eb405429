/** Several `serve` processes on one PostgreSQL database, as behind a load balancer, and the commands beside them. */
import { type RunningServer, startServer, Workplace } from '../kit/command-line.ts';
import { daysAhead, type Line } from '../kit/catalogue-lines.ts';
import { type Answer, PartnerClient, quoteBody } from '../kit/partner-client.ts';
import type { PartnerQuote } from '../../src/contract/partner/quote-schemas.ts';

/** Limits are out of the way, and the log holds only what should not be. */
const ROOMY = { INGRESS_LIMIT: '0', LOG_LEVEL: 'error' };
const QUOTA_ROOMY = '1000000';

/** One process, and its partner's side of it. */
export interface Instance {
  readonly server: RunningServer;
  readonly partner: PartnerClient;
}

export interface Credential {
  readonly credentialId: string;
  readonly token: string;
}

export class SeveralProcesses {
  readonly workplace: Workplace;

  constructor(databaseUrl: string) {
    this.workplace = new Workplace({ ...ROOMY, DATABASE_URL: databaseUrl });
  }

  /** A new credential of the one partner. */
  async issue(): Promise<Credential> {
    const args = ['credential', 'issue', '--partner', 'acme', '--quota', QUOTA_ROOMY];
    return (await this.workplace.json(args)) as Credential;
  }

  /** A schema, a partner and these properties. */
  async prepare(lines: readonly Line[]): Promise<void> {
    await this.importLines(lines);
    await this.workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
  }

  async importLines(lines: readonly Line[]): Promise<void> {
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    await this.workplace.json(['import', 'catalogue', '-'], { input });
  }

  /** One more process, ready to answer. */
  async start({ token }: Credential): Promise<Instance> {
    const server = await startServer(this.workplace);
    return { server, partner: new PartnerClient(server.partnerUrl, token) };
  }

  /** The log lines of errors in all that these processes wrote; empty is how it should be. */
  static errorsOf(instances: readonly Instance[]): readonly string[] {
    return instances.map(({ server }) => server.printed.stderr).filter((text) => text !== '');
  }

  async remove(): Promise<void> {
    await this.workplace.remove();
  }
}

export function askQuote(partner: PartnerClient, propertyId: string): Promise<Answer<PartnerQuote>> {
  return partner.quote(quoteBody(propertyId, daysAhead(2), daysAhead(5)));
}
