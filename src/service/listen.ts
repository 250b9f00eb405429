/** Takes an address for a listener, and puts a refusal of the operating system into words for the operator. */
import type { AddressInfo } from 'node:net';
import type { ListeningServer } from '../http/listener/listener.ts';

/** The service can't start as it is set up; the message is one line for the operator. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** The URL of the listener; a refusal of the operating system becomes a line that names the setting. */
export async function listen(
  server: ListeningServer,
  host: string,
  port: number,
  setting: string,
): Promise<string> {
  try {
    return formatUrl(await server.listen(port, host));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartRefused(
        `${setting}: ${host}:${port} is taken by another program; stop it or set ${setting}`,
      );
    }
    if (code === 'EACCES') throw new StartRefused(`${setting}: this user may not listen on ${host}:${port}`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartRefused(`${setting.replace('PORT', 'HOST')}: ${host} is not an address of this machine`);
    }
    throw error;
  }
}

function formatUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
