import type { Command } from 'commander';
import { example } from '../terminal/example.ts';
import type { Session } from '../terminal/session.ts';

export function configureServe(command: Command, session: Session): void {
  command.addHelpText('after', example('serve')).action(async () => {
    const { serve } = await import('../serving/serving.ts');
    await serve(session, async ({ partnerUrl, operatorUrl, webUrl }) => {
      // For people the log says it; with --json a script that asked for port 0 learns the ports.
      session.answer({ partnerUrl, operatorUrl, webUrl });
    });
  });
}
