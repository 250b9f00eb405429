/** Opens listeners, and explains refusals of the operating system to the operator. */
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { ListeningServer } from '../../../http/listener/listener.ts';
import { shareOfAddress } from '../context/connection-shares.ts';
import type { FixedSettings } from '../context/live-settings.ts';
import type { Machine } from '../context/machine.ts';

/** The service can't start with these settings; the message is one line for the operator. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** Address of a listener, and the setting that determines its port. */
export interface ListenerAddress {
  readonly host: string;
  readonly port: number;
  readonly setting: string;
}

export interface ListenerAddresses {
  readonly partner: ListenerAddress;
  readonly operator: ListenerAddress;
  /** Only if the settings enable it. */
  readonly web: ListenerAddress | undefined;
}

export function listenerAddresses(settings: FixedSettings): ListenerAddresses {
  const { host, port, operatorHost, operatorPort, webHost, webPort } = settings;
  return {
    partner: { host, port, setting: 'PORT' },
    operator: { host: operatorHost, port: operatorPort, setting: 'OPERATOR_PORT' },
    web: webPort === undefined ? undefined : { host: webHost, port: webPort, setting: 'WEB_PORT' },
  };
}

/** A web listener that nobody asked for, and that can't be, stops no start. */
export function warnOfNoWeb(logger: Logger, { message: reason }: StartRefused): void {
  logger.warn({ reason }, 'travellers can open no page: the web listener does not run');
}

export function listenerSettings(
  { settings, machine }: { readonly settings: FixedSettings; readonly machine?: Machine | undefined },
  connectionsMax: number,
) {
  return {
    problemsBaseUrl: settings.problemsBaseUrl,
    bodyLimitBytes: settings.bodyLimitBytes,
    supplyBodyLimitBytes: settings.supplyBodyLimitBytes,
    headersTimeoutMs: settings.headersTimeoutSeconds * 1000,
    requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
    writeTimeoutMs: settings.writeTimeoutSeconds * 1000,
    connectionsMax,
    connectionsPerAddressMax: shareOfAddress(settings.maxConnectionsPerAddress, machine?.workerCount ?? 1),
    trustedProxies: settings.trustedProxies,
  };
}

/** Resolves with the URL of the listener. With `sharesPort`, other threads of this process listen there too. */
export async function listen(
  server: ListeningServer,
  address: ListenerAddress,
  sharesPort: boolean,
): Promise<string> {
  try {
    return formatUrl(await server.listen(address.port, address.host, sharesPort));
  } catch (error) {
    throw explainListenError(error, address);
  }
}

/** Turns a refusal of the operating system into a line that names the setting. */
export function explainListenError(error: unknown, { host, port, setting }: ListenerAddress): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new StartRefused(
      `${setting}: ${host}:${port} is taken by another program; stop it or set ${setting}`,
    );
  }
  if (code === 'EACCES') return new StartRefused(`${setting}: this user may not listen on ${host}:${port}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new StartRefused(`${setting.replace('PORT', 'HOST')}: ${host} is not an address of this machine`);
  }
  return error;
}

function formatUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
