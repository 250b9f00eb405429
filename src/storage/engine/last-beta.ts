/**
 * Databases that a beta made. One with all migrations of the last beta has the tables of the first release, which takes
 * it over as it is; an older one has to be upgraded by the last beta. Betas know no migration from BASELINE on, and none
 * starts on a database that has one.
 */
import { SchemaMismatch } from './errors.ts';
import type { SeenProcess } from './state.ts';

const LAST_BETA = '1.0.0-beta.2';

/** The migration that makes the schema of the first release. */
export const BASELINE = 24;
/** A beta that meets the baseline names it. */
export const BASELINE_RELEASE = '1.0.0';

/** In which betas count most of their migrations. */
export const BETA_TABLE = 'schema_additions';

/** The migrations of the last beta, by where their tables are. */
export const LAST_BETA_MIGRATIONS = {
  postgres: countTo(23),
  sqlite: countTo(23).filter((version) => version !== 12 && version !== 16),
  activity: countTo(3),
} as const;

function countTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

interface Applied {
  readonly version: number;
}

export function isOfBeta(applied: readonly Applied[]): boolean {
  return applied.some(({ version }) => version < BASELINE);
}

/** Why this database of a beta can't be taken over; undefined: it can. */
export function refuseOlderBeta(
  applied: readonly Applied[],
  { subject, ofLastBeta }: { readonly subject: string; readonly ofLastBeta: readonly number[] },
): string | undefined {
  const found = new Set(applied.map(({ version }) => version));
  if (ofLastBeta.every((version) => found.has(version))) return undefined;
  return `${subject} is of a release before ${LAST_BETA}: start it once with ${LAST_BETA}, which upgrades it`;
}

/** Throws `SchemaMismatch` while one of these processes serves. All are betas, because nothing else could start. */
export function assertNoBetaServes(serving: readonly SeenProcess[]): void {
  if (serving.length === 0) return;
  const places = serving.map(({ release, where }) => `Stayport ${release} on ${where}`).join('; ');
  throw new SchemaMismatch(
    `a beta serves this database, and no later release starts beside one: ${places}. Stop it first; one that was killed is forgotten after 10 minutes`,
  );
}

/** Forgets which migrations betas have counted; the tables of their data stay. */
export const FORGET_BETA_SQL = `
  DELETE FROM schema_version;
  DELETE FROM schema_releases;
  DROP TABLE IF EXISTS ${BETA_TABLE};`;
