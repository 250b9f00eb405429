/** Who may call: the rows of `partner list`. */
import { listPartners, type PartnerView } from '../access/partner-changes.ts';
import type { PagePorts, PageQuestion } from './console-page.ts';
import { withQuery } from './paths.ts';

/** A page under 60 KB. */
export const PARTNERS_SHOWN_MAX = 50;

export interface PartnersShown {
  readonly rows: readonly PartnerView[];
  readonly nextPath: string | undefined;
}

export async function readPartners(
  { storage }: PagePorts,
  { query, isJson }: PageQuestion,
): Promise<PartnersShown> {
  const all = await listPartners({ storage });
  if (isJson) return { rows: all, nextPath: undefined };
  const after = query.get('after') ?? '';
  const behind = all.filter(({ partnerId }) => partnerId > after);
  const rows = behind.slice(0, PARTNERS_SHOWN_MAX);
  const next = behind.length > rows.length ? rows.at(-1)?.partnerId : undefined;
  return { rows, nextPath: next && withQuery('/console/partners', { after: next }) };
}
