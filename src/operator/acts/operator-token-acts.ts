/** Tokens of the operator's own systems. */
import { issueOperatorToken, listOperatorTokens, revokeOperatorToken } from '../../access/operator-tokens.ts';
import { OPERATOR_SCOPE_NAMES } from '../../contract/operator/operator-scopes.ts';
import { done } from '../../domain/outcome.ts';
import { act, optional, repeated, required } from './act.ts';
import { SHOWN_ONCE } from './credential-acts.ts';
import { anyText, instant, notBlank, oneOf, sourceName } from './values.ts';

export const issueTokenAct = act({
  name: 'operator-token issue',
  right: 'admin',
  about: 'issue a token for the operator listener; it is printed once and stored only as a hash',
  input: {
    name: required(notBlank, '--name <name>', 'which system will use it'),
    scopes: repeated(
      oneOf(OPERATOR_SCOPE_NAMES),
      '--scope <scope>',
      `right to grant; repeat for several; all unless given: ${OPERATOR_SCOPE_NAMES.join(', ')}`,
    ),
    source: optional(sourceName, '--source <name>', 'only supply source that it may write; any unless given'),
    expiresAtMs: optional(instant, '--expires <instant>', 'when it stops working; never unless given'),
  },
  examples: [
    'operator-token issue --name "web shop" --scope handoff:resolve',
    'operator-token issue --name channex --scope supply:write --source channex --expires 2027-12-31T00:00:00Z',
  ],
  audit: 'signed',
  run: issueOperatorToken,
  print: { below: SHOWN_ONCE },
});

const listTokensAct = act({
  name: 'operator-token list',
  right: 'viewer',
  about: 'list operator tokens, without the tokens themselves',
  input: {},
  examples: ['operator-token list'],
  audit: 'reads',
  run: async (ports) => done(await listOperatorTokens(ports)),
  print: {
    columns: ['operatorTokenId', 'name', 'source', 'createdAt', 'expiresAt', 'revokedAt', 'scopes'],
    empty: 'There are no operator tokens yet; "stayport operator-token issue" makes one.',
  },
});

export const revokeTokenAct = act({
  name: 'operator-token revoke',
  right: 'admin',
  about: 'revoke an operator token for good; every process refuses it within a second',
  input: {
    operatorTokenId: required(
      anyText,
      '<operator-token-id>',
      'id of the token, as "operator-token list" shows it',
    ),
  },
  examples: ['operator-token revoke ot_5nWkD0XJ2yqLmT8v'],
  audit: 'signed',
  run: (ports, { operatorTokenId }) => revokeOperatorToken(ports, operatorTokenId),
  print: 'fields',
});

export const OPERATOR_TOKEN_ACTS = [issueTokenAct, listTokensAct, revokeTokenAct];
