/** `/console/tokens`: tokens of the operator's own systems. */
import { listOperatorTokens } from '../access/operator-tokens.ts';
import type { PagePorts, PageQuestion, ShownBy } from './console-page.ts';

export type TokensShown = ShownBy<typeof readTokens>;

/** A page under 60 KB. */
const TOKENS_SHOWN_MAX = 50;

/** `rows` as `operator-token list` prints them; on the page those in force come first, then the newest that have ended. */
export async function readTokens({ storage, clock }: PagePorts, { isJson }: PageQuestion) {
  const all = await listOperatorTokens({ storage });
  if (isJson) return { rows: all, leftOutCount: 0 };
  const nowMs = clock();
  const hasEnded = ({ revokedAt, expiresAt }: (typeof all)[number]): boolean =>
    revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= nowMs);
  const newestFirst = all.toReversed();
  const rows = [...newestFirst.filter((row) => !hasEnded(row)), ...newestFirst.filter(hasEnded)];
  return { rows: rows.slice(0, TOKENS_SHOWN_MAX), leftOutCount: Math.max(0, rows.length - TOKENS_SHOWN_MAX) };
}
