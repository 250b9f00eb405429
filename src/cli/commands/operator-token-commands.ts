import type { Command } from 'commander';
import { issueOperatorToken } from '../../access/credential-changes.ts';
import { example } from '../terminal/example.ts';
import { unwrap } from '../terminal/failure.ts';
import { notBlank } from '../terminal/option-values.ts';
import { formatFields } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

export function addOperatorTokenCommands(operatorToken: Command, session: Session): void {
  operatorToken
    .command('issue')
    .description('issue a token for the operator listener; it is printed once and stored only as a hash')
    .requiredOption('--name <name>', 'which system will use it', notBlank)
    .addHelpText('after', example('operator-token issue --name "web shop"'))
    .action(async (options: { readonly name: string }) => {
      const issued = await session.withStorage(async (storage) =>
        issueOperatorToken({ ...session, storage }, options),
      );
      const view = unwrap(issued);
      session.answer(
        view,
        () => `${formatFields({ ...view })}\n\nKeep the token now: it is not shown again.`,
      );
    });
}
