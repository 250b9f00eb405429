import type { Command } from 'commander';
import { issueOperatorToken, listOperatorTokens, revokeOperatorToken } from '../../access/operator-tokens.ts';
import { OPERATOR_SCOPE_NAMES } from '../../contract/operator/operator-scopes.ts';
import { example } from '../terminal/example.ts';
import { unwrap } from '../terminal/failure.ts';
import { collect, instant, notBlank, oneOf, sourceName } from '../terminal/option-values.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

interface IssueOptions {
  readonly name: string;
  readonly scope?: readonly string[];
  readonly source?: string;
  readonly expires?: number;
}

export function addOperatorTokenCommands(operatorToken: Command, session: Session): void {
  operatorToken
    .command('issue')
    .description('issue a token for the operator listener; it is printed once and stored only as a hash')
    .requiredOption('--name <name>', 'which system will use it', notBlank)
    .option(
      '--scope <scope>',
      `right to grant; repeat for several; all unless given: ${OPERATOR_SCOPE_NAMES.join(', ')}`,
      collect(oneOf(OPERATOR_SCOPE_NAMES)),
    )
    .option('--source <name>', 'only supply source that it may write; any unless given', sourceName)
    .option('--expires <instant>', 'when it stops working; never unless given', instant)
    .addHelpText(
      'after',
      example(
        'operator-token issue --name "web shop" --scope handoff:resolve',
        'operator-token issue --name channex --scope supply:write --source channex --expires 2027-12-31T00:00:00Z',
      ),
    )
    .action(async ({ name, scope, source, expires }: IssueOptions) => {
      const issued = await session.withStorage(async (storage) =>
        issueOperatorToken({ ...session, storage }, { name, scopes: scope, source, expiresAtMs: expires }),
      );
      const view = unwrap(issued);
      session.answer(
        view,
        () => `${formatFields({ ...view })}\n\nKeep the token now: it is not shown again.`,
      );
    });

  operatorToken
    .command('list')
    .description('list operator tokens, without the tokens themselves')
    .addHelpText('after', example('operator-token list'))
    .action(async () => {
      const tokens = await session.withStorage(async (storage) => listOperatorTokens({ storage }));
      session.answer(tokens, () =>
        formatTable(
          ['operatorTokenId', 'name', 'source', 'createdAt', 'expiresAt', 'revokedAt', 'scopes'],
          tokens.map((view) => ({ ...view })),
          'There are no operator tokens yet; "stayport operator-token issue" makes one.',
        ),
      );
    });

  operatorToken
    .command('revoke')
    .argument('<operator-token-id>', 'id of the token, as "operator-token list" shows it')
    .description('revoke an operator token for good; every process refuses it within a second')
    .addHelpText('after', example('operator-token revoke ot_5nWkD0XJ2yqLmT8v'))
    .action(async (operatorTokenId: string) => {
      const revoked = await session.withStorage(async (storage) =>
        revokeOperatorToken({ ...session, storage }, operatorTokenId),
      );
      const view = unwrap(revoked);
      session.answer(view, () => formatFields({ ...view }));
    });
}
