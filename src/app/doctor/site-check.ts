/** Settings of the site in the database: whether they count. */
import { Wrong } from '../../domain/wrong.ts';
import { allOf, type Check, type Examined, fail, type Finding, ofContent, ok } from './check.ts';
import { SITE_ROWS } from '../settings/settings-table.ts';
import { withSite } from '../settings/site-settings.ts';

export const SITE_CHECK: Check = { name: 'site settings', run: checkSite };

async function checkSite(examined: Examined): Promise<Finding> {
  return ofContent(examined, ({ siteSettings }) => {
    const set = siteSettings.filter(({ value }) => value !== null);
    const { refused } = withSite(examined.environment, set);
    if (refused.length > 0)
      return fail(
        new Wrong('siteRefused', { which: allOf(refused.map(({ problem }) => problem)) }),
        new Wrong('fixSite'),
      );
    const hidden = set.filter(({ name }) => isGiven(examined, name));
    const count = set.length;
    return ok(
      hidden.length === 0
        ? new Wrong('siteSet', { count })
        : new Wrong('siteHidden', { count, names: listOf(hidden) }),
    );
  });
}

function isGiven({ environment }: Examined, wanted: string): boolean {
  return SITE_ROWS.some(([key, { name }]) => name === wanted && environment.given.has(key));
}

function listOf(rows: readonly { readonly name: string }[]): string {
  return rows.map(({ name }) => name).join(', ');
}
