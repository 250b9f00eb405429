import type { Command } from 'commander';
import { ALL_SCOPE_NAMES, EXTRA_SCOPES, SCOPE_NAMES } from '../../contract/partner/scopes.ts';
import {
  type IssuedCredential,
  issueCredential,
  listCredentials,
  revokeCredential,
  rotateCredential,
} from '../../access/credential-changes.ts';
import { QUOTA_MAX } from '../../access/token-terms.ts';
import { example } from '../terminal/example.ts';
import { unwrap } from '../terminal/failure.ts';
import { collect, duration, instant, oneOf, wholeNumber } from '../terminal/option-values.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

interface IssueOptions {
  readonly partner: string;
  readonly scope?: readonly string[];
  readonly quota?: number;
  readonly expires?: number;
  readonly test?: boolean;
}

export function addCredentialCommands(credential: Command, session: Session): void {
  addIssue(credential, session);
  addList(credential, session);
  addRevoke(credential, session);
  addRotate(credential, session);
}

function addIssue(credential: Command, session: Session): void {
  credential
    .command('issue')
    .description('issue a credential; its token is printed once and stored only as a hash')
    .requiredOption('--partner <id>', 'partner that gets the credential')
    .option(
      '--scope <scope>',
      `right to grant; repeat for several; ${SCOPE_NAMES.join(', ')} unless given; granted only when named: ${Object.keys(EXTRA_SCOPES).join(', ')}`,
      collect(oneOf(ALL_SCOPE_NAMES)),
    )
    .option('--quota <n>', 'requests per 60 seconds; PARTNER_QUOTA unless given', wholeNumber(1, QUOTA_MAX))
    .option('--expires <instant>', 'when it stops working; never unless given', instant)
    .option('--test', 'issue a test token (sp_test_...), which sees only the sandbox')
    .addHelpText(
      'after',
      example('credential issue --partner acme --quota 600 --expires 2027-12-31T00:00:00Z'),
    )
    .action(async (options: IssueOptions) => {
      const request = {
        partnerId: options.partner,
        scopes: options.scope,
        quota: options.quota ?? session.settings().partnerQuota,
        expiresAtMs: options.expires,
        isTest: options.test,
      };
      const issued = await session.withStorage(async (storage) =>
        issueCredential({ ...session, storage }, request),
      );
      answerIssued(session, unwrap(issued));
    });
}

function addList(credential: Command, session: Session): void {
  credential
    .command('list')
    .description('list credentials, without their tokens')
    .option('--partner <id>', 'only those of this partner')
    .addHelpText('after', example('credential list --partner acme'))
    .action(async (options: { readonly partner?: string }) => {
      const listed = await session.withStorage(async (storage) =>
        listCredentials({ storage }, options.partner),
      );
      const credentials = unwrap(listed);
      session.answer(credentials, () =>
        formatTable(
          ['credentialId', 'partnerId', 'quota', 'test', 'createdAt', 'expiresAt', 'revokedAt', 'scopes'],
          credentials.map((view) => ({ ...view })),
          'There are no credentials yet; "stayport credential issue" makes one.',
        ),
      );
    });
}

function addRevoke(credential: Command, session: Session): void {
  credential
    .command('revoke')
    .argument('<credential-id>', 'id of the credential')
    .description('revoke a credential for good')
    .addHelpText('after', example('credential revoke cr_5nWkD0XJ2yqLmT8v'))
    .action(async (credentialId: string) => {
      const revoked = await session.withStorage(async (storage) =>
        revokeCredential({ ...session, storage }, credentialId),
      );
      const view = unwrap(revoked);
      session.answer(view, () => formatFields({ ...view }));
    });
}

function addRotate(credential: Command, session: Session): void {
  credential
    .command('rotate')
    .argument('<credential-id>', 'id of the credential to replace')
    .description('issue a replacement with the same rights; both tokens work during the overlap')
    .option('--overlap <duration>', 'how long the old token keeps working; 24h unless given', duration)
    .addHelpText('after', example('credential rotate cr_5nWkD0XJ2yqLmT8v --overlap 1h'))
    .action(async (credentialId: string, options: { readonly overlap?: number }) => {
      const rotated = await session.withStorage(async (storage) =>
        rotateCredential({ ...session, storage }, credentialId, { overlapMs: options.overlap }),
      );
      answerIssued(session, unwrap(rotated));
    });
}

function answerIssued(session: Session, issued: IssuedCredential): void {
  session.answer(
    issued,
    () => `${formatFields({ ...issued })}\n\nKeep the token now: it is not shown again.`,
  );
}
