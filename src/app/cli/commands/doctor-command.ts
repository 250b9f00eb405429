/** `doctor`: what is wrong with this installation, and what to do. It changes nothing. */
import type { Command } from 'commander';
import { printed, type PrintedResult } from '../../doctor/check.ts';
import { examineInstallation } from '../../service/context/examine-installation.ts';
import { inspectSettings } from '../../settings/settings.ts';
import { example, helpLines } from '../terminal/example.ts';
import type { Session } from '../terminal/session.ts';

export function configureDoctor(command: Command, session: Session): void {
  command
    .addHelpText(
      'after',
      helpLines(
        'Changes nothing and prints no secret. Exits with 1 if a check fails; a warning is not a failure.',
        example('doctor', 'doctor --json'),
      ),
    )
    .action(async () => {
      const found = await examineInstallation(inspectSettings(session.sources), session.clock);
      const results = found.map(printed);
      session.answer(results, () => formatResults(results));
      if (results.some(({ status }) => status === 'fail')) process.exitCode = 1;
    });
}

function formatResults(results: readonly PrintedResult[]): string {
  const width = Math.max(...results.map(({ check }) => check.length));
  const lines = results.flatMap(({ check, status, detail, fix }) => {
    const line = `${status.padEnd(4)}  ${check.padEnd(width)}  ${detail}`;
    return fix === null ? [line] : [line, `${' '.repeat(width + 8)}fix: ${fix}`];
  });
  const count = (status: string): number => results.filter((result) => result.status === status).length;
  return [...lines, '', `${count('ok')} ok, ${count('warn')} warnings, ${count('fail')} failures`].join('\n');
}
