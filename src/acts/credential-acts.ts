/** Credentials of partners and their tokens. */
import * as credentials from '../access/credential-changes.ts';
import { QUOTA_MAX } from '../access/token-terms.ts';
import { ALL_SCOPE_NAMES, EXTRA_SCOPES, SCOPE_NAMES } from '../contract/partner/scopes.ts';
import { act, flag, optional, repeated, required } from './act.ts';
import { anyText, duration, instant, oneOf, wholeNumber } from './values.ts';

/** A token is known at the moment of its making alone. */
export const SHOWN_ONCE = 'Keep the token now: it is not shown again.';
const EXTRA_NAMES = Object.keys(EXTRA_SCOPES).join(', ');

export const issueCredentialAct = act({
  name: 'credential issue',
  right: 'admin',
  about: 'issue a credential; its token is printed once and stored only as a hash',
  input: {
    partnerId: required(anyText, '--partner <id>', 'partner that gets the credential'),
    scopes: repeated(
      oneOf(ALL_SCOPE_NAMES),
      '--scope <scope>',
      `right to grant; repeat for several; ${SCOPE_NAMES.join(', ')} unless given; granted only when named: ${EXTRA_NAMES}`,
    ),
    quota: optional(
      wholeNumber(1, QUOTA_MAX),
      '--quota <n>',
      'requests per 60 seconds; PARTNER_QUOTA unless given',
    ),
    expiresAtMs: optional(instant, '--expires <instant>', 'when it stops working; never unless given'),
    isTest: flag('--test', 'issue a test token (sp_test_...), which sees only the sandbox'),
  },
  examples: ['credential issue --partner acme --quota 600 --expires 2027-12-31T00:00:00Z'],
  audit: 'signed',
  run: (ports, { quota = ports.partnerQuota, ...terms }) =>
    credentials.issueCredential(ports, { ...terms, quota }),
  print: { below: SHOWN_ONCE },
});

const listCredentialsAct = act({
  name: 'credential list',
  right: 'viewer',
  about: 'list credentials, without their tokens',
  input: { partnerId: optional(anyText, '--partner <id>', 'only those of this partner') },
  examples: ['credential list --partner acme'],
  audit: 'reads',
  run: (ports, { partnerId }) => credentials.listCredentials(ports, partnerId),
  print: {
    columns: ['credentialId', 'partnerId', 'quota', 'test', 'createdAt', 'expiresAt', 'revokedAt', 'scopes'],
    empty: 'There are no credentials yet; "stayport credential issue" makes one.',
  },
});

export const revokeCredentialAct = act({
  name: 'credential revoke',
  right: 'admin',
  about: 'revoke a credential for good',
  input: { credentialId: required(anyText, '<credential-id>', 'id of the credential') },
  examples: ['credential revoke cr_5nWkD0XJ2yqLmT8v'],
  audit: 'signed',
  run: (ports, { credentialId }) => credentials.revokeCredential(ports, credentialId),
  print: 'fields',
});

export const rotateCredentialAct = act({
  name: 'credential rotate',
  right: 'admin',
  about: 'issue a replacement with the same rights; both tokens work during the overlap',
  input: {
    credentialId: required(anyText, '<credential-id>', 'id of the credential to replace'),
    overlapMs: optional(
      duration,
      '--overlap <duration>',
      'how long the old token keeps working; 24h unless given',
    ),
  },
  examples: ['credential rotate cr_5nWkD0XJ2yqLmT8v --overlap 1h'],
  audit: 'signed',
  run: (ports, { credentialId, overlapMs }) =>
    credentials.rotateCredential(ports, credentialId, { overlapMs }),
  print: { below: SHOWN_ONCE },
});

export const CREDENTIAL_ACTS = [
  issueCredentialAct,
  listCredentialsAct,
  revokeCredentialAct,
  rotateCredentialAct,
];
