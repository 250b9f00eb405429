/** Settings of the site in the database: whether they count. */
import { inEnglish } from '../../domain/wrong.ts';
import { type Check, type Examined, fail, type Finding, ofContent, ok } from './check.ts';
import { SITE_ROWS } from '../settings/settings-table.ts';
import { withSite } from '../settings/site-settings.ts';

export const SITE_CHECK: Check = { name: 'site settings', run: checkSite };

async function checkSite(examined: Examined): Promise<Finding> {
  return ofContent(examined, ({ siteSettings }) => {
    const set = siteSettings.filter(({ value }) => value !== null);
    const { refused } = withSite(examined.environment, set);
    if (refused.length > 0)
      return fail(
        `these stored values do not count: ${refused.map(({ problem }) => inEnglish(problem)).join('; ')}`,
        'correct them in the console, at /console/settings, or with "stayport settings set"',
      );
    const hidden = set.filter(({ name }) => isGiven(examined, name));
    const above = hidden.length === 0 ? '' : `; the environment wins for ${listOf(hidden)}`;
    return ok(`${set.length} are set in the database${above}`);
  });
}

function isGiven({ environment }: Examined, wanted: string): boolean {
  return SITE_ROWS.some(([key, { name }]) => name === wanted && environment.given.has(key));
}

function listOf(rows: readonly { readonly name: string }[]): string {
  return rows.map(({ name }) => name).join(', ');
}
