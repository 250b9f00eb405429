/** Credentials of partners and their tokens. */
import { Wrong } from '../../domain/wrong.ts';
import * as credentials from '../../access/credential-changes.ts';
import { NETWORKS_MAX } from '../../access/networks.ts';
import { QUOTA_MAX } from '../../access/token-terms.ts';
import { ALL_SCOPE_NAMES, EXTRA_SCOPES, SCOPE_NAMES } from '../../contract/partner/scopes.ts';
import { randomOfForm } from '../../access/form-secrets.ts';
import { act, type ActPorts, flag, optional, repeated, required } from './act.ts';
import { anyText, duration, instant, network, oneOf, orNone, wholeNumber } from './values.ts';

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
    networks: repeated(
      network,
      '--network <cidr>',
      `network that the token may come from; repeat for several, ${NETWORKS_MAX} at most; anywhere unless given`,
    ),
    isTest: flag('--test', 'issue a test token (sp_test_...), which sees only the sandbox'),
  },
  examples: [
    'credential issue --partner acme --quota 600 --expires 2027-12-31T00:00:00Z',
    'credential issue --partner acme --network 192.0.2.0/24 --network 2001:db8::/32',
  ],
  audit: 'signed',
  run: async (ports, { quota = ports.partnerQuota, ...terms }) =>
    credentials.issueCredential(ports, { ...terms, quota, ...(await ofForm(ports)) }),
  print: { below: SHOWN_ONCE },
});

async function ofForm(ports: ActPorts): Promise<credentials.FormOptions> {
  const { requestKey } = ports;
  return requestKey === undefined ? {} : { randomOfForm: await randomOfForm(ports, requestKey) };
}

const NONE_AND_SOME = new Wrong('noneAndSome');

export const updateCredentialAct = act({
  name: 'credential update',
  right: 'admin',
  about: 'change quota or networks of a credential; every process follows within a second',
  input: {
    credentialId: required(anyText, '<credential-id>', 'id of the credential'),
    quota: optional(wholeNumber(1, QUOTA_MAX), '--quota <n>', 'requests per 60 seconds'),
    networks: repeated(
      orNone(network),
      '--network <cidr>',
      `network that the token may come from, in place of the whole list; repeat for several, ${NETWORKS_MAX} at most; ` +
        'none lets it come from anywhere again',
    ),
  },
  examples: [
    'credential update cr_5nWkD0XJ2yqLmT8v --network 192.0.2.0/24',
    'credential update cr_5nWkD0XJ2yqLmT8v --network none',
  ],
  audit: 'signed',
  check({ quota, networks }) {
    if (quota === undefined && networks === undefined) return new Wrong('nothingOfCredential');
    return networks?.includes(null) && networks.length > 1 ? NONE_AND_SOME : undefined;
  },
  run: (ports, { credentialId, quota, networks }) =>
    credentials.updateCredential(ports, credentialId, {
      quota,
      networks: networks?.filter((one) => one !== null),
    }),
  print: 'fields',
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
    columns: [
      'credentialId',
      'partnerId',
      'quota',
      'test',
      'createdAt',
      'expiresAt',
      'revokedAt',
      'networks',
      'scopes',
    ],
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
  run: async (ports, { credentialId, overlapMs }) =>
    credentials.rotateCredential(ports, credentialId, { overlapMs, ...(await ofForm(ports)) }),
  print: { below: SHOWN_ONCE },
});

export const CREDENTIAL_ACTS = [
  issueCredentialAct,
  updateCredentialAct,
  listCredentialsAct,
  revokeCredentialAct,
  rotateCredentialAct,
];
