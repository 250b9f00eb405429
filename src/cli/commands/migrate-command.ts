import type { Command } from 'commander';
import { openStorage } from '../../storage/open/open-storage.ts';
import { example } from '../terminal/example.ts';
import type { Session } from '../terminal/session.ts';

export function configureMigrate(command: Command, session: Session): void {
  command.addHelpText('after', example('migrate')).action(async () => {
    const storage = await openStorage(session.settings().databaseUrl, { clock: session.clock });
    try {
      const { version } = await storage.migrate();
      session.answer({ version }, () => `The database has schema ${version}.`);
    } finally {
      await storage.close();
    }
  });
}
