import type { Command } from 'commander';
import { example } from './example.ts';
import type { Session } from './session.ts';

export function addDemoCommand(program: Command, session: Session): void {
  program
    .command('demo')
    .description('fill an empty database with sample data, then start the service and print calls to try')
    .addHelpText('after', example('demo'))
    .action(async () => {
      const { runDemo } = await import('./demo.ts');
      await runDemo(session);
    });
}
