/** The supply API of a running installation, as the operator's systems call it. */
import { issueOperatorToken } from '../../src/access/operator-tokens.ts';
import type { Line } from './catalogue-lines.ts';
import { until } from './command-line.ts';
import { type Running, startInstallation, valueOf } from './installation.ts';

export interface SupplyCall {
  readonly token: string;
  /** Sent as JSON, unless it is text or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SupplyAnswer {
  readonly status: number;
  /** Text where it is no JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into it as far as it wants
  readonly body: any;
}

/** `path` goes on after `/supply/v1/`. */
export async function callSupply(
  operatorUrl: string,
  method: string,
  path: string,
  { token, body, headers }: SupplyCall,
): Promise<SupplyAnswer> {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(`${operatorUrl}/supply/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: sent as string }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** The status, the code of the problem, and what of the call each of its errors points to. */
export function codesOf({ status, body }: SupplyAnswer): readonly unknown[] {
  const errors: readonly { readonly pointer: string }[] = body.errors ?? [];
  return [status, body.code, ...errors.map(({ pointer }) => pointer)];
}

export interface SupplyRunning extends Running {
  /** May speak for any source. */
  readonly anyToken: string;
  /** Speaks for the source `pms`. */
  readonly pmsToken: string;
}

/** Like `startInstallation`; the running service knows both tokens. */
export async function startSupply(
  lines: readonly Line[],
  environment: Readonly<Record<string, string>> = {},
  givenUrl?: string,
): Promise<SupplyRunning> {
  const running = await startInstallation(lines, environment, givenUrl);
  const { access } = running.installation;
  const anyToken = valueOf(await issueOperatorToken(access, { name: 'any' })).token;
  const pmsToken = valueOf(await issueOperatorToken(access, { name: 'pms', source: 'pms' })).token;
  const { operatorUrl } = running.service;
  await until(
    async () => (await callSupply(operatorUrl, 'GET', 'revision', { token: pmsToken })).status !== 401,
  );
  return { ...running, anyToken, pmsToken };
}
