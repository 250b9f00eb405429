/** `/console/tokens`: tokens of the operator's own systems. */
import { listOperatorTokens } from '../../../access/operator-tokens.ts';
import { inForceFirst } from '../../../access/token-terms.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';

export type TokensShown = ShownBy<typeof readTokens>;

/** A page under 60 KB. */
const TOKENS_SHOWN_MAX = 50;

/** `rows` as `operator-token list` prints them; on the page those in force come first, then the newest that have ended. */
export async function readTokens({ storage, clock }: PagePorts, { isJson }: PageQuestion) {
  const all = await listOperatorTokens({ storage });
  if (isJson) return { rows: all, leftOutCount: 0 };
  const rows = inForceFirst(all, clock()).slice(0, TOKENS_SHOWN_MAX);
  return { rows, leftOutCount: all.length - rows.length };
}
