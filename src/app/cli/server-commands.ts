/** `serve` and `demo`. What they run is half the program, and is loaded when they run. */
import type { Command } from 'commander';
import { example } from './terminal/example.ts';
import type { Session } from './terminal/session.ts';

export function configureServe(command: Command, session: Session): void {
  command
    .option('--no-link', 'print no link to the console on the first start')
    .addHelpText('after', example('serve', 'serve --no-link'))
    .action(async ({ link }: { readonly link: boolean }) => {
      const { serve } = await import('./commands/run-server.ts');
      const { firstConsoleLink } = await import('./commands/first-link.ts');
      await serve(session, async (service) => {
        const { partnerUrl, operatorUrl, webUrl } = service;
        const consoleUrl = link ? await firstConsoleLink(session, service) : undefined;
        // For people the log says it; with --json a script that asked for port 0 learns the ports.
        session.answer({ partnerUrl, operatorUrl, webUrl, ...(consoleUrl && { consoleUrl }) });
        if (consoleUrl !== undefined && !session.isJson()) session.note(formatSignInLink(consoleUrl));
      });
    });
}

function formatSignInLink(url: string): string {
  return `Nobody has signed in to the console yet. This link signs in an administrator, once, for 15 minutes:\n\n${url}\n`;
}

export function configureDemo(command: Command, session: Session): void {
  command.addHelpText('after', example('demo')).action(async () => {
    const { runDemo } = await import('./demo/demo.ts');
    await runDemo(session);
  });
}
