/** Who may call: the rows of `partner list`. */
import { listPartners } from '../access/partner-changes.ts';
import { type PagePorts, firstPage, type PageQuestion, type ShownBy } from './console-page.ts';
import { withQuery } from './paths.ts';

/** A page under 60 KB. */
export const PARTNERS_SHOWN_MAX = 50;

export type PartnersShown = ShownBy<typeof readPartners>;

export async function readPartners({ storage }: PagePorts, { query, isJson }: PageQuestion) {
  const after = query.get('after') ?? '';
  const partners = await listPartners({ storage });
  if (isJson) return { rows: partners, nextPath: undefined };
  const behind = partners.filter(({ partnerId }) => partnerId > after);
  const { page: rows, last } = firstPage(behind, PARTNERS_SHOWN_MAX);
  return { rows, nextPath: last && withQuery('/console/partners', { after: last.partnerId }) };
}
