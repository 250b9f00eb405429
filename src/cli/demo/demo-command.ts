import type { Command } from 'commander';
import { example } from '../terminal/example.ts';
import type { Session } from '../terminal/session.ts';

export function configureDemo(command: Command, session: Session): void {
  command.addHelpText('after', example('demo')).action(async () => {
    const { runDemo } = await import('./demo.ts');
    await runDemo(session);
  });
}
