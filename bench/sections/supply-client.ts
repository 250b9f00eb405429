/** How processes of the benchmark ask the supply API. */
import { Agent, request as httpRequest } from 'node:http';
import type { EpochDay } from '../../src/domain/local-date.ts';

export interface SupplyTarget {
  readonly operatorPort: number;
  readonly token: string;
  readonly today: EpochDay;
  readonly propertyIds: readonly string[];
  readonly inventoryTypeId: string;
}

/** More than any of the senders has under way. */
const agent = new Agent({ keepAlive: true, maxSockets: 72 });

export async function untilVisible(target: SupplyTarget, revision: number): Promise<void> {
  await askSupply(target, 'GET', `/supply/v1/revision?wait=30&atLeast=${revision}`);
}

interface Answer {
  readonly revision: number;
  readonly changed: number;
}

export function askSupply(
  { operatorPort, token }: SupplyTarget,
  method: string,
  path: string,
  body?: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const length = body === undefined ? {} : { 'content-length': body.length };
    const outgoing = httpRequest(
      { agent, host: '127.0.0.1', port: operatorPort, method, path, headers: { ...headers, ...length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Answer));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
