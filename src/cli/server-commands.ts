/** `serve` and `demo`. What they run is half the program, and is loaded when they run. */
import type { Command } from 'commander';
import { example } from './terminal/example.ts';
import type { Session } from './terminal/session.ts';

export function configureServe(command: Command, session: Session): void {
  command.addHelpText('after', example('serve')).action(async () => {
    const { serve } = await import('./commands/run-server.ts');
    await serve(session, async ({ partnerUrl, operatorUrl, webUrl }) => {
      // For people the log says it; with --json a script that asked for port 0 learns the ports.
      session.answer({ partnerUrl, operatorUrl, webUrl });
    });
  });
}

export function configureDemo(command: Command, session: Session): void {
  command.addHelpText('after', example('demo')).action(async () => {
    const { runDemo } = await import('./demo/demo.ts');
    await runDemo(session);
  });
}
