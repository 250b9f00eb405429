/** The way into the console of a new installation: without it, the first person would need a shell. */
import { makeLink } from '../../../access/console-sessions.ts';
import { signInUrl } from '../../../operator/acts/console-acts.ts';
import type { Service } from '../../service/service.ts';
import { StorageUnavailable } from '../../../storage/storage.ts';
import { CommandFailure, unwrap } from '../terminal/failure.ts';
import type { Session } from '../terminal/session.ts';

export const FIRST_LINK_TTL_MS = 15 * 60_000;

/** A link of an administrator; undefined where somebody has signed in before, or the database does not answer now. */
export async function firstConsoleLink(
  session: Session,
  { operatorUrl }: Pick<Service, 'operatorUrl'>,
): Promise<string | undefined> {
  try {
    return await session.withStorage(async (storage) => {
      if (!(await storage.isConsoleUnused())) return undefined;
      const signed = storage.asAuthor({ person: 'command line', role: null, act: 'console link' });
      const options = { name: 'administrator', role: 'admin', ttlMs: FIRST_LINK_TTL_MS } as const;
      const { secret } = unwrap(await makeLink({ ...session, storage: signed }, options));
      return signInUrl(consoleUrlOf(session, operatorUrl), secret);
    });
  } catch (error) {
    if (error instanceof StorageUnavailable || error instanceof CommandFailure) return undefined;
    throw error;
  }
}

/** CONSOLE_URL; where the system chose the port, `localhost` at what it chose. */
export function consoleUrlOf(session: Session, operatorUrl: string): string {
  const { consoleUrl, operatorPort } = session.settings();
  return operatorPort === 0 ? `http://localhost:${new URL(operatorUrl).port}` : consoleUrl;
}
